/**
 * What the host asks an environment outside of episodes: its description, tasks and demonstrations. Everything that
 * comes back is checked, because the module may be a stranger's; what does not fit is a sentence for the person who
 * wrote or opened it. Tool calls and rewards go through `ToolEnv`.
 */
import * as v from 'valibot';
import type { Json } from '../lib/json';
import { nearest } from '../lib/nearest';
import { plainText, quoted } from '../lib/plain-text';
import { bits, Purpose } from '../lib/rng';
import type { Tokenizer } from '../text/tokenizer';
import { namedCharacters, unknownCharacters } from '../text/unknown-characters';
import type { Demonstration, DemonstrationTurn, EnvironmentDescription } from './env';
import { schemaProblem } from './json-schema';
import { episodesPerBatch, type Sandbox, type SandboxRequest, type Verdict } from './sandbox';
import { failureSentence, readVerdict } from './tool-results';
import type { Task } from './types';

/** The third is there only if the environment describes it. */
export type Split = 'train' | 'validation' | 'out-of-distribution';

/** Awaited before each batch of the sandbox: pause by waiting here, abort by throwing. */
type BeforeSubmit = () => Promise<void>;

/**
 * Tasks in one request. A validation task takes four draws on average, 30,000 fuel each for the calculator: 2 M of 20
 * M, and a few KiB of 64.
 */
const tasksPerRequest = 16;
/** Most characters of an environment's own words in a sentence. */
const mostWords = 600;

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
const name = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/, 'a name is a letter or _ and at most 31 more letters, digits or _'),
);
const finite = v.pipe(v.number(), v.finite());
const json = v.unknown() as unknown as v.GenericSchema<Json, Json>;

const toolSchema = v.strictObject({ name, description: text(1000), parameters: json });
const optionValue = v.union([text(64), finite]);
const optionSchema = v.strictObject({
  name,
  title: text(80),
  description: text(500),
  values: v.pipe(v.array(optionValue), v.minLength(1), v.maxLength(64)),
  default: optionValue,
});
const descriptionSchema = v.strictObject({
  title: text(80),
  task: text(500),
  watch: text(500),
  system: v.optional(text(8192)),
  tools: v.pipe(v.array(toolSchema), v.maxLength(32)),
  rewards: v.pipe(
    v.record(name, v.strictObject({ description: text(500), weight: finite })),
    v.check((terms) => Object.keys(terms).length <= 32, 'there may be at most 32 reward terms'),
  ),
  options: v.pipe(v.array(optionSchema), v.maxLength(32)),
  alphabet: text(4096),
  words: v.optional(v.pipe(v.array(v.pipe(text(64), v.regex(/^[^\s]+$/, 'a word has no spaces'))), v.maxLength(4096))),
  outOfDistribution: v.optional(text(500)),
  policies: v.optional(v.pipe(v.array(text(64)), v.maxLength(32))),
  examples: v.pipe(v.array(text(1000)), v.maxLength(32)),
});
const taskSchema = v.strictObject({ id: text(128), prompt: text(8192), data: json });
const turnSchema = v.union(
  [
    v.strictObject({
      calls: v.pipe(v.array(v.strictObject({ name, arguments: json })), v.minLength(1), v.maxLength(16)),
    }),
    v.strictObject({ answer: text(8192) }),
  ],
  'a turn is {calls: [{name, arguments}, …]} or {answer: text}',
);
const turnsSchema = v.pipe(
  v.array(turnSchema),
  v.minLength(1),
  v.maxLength(64),
  v.check(
    (turns) => turns.every((turn, i) => 'answer' in turn === (i === turns.length - 1)),
    'the last turn, and no other, is the answer',
  ),
);

export class EnvironmentClient {
  /**
   * The sandbox has loaded the environment's module.
   * @param tokenizer if given, tasks whose prompts it cannot write are refused
   */
  constructor(
    private readonly sandbox: Sandbox,
    private readonly tokenizer?: Tokenizer,
  ) {}

  /** What the module says of itself. Throws a sentence if a part is missing or wrong. */
  async describe(): Promise<EnvironmentDescription> {
    const [value] = await this.ask([{ episode: 0, seed: 0, method: 'describe', args: null }]);
    demandMetaFields(value);
    const description = expect(descriptionSchema, value, 'describe');
    const names = description.tools.map((tool) => tool.name);
    const twice = names.find((toolName, i) => names.indexOf(toolName) !== i);
    if (twice) throw new Error(`The environment has two tools called ${twice}; give each its own name.`);
    for (const tool of description.tools) {
      const problem = schemaProblem(tool.parameters, `tools.${tool.name}.parameters`);
      if (problem) throw new Error(`The environment's tool cannot be used: ${plainText(problem, mostWords)}`);
    }
    for (const option of description.options) {
      if (!option.values.includes(option.default))
        throw new Error(
          `The environment's option ${option.name} has the default ${plainText(JSON.stringify(option.default), mostWords)}, which is not among its values.`,
        );
    }
    return description;
  }

  /**
   * Tasks start … start + count − 1 of the endless list that (split, seed, options) name. Throws a sentence if they are
   * not tasks.
   */
  async tasks(
    split: Split,
    seed: number,
    start: number,
    count: number,
    options: Readonly<Record<string, string | number>>,
    beforeSubmit?: BeforeSubmit,
  ): Promise<Task[]> {
    const requests: SandboxRequest[] = [];
    for (let offset = 0; offset < count; offset += tasksPerRequest) {
      const args = { split, seed, start: start + offset, count: Math.min(tasksPerRequest, count - offset), options };
      requests.push({ episode: requests.length, seed, method: 'tasks', args });
    }
    const tasks = (await this.ask(requests, beforeSubmit)).flatMap((value) =>
      expect(v.array(taskSchema), value, 'tasks'),
    );
    for (const { prompt } of this.tokenizer ? tasks : []) {
      const unknown = unknownCharacters(this.tokenizer!, prompt);
      if (unknown.length > 0)
        throw new Error(
          `meta.alphabet lacks characters of the prompt ${quoted(prompt, 60)}: ${namedCharacters(unknown)}.`,
        );
    }
    if (tasks.length !== count)
      throw new Error(`The environment gave ${tasks.length} tasks where ${count} were asked for.`);
    return tasks;
  }

  /**
   * A demonstration of each task, or how the scripted policy of that name plays it. The seed is that of the scripts'
   * chance, if they take any.
   */
  async demonstrate(
    tasks: readonly Task[],
    seed: number,
    policy?: string,
    beforeSubmit?: BeforeSubmit,
  ): Promise<Demonstration[]> {
    const requests = tasks.map((task, episode) => ({
      episode,
      seed: bits(seed, Purpose.demonstration, episode),
      method: 'demonstrate',
      args: { task: task as unknown as Json, ...(policy !== undefined && { policy }) },
    }));
    const values = await this.ask(requests, beforeSubmit);
    return tasks.map((task, i) => ({
      task,
      turns: expect(turnsSchema, values[i], 'demonstrate') as DemonstrationTurn[],
    }));
  }

  /** Each request is an episode of its own. */
  private async ask(requests: readonly SandboxRequest[], beforeSubmit?: BeforeSubmit): Promise<Json[]> {
    const verdicts: Verdict[] = [];
    for (let from = 0; from < requests.length; from += episodesPerBatch) {
      await beforeSubmit?.();
      verdicts.push(...(await this.sandbox.call(requests.slice(from, from + episodesPerBatch))));
    }
    return verdicts.map((verdict, i) => {
      const answer = readVerdict(verdict);
      if ('problem' in answer)
        throw new Error(`The environment's ${requests[i].method} failed: ${failureSentence(answer)}`);
      return answer.value;
    });
  }
}

/** Throws a sentence if `meta` has a field that there is not, or lacks one that must be. */
function demandMetaFields(described: Json): void {
  const given = Object.keys(Object(described) as object);
  const known = Object.entries(descriptionSchema.entries).filter(([name]) => name !== 'tools' && name !== 'policies');
  const names = known.map(([name]) => name);
  const unknown = given.find((name) => !Object.hasOwn(descriptionSchema.entries, name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, names);
    throw new Error(
      `meta has a field ${quoted(unknown)}, which is not known${meant ? `; did you mean ${meant}?` : `; it may have ${names.join(', ')}.`}`,
    );
  }
  const missing = known
    .filter(([name, schema]) => schema.type !== 'optional' && !given.includes(name))
    .map(([name]) => name);
  if (missing.length > 0) throw new Error(`meta lacks ${missing.join(', ')}.`);
}

/** The value as the schema's type, or an Error that says where it differs. */
function expect<T>(schema: v.GenericSchema<unknown, T>, value: Json, method: string): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = plainText(v.getDotPath(issue) ?? '', mostWords);
  const message = plainText(issue.message, mostWords);
  if (method === 'describe')
    throw new Error(`${path.startsWith('tools') ? path : `meta.${path}`} is not as expected: ${message}.`);
  throw new Error(`The environment's ${method} gave something else than expected at ${path || 'the top'}: ${message}.`);
}
