/**
 * Asks an environment for its description, tasks and demonstrations. Every reply is validated, because the module may
 * be a stranger's; an error is a sentence for its author. Tool calls and rewards go through `ToolEnv`.
 */
import * as v from 'valibot';
import type { Json } from '../lib/json';
import { nearest } from '../lib/nearest';
import { plainText, quoted } from '../lib/plain-text';
import { bits, Purpose } from '../lib/rng';
import type { Tokenizer } from '../text/tokenizer';
import { namedCharacters, unknownCharacters } from '../text/unknown-characters';
import { descriptionSchema, taskSchema, turnsSchema, type Demonstration, type EnvironmentDescription } from './env';
import { seedOfEpisodes, seedOfStart } from './episode';
import { schemaProblem } from './json-schema';
import { episodesPerBatch, type Sandbox, type SandboxRequest, type Verdict } from './sandbox';
import { failureSentence, readVerdict } from './tool-results';
import type { Task } from './types';

/** `out-of-distribution` exists only if the environment describes it. */
export type Split = 'train' | 'validation' | 'out-of-distribution';

/** Awaited before each sandbox batch: wait here to pause, throw to abort. */
type BeforeSubmit = () => Promise<void>;

/** So few that their fuel is enough: a validation task takes four draws on average, and few take many more. */
export const tasksPerRequest = 4;
/** Of an environment's own text in a message. */
const maxQuotedCharacters = 600;

export class EnvironmentClient {
  /**
   * @param sandbox with the environment's module loaded
   * @param tokenizer if given, tasks whose prompts it cannot encode are refused
   */
  constructor(
    private readonly sandbox: Sandbox,
    private readonly tokenizer?: Tokenizer,
  ) {}

  /** @throws a sentence if a part is missing or wrong */
  async describe(): Promise<EnvironmentDescription> {
    const [value] = await this.ask([{ episode: 0, seed: 0, method: 'describe', args: null }]);
    requireMetaFields(value);
    const description = expect(descriptionSchema, value, 'describe');
    const [ofHost] = description.hostTools ?? [];
    if (ofHost)
      throw new Error(
        `${ofHost.name} is a tool of the host (meta.hostTools), which neither the page nor a link has: the code of a ` +
          'stranger must not reach your files and network. Train its file in a terminal, with --tools.',
      );
    const names = description.tools.map((tool) => tool.name);
    const twice = names.find((toolName, i) => names.indexOf(toolName) !== i);
    if (twice) throw new Error(`The environment has two tools called ${twice}; give each its own name.`);
    for (const tool of description.tools) {
      const problem = schemaProblem(tool.parameters, `tools.${tool.name}.parameters`);
      if (problem) throw new Error(`The environment's tool cannot be used: ${plainText(problem, maxQuotedCharacters)}`);
    }
    for (const option of description.options) {
      if (!option.values.includes(option.default))
        throw new Error(
          `The environment's option ${option.name} has the default ` +
            `${plainText(JSON.stringify(option.default), maxQuotedCharacters)}, which is not among its values.`,
        );
    }
    return description;
  }

  /** Tasks start … start + count − 1 of the endless list of (split, seed, options). @throws a sentence */
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
    const values = await this.ask(requests, beforeSubmit);
    const tasks = values.flatMap((value) => expect(v.array(taskSchema), value, 'tasks'));
    for (const { prompt } of tasks) {
      const unknown = this.tokenizer ? unknownCharacters(this.tokenizer, prompt) : [];
      if (unknown.length === 0) continue;
      throw new Error(
        `meta.alphabet lacks characters of the prompt ${quoted(prompt, 60)}: ${namedCharacters(unknown)}.`,
      );
    }
    if (tasks.length !== count)
      throw new Error(`The environment gave ${tasks.length} tasks where ${count} were asked for.`);
    return tasks;
  }

  /**
   * A demonstration of each task, or the play of a scripted policy. Episode i of a loop that plays them with the same
   * seed begins as script i was told. @param seed of the script's random numbers, and of the episodes
   */
  async demonstrate(
    tasks: readonly Task[],
    seed: number,
    policy?: string,
    beforeSubmit?: BeforeSubmit,
  ): Promise<Demonstration[]> {
    const episodes = seedOfEpisodes(seed);
    const requests = tasks.map((task, episode) => ({
      episode,
      seed: bits(seed, Purpose.demonstration, episode),
      method: 'demonstrate',
      args: {
        task: task as unknown as Json,
        startSeed: seedOfStart(episodes, episode),
        ...(policy !== undefined && { policy }),
      },
    }));
    const values = await this.ask(requests, beforeSubmit);
    return tasks.map((task, i) => ({ task, turns: expect(turnsSchema, values[i], 'demonstrate') }));
  }

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

/** @throws a sentence if `meta` has an unknown field or lacks a required one */
function requireMetaFields(described: Json): void {
  const given = Object.keys(Object(described) as object);
  const known = Object.entries(descriptionSchema.entries).filter(([name]) => name !== 'tools' && name !== 'policies');
  const names = known.map(([name]) => name);
  const unknown = given.find((name) => !Object.hasOwn(descriptionSchema.entries, name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, names);
    throw new Error(
      `meta has a field ${quoted(unknown)}, which is not known; ` +
        (meant ? `did you mean ${meant}?` : `it may have ${names.join(', ')}.`),
    );
  }
  const missing = known.filter(([name, { type }]) => type !== 'optional' && !given.includes(name));
  if (missing.length > 0) throw new Error(`meta lacks ${missing.map(([name]) => name).join(', ')}.`);
}

/** Validates a reply. @throws a sentence that says where it differs */
function expect<T>(schema: v.GenericSchema<unknown, T>, value: Json, method: string): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = plainText(v.getDotPath(issue) ?? '', maxQuotedCharacters);
  const message = plainText(issue.message, maxQuotedCharacters);
  if (method === 'describe')
    throw new Error(`${path.startsWith('tools') ? path : `meta.${path}`} is not as expected: ${message}.`);
  throw new Error(`The environment's ${method} gave something else than expected at ${path || 'the top'}: ${message}.`);
}
