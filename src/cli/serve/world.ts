/**
 * A world that is served: its tools, its splits, its tasks by split and index, and episodes of them. A task is the one
 * that the page and `eval` draw for that split and index; the chance of an episode is a function of the server's seed,
 * the task, and how often it was opened, so that a group of rollouts of one task does not share its luck.
 */
import { effectiveRule } from '../../agent/context';
import type { EnvironmentDescription, Tool } from '../../agent/env';
import { EnvironmentClient, type Split } from '../../agent/environment-client';
import { GuestEpisode } from '../../agent/episode';
import { CallReader } from '../../agent/read-action';
import type { Sandbox } from '../../agent/sandbox';
import { ToolTurns } from '../../agent/tool-turns';
import type { Task } from '../../agent/types';
import type { RunConfig } from '../../config/config';
import { bits, Purpose } from '../../lib/rng';
import { seedOf } from '../../rl/rollouts/batches';
import { observationLimit, rewardWeights } from '../../rl/rollouts/setup';
import { hermes } from '../../text/tool-formats/hermes';
import { answerTool } from './answer-tool';
import { ServedEpisode, type EpisodeRules } from './episode';
import { nameProblem } from './names';

export interface WorldOptions {
  readonly config: RunConfig;
  readonly source: string;
  readonly description: EnvironmentDescription;
  /** Its name in addresses and messages. */
  readonly name: string;
  readonly sandbox: Sandbox;
  /** Training tasks that it declares. */
  readonly tasks: number;
  readonly stepRewards: boolean;
}

/** A split as clients know it. */
export interface ServedSplit {
  readonly name: Split;
  readonly type: 'train' | 'validation' | 'test';
  /** Tasks that are declared; the list has no end. */
  readonly count: number;
}

/** A task as it is told to others, without its data, which hold the answer. A type, so that it is JSON. */
export type TaskSpec = {
  readonly split: Split;
  readonly index: number;
  readonly id: string;
  readonly tags: readonly string[];
};

/** Of the splits that are no training. */
const maxHeldOut = 256;
/** Held-out tasks are those of `eval`, for every seed of the server. */
const validationSeed = 0;
/** Tasks that are drawn in one request. */
const blockSize = 16;
/** Blocks that are kept. */
const maxBlocks = 512;

export class ServedWorld {
  readonly tools: readonly Tool[];
  readonly splits: readonly ServedSplit[];
  private readonly client: EnvironmentClient;
  private readonly rules: EpisodeRules;
  private readonly blocks = new Map<string, Promise<Task[]>>();
  private readonly opened = new Map<string, number>();

  private constructor(private readonly options: WorldOptions) {
    const { config, description, sandbox, tasks, stepRewards } = options;
    this.client = new EnvironmentClient(sandbox);
    this.tools = [...description.tools, answerTool];
    const heldOut = Math.min(maxHeldOut, tasks);
    const { outOfDistribution } = description;
    this.splits = [
      { name: 'train', type: 'train', count: tasks },
      { name: 'validation', type: 'validation', count: heldOut },
      ...(outOfDistribution === undefined
        ? []
        : [{ name: 'out-of-distribution', type: 'test', count: heldOut } as const]),
    ];
    const reader = new CallReader({ description, format: hermes, observationLimit });
    const turns = new ToolTurns({ description, sandbox, reader });
    const { maxTurns } = config.rollout;
    this.rules = { turns, reader, maxTurns, stepRewards, weights: rewardWeights({ config, description }) };
  }

  /** Loads the world into the sandbox. @throws a sentence if it cannot be served */
  static async open(options: WorldOptions): Promise<ServedWorld> {
    const { description, sandbox, source, config } = options;
    if (description.hooks?.includes('flow'))
      throw new Error(
        'A world with a flow writes the prompts of its agent, which is the trainer’s part when it is served.',
      );
    const problem = nameProblem(description);
    if (problem !== null) throw new Error(problem);
    await sandbox.load(source, config.environment.rows);
    return new ServedWorld(options);
  }

  get name(): string {
    return this.options.name;
  }

  get description(): EnvironmentDescription {
    return this.options.description;
  }

  get maxTurns(): number {
    return this.rules.maxTurns;
  }

  /** What a trainer must know to learn what is learned here. */
  notices(): string[] {
    const { description, config } = this.options;
    const rule = effectiveRule(config.context, description.hooks ?? []);
    return [
      ...(rule === 'append' ? [] : [`Prompts are the trainer’s: the context rule ${rule} is not applied.`]),
      ...(description.images ? ['This world shows images, which trainers of text (TRL, SkyRL) leave out.'] : []),
    ];
  }

  /** Undefined if there is no such split. */
  split(name: string): ServedSplit | undefined {
    return this.splits.find((each) => each.name === name);
  }

  /** @param index 0 … count − 1 */
  async task({ name }: ServedSplit, index: number): Promise<Task> {
    const first = index - (index % blockSize);
    const key = `${name} ${first}`;
    const block = this.blocks.get(key) ?? this.draw(name, first);
    this.blocks.delete(key);
    this.blocks.set(key, block);
    block.catch(() => this.blocks.delete(key));
    const [oldest] = this.blocks.keys();
    if (this.blocks.size > maxBlocks) this.blocks.delete(oldest);
    return (await block)[index - first];
  }

  /** The task without its data. */
  async spec(split: ServedSplit, index: number): Promise<TaskSpec> {
    const { id, tags = [] } = await this.task(split, index);
    return { split: split.name, index, id, tags };
  }

  /**
   * Opens an episode of the task.
   * @param replica which of its episodes this is; how often it was opened if not given
   * @throws a sentence if the environment cannot make the task or begin
   */
  async begin(split: ServedSplit, index: number, replica?: number): Promise<ServedEpisode> {
    const { config } = this.options;
    const key = `${split.name} ${index}`;
    const nth = replica ?? this.opened.get(key) ?? 0;
    if (replica === undefined) this.opened.set(key, nth + 1);
    const task = await this.task(split, index);
    const seed = bits(config.seed, Purpose.environment, this.splits.indexOf(split), index, nth);
    return ServedEpisode.begin(task, new GuestEpisode(0, task, seed, config.rollout.callFuel), this.rules);
  }

  private draw(split: Split, first: number): Promise<Task[]> {
    const { config } = this.options;
    const seed = split === 'train' ? seedOf('tasks', config) : validationSeed;
    return this.client.tasks(split, seed, first, blockSize, config.environment.options);
  }
}
