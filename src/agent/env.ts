/** Environment contracts. `AgentEnv` is batched: rollouts move in lockstep, and one sandbox message carries many. */
import * as v from 'valibot';
import { plainText } from '../lib/plain-text';
import { limitRanges, type LimitName } from '../lib/proposed-limits';
import { isSafeName, maxNames, nameForm, nameWords } from '../lib/safe-name';
import type { Action, EndReason, GuestFault, Json, Observation, Step, Task } from './types';

/** What happened to one episode in one turn. `end` and `success` are set when it is over. */
export interface Transition extends Omit<Step, 'prompt' | 'action'>, Partial<Pick<Ending, 'end' | 'success'>> {
  /** The next observation; ignored when `end` is set. */
  readonly observation: Observation;
  readonly answer?: string;
}

/** The outcome of an episode that was stopped from outside. Its rewards belong to the episode's last step. */
export interface Ending extends GuestFault {
  readonly rewards: Readonly<Record<string, number>>;
  readonly success: boolean;
  /** The reason it was given, or `environment-failed`. */
  readonly end: EndReason;
}

/** What the agent sees first. With a problem the episode ends before its first step. */
export interface Opening extends GuestFault {
  readonly observation: Observation;
}

export interface AgentEnv {
  /** Starts one episode per task; episode i belongs to task i. */
  reset(tasks: readonly Task[], seed: number): Promise<Opening[]>;
  /** @returns transitions in the order of `episodes` */
  step(episodes: readonly number[], actions: readonly Action[]): Promise<Transition[]>;
  /** Rewards episodes that no transition ended. Each has at least one step. */
  finish(episodes: readonly number[], reasons: readonly EndReason[]): Promise<Ending[]>;
}

// What the module of an environment may answer. Whoever wrote it may be a stranger, so everything is bounded.
const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
/** A text that people read and no model: on one line, without characters that do not show. */
const line = (max: number) =>
  v.pipe(
    text(max),
    v.transform((written) => plainText(written, max)),
  );
const name = v.pipe(v.string(), v.regex(nameForm, nameWords));
/** Of a reward term or an option, which become keys of the config. */
const ownName = v.pipe(name, v.check(isSafeName, 'every JavaScript object has something of this name; choose another'));
const finite = v.pipe(v.number(), v.finite());
const json = v.unknown() as unknown as v.GenericSchema<Json, Json>;

const toolSchema = v.strictObject({
  name,
  description: text(1000),
  /** JSON schema of the arguments object. */
  parameters: json,
});

const optionValue = v.union([text(64), finite]);
const optionSchema = v.strictObject({
  name: ownName,
  title: line(80),
  description: line(500),
  values: v.pipe(v.array(optionValue), v.minLength(1), v.maxLength(64)),
  default: optionValue,
});

const limit = (name: LimitName) => {
  const [min, max] = limitRanges[name];
  const within = `it takes whole numbers from ${min} to ${max}`;
  return v.optional(v.pipe(v.number(within), v.integer(within), v.minValue(min, within), v.maxValue(max, within)));
};
const limitsSchema = v.pipe(
  v.strictObject(
    { turns: limit('turns'), context: limit('context'), tokens: limit('tokens') },
    'it may have turns, context and tokens',
  ),
  v.check(
    ({ context = Infinity, tokens = 0 }) => tokens < context,
    'tokens of a turn must be fewer than those of the context',
  ),
);

/** Functions that an environment may leave out, as the sandbox's requests name them. */
const hookNames = ['start', 'context', 'summary', 'flow', 'draw'] as const;

/** `meta`, `tools`, and the names of `policies` and of optional functions. */
export const descriptionSchema = v.strictObject({
  title: line(80),
  /** One sentence: what the agent must learn. */
  task: line(500),
  /** One sentence: what a person should look at while it learns. */
  watch: line(500),
  /** System message; small models do without. */
  system: v.optional(text(8192)),
  tools: v.pipe(v.array(toolSchema), v.maxLength(32)),
  /** Tools that the host gives, in a terminal. Where they are given, they are among `tools` instead. */
  hostTools: v.optional(v.pipe(v.array(toolSchema), v.maxLength(32))),
  /** Names and one-sentence explanations of the reward terms, with default weights. */
  rewards: v.pipe(
    v.record(ownName, v.strictObject({ description: line(500), weight: finite })),
    v.check((terms) => Object.keys(terms).length <= maxNames, `there may be at most ${maxNames} reward terms`),
  ),
  /** Options of the task generator that a person may set. */
  options: v.pipe(v.array(optionSchema), v.maxLength(maxNames)),
  /** All characters its texts can contain, for a character tokenizer. */
  alphabet: text(4096),
  /** Whole words that a word tokenizer gives a token each. */
  words: v.optional(v.pipe(v.array(v.pipe(text(64), v.regex(/^[^\s]+$/, 'a word has no spaces'))), v.maxLength(4096))),
  /** Limits that its tasks need, used where no person sets others. */
  limits: v.optional(limitsSchema),
  /** Whether `start` or a tool may show images. */
  images: v.optional(v.boolean()),
  /** A question in the chat may be about rows of data that a visitor gives: they follow it as JSON lines. */
  rowsInChat: v.optional(v.boolean()),
  /** How the tasks of the split `out-of-distribution` differ. Absent: there is no such split. */
  outOfDistribution: v.optional(line(500)),
  /** Names of scripted policies to compare with. */
  policies: v.optional(v.pipe(v.array(text(64)), v.maxLength(32))),
  /** Optional functions that it exports. */
  hooks: v.optional(v.array(v.picklist(hookNames))),
  /** A few tasks to type into the chat. */
  examples: v.pipe(v.array(text(1000)), v.maxLength(32)),
});

export const taskSchema = v.strictObject({
  id: text(128),
  prompt: text(8192),
  data: json,
  tags: v.optional(v.pipe(v.array(v.pipe(text(32), v.regex(/^[a-z0-9][a-z0-9 -]*$/))), v.maxLength(8))),
});

const turnSchema = v.union(
  [
    v.strictObject({
      calls: v.pipe(v.array(v.strictObject({ name, arguments: json })), v.minLength(1), v.maxLength(16)),
    }),
    v.strictObject({ answer: text(8192) }),
  ],
  'a turn is {calls: [{name, arguments}, …]} or {answer: text}',
);
export const turnsSchema = v.pipe(v.array(turnSchema), v.minLength(1), v.maxLength(64));

export type Tool = Readonly<v.InferOutput<typeof toolSchema>>;
export type EnvironmentDescription = Readonly<v.InferOutput<typeof descriptionSchema>>;
/** What the assistant writes in one turn. */
export type DemonstrationTurn = v.InferOutput<typeof turnSchema>;

/** A scripted solution for the warm start. */
export interface Demonstration {
  readonly task: Task;
  readonly turns: readonly DemonstrationTurn[];
}
