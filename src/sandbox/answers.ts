/**
 * What each method may answer, checked on the host: the guest's word is never taken. Answers come as JSON text, so their
 * properties are own ones and their numbers finite by construction.
 */
import * as v from 'valibot';
import type { Json } from '../agent/types';
import type { Verdict } from '../agent/sandbox';

const name = v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/, 'must be a name of up to 32 letters, digits and _'));
const line = v.pipe(v.string(), v.minLength(1), v.maxLength(500));
const text = v.pipe(v.string(), v.maxLength(16384));
const json = v.custom<Json>((value) => value !== undefined);

const description = v.strictObject({
  title: line,
  task: line,
  watch: line,
  system: v.optional(text),
  tools: v.pipe(
    v.array(v.strictObject({ name, description: line, parameters: v.record(v.string(), json) })),
    v.maxLength(32),
    v.check((tools) => new Set(tools.map((tool) => tool.name)).size === tools.length, 'must have different names'),
  ),
  rewards: v.record(name, v.strictObject({ description: line, weight: v.pipe(v.number(), v.minValue(-10), v.maxValue(10)) })),
  options: v.pipe(
    v.array(
      v.pipe(
        v.strictObject({ name, title: line, description: line, values: v.pipe(v.array(v.union([v.string(), v.number()])), v.minLength(1)), default: v.union([v.string(), v.number()]) }),
        v.check((option) => option.values.includes(option.default), 'must have a default that is one of its values'),
      ),
    ),
    v.maxLength(32),
  ),
  alphabet: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)),
  examples: v.pipe(v.array(line), v.maxLength(32)),
});

const turn = v.union([
  v.strictObject({ calls: v.pipe(v.array(v.strictObject({ name, arguments: json })), v.minLength(1)) }),
  v.strictObject({ answer: text }),
]);

const answers = {
  describe: description,
  tasks: v.array(v.strictObject({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)), prompt: v.pipe(text, v.minLength(1)), data: json })),
  execute: v.strictObject({ text, reward: v.optional(v.number()), state: v.optional(json) }),
  reward: v.strictObject({ terms: v.record(name, v.number()), success: v.boolean() }),
  demonstrate: v.pipe(v.array(turn), v.minLength(1)),
};

/** The answer as a value, or an error that says which part is wrong. */
export function checkAnswer(method: string, answer: string): Verdict {
  if (!Object.hasOwn(answers, method)) return { kind: 'error', message: `there is no method ${method}` };
  try {
    const result = v.safeParse(answers[method as keyof typeof answers], JSON.parse(answer));
    if (result.success) return { kind: 'value', value: result.output as Json };
    const issue = result.issues[0];
    return { kind: 'error', message: `${method}${dotted(issue)}: ${issue.message}`.slice(0, 500) };
  } catch (error) {
    return { kind: 'error', message: `${method}: the result is not JSON the host can read (${(error as Error).name})` };
  }
}

function dotted(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? '' : `.${path}`;
}
