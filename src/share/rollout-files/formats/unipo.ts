/**
 * The training log that UNIPO draws (Cho et al. 2026, arXiv 2605.11549; docs/canonical_schema.json of its repository):
 * `header` and `entries`, or JSON lines of type header and step, or one of the step files that it builds. An entry has
 * a step and prompts, a prompt its responses, a response its reward and its tokens: ids, log_probs, and what the
 * algorithm has, such as advantages and values. Entries with metrics alone are passed over.
 */
import {
  inWords,
  isRecord,
  numberOf,
  refuse,
  stepOf,
  textOf,
  type Format,
  type ImportedRollout,
  type FileRow,
} from '../format';

export const format: Format = {
  title: 'UNIPO',
  fields: 'header and entries',
  recognises: ({ type, algorithm, entries, prompts }) =>
    Array.isArray(entries) || Array.isArray(prompts) || (type === 'header' && algorithm !== undefined),
  read(rows) {
    const entries = rows.flatMap((row) => ('entries' in row.fields ? inner(row, 'entries', 'entry') : [row]));
    const responses = entries.flatMap((entry) =>
      inner(entry, 'prompts', 'prompt').flatMap((prompt) =>
        inner(prompt, 'responses', 'response').map((response) => ({ entry, prompt, response })),
      ),
    );
    if (responses.length === 0)
      refuse(rows[0], 'no entry has prompts with responses', 'Open the log that was given to its build script.');
    const rollouts = responses.map(({ entry, prompt, response }) => rolloutOf(entry, prompt, response));
    const hasLogProbs = responses.every(({ response }) => Array.isArray(tokensOf(response).fields.log_probs));
    return { terms: [{ name: 'reward', weight: 1 }], rollouts, hasLogProbs };
  },
};

/** The objects of a list, each with its place; none if there is no list. */
function inner(row: FileRow, field: string, name: string): FileRow[] {
  const list = row.fields[field] ?? [];
  if (!Array.isArray(list)) return refuse(row, `${field} is ${inWords(list)}, and must be a list`, 'Write it again.');
  return list.map((fields: unknown, i) => {
    const place = `${row.place}, ${name} ${i + 1}`;
    if (isRecord(fields)) return { place, fields };
    return refuse({ place }, `it is ${inWords(fields)}, and must be an object`, 'Remove it, or write it again.');
  });
}

function rolloutOf(entry: FileRow, prompt: FileRow, response: FileRow): ImportedRollout {
  const tokens = tokensOf(response);
  const { ids, strings } = tokens.fields;
  const count = [ids, strings].find(Array.isArray)?.length;
  if (count === 0) refuse(response, 'it has no tokens', 'Remove the response.');
  const values = numbersOf(tokens, 'values', count);
  const advantages = numbersOf(tokens, 'advantages', count);
  const { advantage = null } = response.fields;
  const whole = advantage === null ? undefined : [numberOf(response, 'advantage')];
  const trained = advantages ?? whole;
  return {
    step: stepOf(entry),
    prompt: textOf(prompt, 'prompt'),
    response: textOf(response, 'response_text'),
    rewards: [numberOf(response, 'reward')],
    ...(trained && { advantages: trained }),
    ...(count !== undefined && { tokens: count }),
    ...(values && { values }),
  };
}

function tokensOf({ place, fields }: FileRow): FileRow {
  const { tokens } = fields;
  return { place: `${place}, tokens`, fields: isRecord(tokens) ? tokens : {} };
}

/** A number a token; undefined if there are none. */
function numbersOf(tokens: FileRow, field: string, count: number | undefined): readonly number[] | undefined {
  const list = tokens.fields[field] ?? undefined;
  if (list === undefined) return undefined;
  const fit = Array.isArray(list) && list.length === count && list.every((each) => Number.isFinite(each));
  if (fit) return list as number[];
  return refuse(
    tokens,
    `${field} is not a list of ${count ?? 'as many'} numbers, one a token`,
    'Write it again, or leave it out.',
  );
}
