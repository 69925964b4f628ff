/**
 * Drives any `AgentEnv` in lockstep turns: render prompts → sample all live episodes → step all live episodes. Many
 * episodes make two shifts: one is sampled while the other is in the environment. Sampled tokens are stored as sampled.
 * One loop runs one batch at a time, since its environment holds the episodes.
 */
import { assert } from '../lib/assert';
import { bits, Purpose } from '../lib/rng';
import type { ChatFormat } from '../text/chat-template';
import type { ToolFormat } from '../text/tool-formats/tool-format';
import type { Tokenizer } from '../text/tokenizer';
import type { AgentEnv, Transition } from './env';
import { seedOfEpisodes } from './episode';
import { addTerms, weightedReward, type AgentFlow, type Attempt, type FlowOptions } from './flow';
import { episodesPerBatch } from './sandbox';
import {
  isCutOff,
  type Action,
  type EndReason,
  type GuestFault,
  type Observation,
  type Policy,
  type Prompt,
  type Step,
  type Trajectory,
} from './types';

interface LiveEpisode extends GuestFault {
  /** Index in the wave: the environment's episode and the policy's slot. */
  readonly slot: number;
  readonly attempt: Attempt;
  observation: Observation;
  readonly steps: Step[];
  end?: EndReason;
  answer?: string;
  success?: boolean;
}

/** Episodes that begin together, and how they are played. */
interface Wave {
  readonly episodes: readonly LiveEpisode[];
  /** Index of the first one's attempt in the run. */
  readonly first: number;
  readonly policy: Policy;
  readonly options: FlowOptions;
}

/** Fewer episodes than this are one shift: two would sample too few rows at a time. */
const minForShifts = 64;

type Side = 'policyMs' | 'environmentMs';

export class AgentEnvLoop implements AgentFlow {
  private times = { policyMs: 0, environmentMs: 0 };
  /** Settles when the policy, or the environment, is free. */
  private readonly free: Record<Side, Promise<unknown>> = {
    policyMs: Promise.resolve(),
    environmentMs: Promise.resolve(),
  };

  constructor(
    private readonly env: AgentEnv,
    private readonly tokenizer: Tokenizer,
    private readonly format: ToolFormat,
    private readonly chatFormat: ChatFormat,
  ) {}

  /**
   * Attempts beyond the policy's slots run in further waves. An episode ends as `context-full` before a turn whose
   * prompt and token budget exceed the policy's context; if that is its first turn, it has no steps and no reward.
   */
  async run(attempts: readonly Attempt[], policy: Policy, options: FlowOptions): Promise<Trajectory[]> {
    assert(options.maxTurns > 0, () => `maxTurns is ${options.maxTurns}, expected at least 1`);
    this.times = { policyMs: 0, environmentMs: 0 };
    const trajectories: Trajectory[] = [];
    const { seed, iteration } = options.sampling;
    for (let first = 0, wave = 0; first < attempts.length; first += policy.slots, wave++) {
      // Slots are keys of the random numbers and repeat from wave to wave, so each further wave needs its own seed.
      const waveSeed = wave === 0 ? seed : bits(seed, Purpose.sample, iteration, wave);
      const waveOptions = { ...options, sampling: { ...options.sampling, seed: waveSeed } };
      const episodes = await this.runWave(attempts.slice(first, first + policy.slots), first, policy, waveOptions);
      trajectories.push(...episodes.map((episode) => toTrajectory(episode, options.rewardWeights)));
    }
    options.onTime?.({ ...this.times });
    return trajectories;
  }

  private async runWave(
    attempts: readonly Attempt[],
    first: number,
    policy: Policy,
    options: FlowOptions,
  ): Promise<LiveEpisode[]> {
    const wave = { first, policy, options, episodes: await this.begin(attempts, options) };
    const half = Math.ceil(attempts.length / 2);
    const split = attempts.length < minForShifts ? [[0]] : [[0, half], [half]];
    const shifts = split.map((range) => this.play(wave.episodes.slice(...range), wave));
    // A shift that fails must not leave the other one at work.
    await Promise.allSettled(shifts);
    await Promise.all(shifts);
    return wave.episodes;
  }

  /** Plays a shift's episodes to their end. */
  private async play(shift: readonly LiveEpisode[], { first, policy, options, episodes }: Wave): Promise<void> {
    const { sampling, maxTurns, beforeSubmit, onTurn, onEnded } = options;
    const tellEnded = () => onEnded?.(first + episodes.filter(({ end }) => end !== undefined).length);
    for (let turn = 0; turn < maxTurns; turn++) {
      const prompts = shift.flatMap((each) => this.render(each, policy.contextLength - sampling.maxTokens));
      if (prompts.length === 0) break;
      const live = prompts.map(({ slot }) => episodes[slot]);
      const sampled = await this.timed('policyMs', () => policy.sample(prompts, sampling), beforeSubmit);
      const actions = this.readActions(sampled, prompts);
      for (let from = 0; from < live.length; from += episodesPerBatch) {
        const acting = live.slice(from, from + episodesPerBatch);
        const slots = acting.map(({ slot }) => slot);
        const batch = actions.slice(from, from + episodesPerBatch);
        const transitions = await this.timed('environmentMs', () => this.env.step(slots, batch), beforeSubmit);
        acting.forEach((episode, i) => advance(episode, prompts[from + i], batch[i], transitions[i]));
        tellEnded();
      }
      onTurn?.(
        live.map(({ slot, attempt, steps }) => ({ attempt: first + slot, task: attempt.task, step: steps.at(-1)! })),
      );
    }
    for (const episode of shift) episode.end ??= 'max-turns';
    const stopped = shift.filter(({ end, steps }) => isCutOff(end) && steps.length > 0);
    for (let from = 0; from < stopped.length; from += episodesPerBatch) {
      const batch = stopped.slice(from, from + episodesPerBatch);
      await this.timed('environmentMs', () => this.finish(batch), beforeSubmit);
    }
    tellEnded();
  }

  private async begin(attempts: readonly Attempt[], { sampling, onBegin }: FlowOptions): Promise<LiveEpisode[]> {
    const { seed, iteration } = sampling;
    const tasks = attempts.map(({ task }) => task);
    const openings = await this.timed('environmentMs', () => this.env.reset(tasks, seedOfEpisodes(seed, iteration)));
    return attempts.map((attempt, slot): LiveEpisode => {
      const { messages } = openings[slot].observation;
      onBegin?.(messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])));
      const failed = openings[slot].problem !== undefined && { end: 'environment-failed' as const };
      return { slot, attempt, ...openings[slot], steps: [], ...failed };
    });
  }

  /** Does a piece of work when its side is free. @param beforeSubmit awaited first */
  private timed<T>(side: Side, work: () => Promise<T>, beforeSubmit?: () => Promise<void>): Promise<T> {
    const done = this.free[side].then(async () => {
      await beforeSubmit?.();
      const start = performance.now();
      const result = await work();
      this.times[side] += performance.now() - start;
      return result;
    });
    this.free[side] = done.catch(() => undefined);
    return done;
  }

  /** The prompt of a live episode, else none. An episode whose prompt exceeds `room` tokens ends here. */
  private render(episode: LiveEpisode, room: number): Prompt[] {
    if (episode.end) return [];
    const { messages, summary } = episode.observation;
    const rendered = this.chatFormat.render(this.tokenizer, this.format, messages);
    const tokens = [...rendered.tokens, ...this.chatFormat.replyHeader];
    if (tokens.length <= room) return [{ slot: episode.slot, ...rendered, tokens, ...summary }];
    episode.end = 'context-full';
    return [];
  }

  private readActions(sampled: readonly Action[], prompts: readonly Prompt[]): Action[] {
    const counts = `${sampled.length} actions for ${prompts.length} prompts`;
    assert(sampled.length === prompts.length, `the policy gave ${counts}`);
    return sampled.map((action) => {
      assert(action.tokens.length > 0, 'the policy sampled an action of no tokens, expected at least a stop token');
      return { ...action, text: this.chatFormat.show(action.tokens, this.tokenizer) };
    });
  }

  private async finish(stopped: readonly LiveEpisode[]): Promise<void> {
    const [slots, ends] = [stopped.map(({ slot }) => slot), stopped.map(({ end }) => end!)];
    const endings = await this.env.finish(slots, ends);
    stopped.forEach((episode, i) => {
      const { rewards, success, end, ...outcome } = endings[i];
      const last = episode.steps.pop()!;
      episode.steps.push({ ...last, rewards: addTerms(last.rewards, rewards), ...outcome });
      Object.assign(episode, { success, end });
    });
  }
}

function advance(episode: LiveEpisode, { tokens, images }: Prompt, action: Action, transition: Transition): void {
  const { observation, end, answer, success, ...outcome } = transition;
  const prompt = { prompt: tokens, ...(images && { images }) };
  episode.steps.push({ ...prompt, observation: episode.observation, action, ...outcome });
  Object.assign(episode, { observation, end, answer, success });
}

function toTrajectory(episode: LiveEpisode, weights: Readonly<Record<string, number>>): Trajectory {
  const { attempt, steps, end, answer, success = false, killed, problem } = episode;
  const { task, group } = attempt;
  const fault = { ...(killed && { killed }), ...(problem !== undefined && { problem }) };
  const reward = weightedReward(steps, weights);
  return { task, group, steps, end: end!, ...(answer !== undefined && { answer }), success, reward, ...fault };
}
