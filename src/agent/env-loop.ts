/**
 * Drives any `AgentEnv` in lockstep turns: render → sample all live rows → act in all live episodes → next turn. It
 * alone turns messages into prompts, and it stores what the policy sampled as sampled. It does not know what an action
 * means; that is the environment's. One loop runs one batch at a time, since its environment holds the episodes.
 */
import { assert } from '../lib/assert';
import { bits, Purpose } from '../lib/rng';
import { renderMessages, renderReplyHeader, showAction } from '../text/chat-template';
import type { ToolFormat } from '../text/tool-formats/tool-format';
import type { Tokenizer } from '../text/tokenizer';
import type { AgentEnv, Transition } from './env';
import { weightedReward, type AgentFlow, type Attempt, type FlowOptions } from './flow';
import { episodesPerBatch } from './sandbox';
import type { Action, EndReason, Observation, Policy, Prompt, Step, Trajectory } from './types';

interface Episode {
  /** Index in the wave: the environment's episode and the policy's slot. */
  readonly slot: number;
  readonly attempt: Attempt;
  observation: Observation;
  readonly steps: Step[];
  end?: EndReason;
  answer?: string;
  success: boolean;
}

export class AgentEnvLoop implements AgentFlow {
  constructor(
    private readonly env: AgentEnv,
    private readonly tokenizer: Tokenizer,
    private readonly format: ToolFormat,
  ) {}

  /**
   * Attempts beyond the policy's slots run in further waves. An episode ends as `context-full` before the first turn in
   * which prompt and token budget would pass the policy's context; if that is its first turn, it has no steps and,
   * since every reward belongs to a step, no reward.
   */
  async run(attempts: readonly Attempt[], policy: Policy, options: FlowOptions): Promise<Trajectory[]> {
    assert(options.maxTurns > 0, () => `maxTurns is ${options.maxTurns}, expected at least 1`);
    const clock = new Clock();
    const trajectories: Trajectory[] = [];
    for (let first = 0, wave = 0; first < attempts.length; first += policy.slots, wave++) {
      // Slots repeat from wave to wave and are keys of the random numbers, so each further wave needs its own seed.
      const seed =
        wave === 0
          ? options.sampling.seed
          : bits(options.sampling.seed, Purpose.sample, options.sampling.iteration, wave);
      const waveOptions = { ...options, sampling: { ...options.sampling, seed } };
      const episodes = await this.runWave(
        attempts.slice(first, first + policy.slots),
        first,
        policy,
        waveOptions,
        clock,
      );
      trajectories.push(...episodes.map((episode) => toTrajectory(episode, options.rewardWeights)));
    }
    options.onTime?.({ policyMs: clock.policyMs, environmentMs: clock.environmentMs });
    return trajectories;
  }

  private async runWave(
    attempts: readonly Attempt[],
    first: number,
    policy: Policy,
    options: FlowOptions,
    clock: Clock,
  ): Promise<Episode[]> {
    const { sampling } = options;
    const seed = bits(sampling.seed, Purpose.environment, sampling.iteration);
    const observations = await clock.environment(() =>
      this.env.reset(
        attempts.map(({ task }) => task),
        seed,
      ),
    );
    const episodes = attempts.map((attempt, slot): Episode => ({
      slot,
      attempt,
      observation: observations[slot],
      steps: [],
      success: false,
    }));
    const tellEnded = () => options.onEnded?.(first + episodes.filter(({ end }) => end !== undefined).length);
    for (let turn = 0; turn < options.maxTurns; turn++) {
      const { live, prompts } = this.render(episodes, policy.contextLength - sampling.maxTokens);
      if (live.length === 0) break;
      await options.beforeSubmit?.();
      const sampled = await clock.policy(() => policy.sample(prompts, sampling));
      const actions = this.readActions(sampled, prompts);
      for (let from = 0; from < live.length; from += episodesPerBatch) {
        if (from > 0) await options.beforeSubmit?.();
        const acting = live.slice(from, from + episodesPerBatch);
        const slots = acting.map(({ slot }) => slot);
        const transitions = await clock.environment(() =>
          this.env.step(slots, actions.slice(from, from + episodesPerBatch)),
        );
        acting.forEach((episode, i) => advance(episode, prompts[from + i].tokens, actions[from + i], transitions[i]));
        tellEnded();
      }
      options.onTurn?.(
        live.map(({ slot, attempt, steps }) => ({ attempt: first + slot, task: attempt.task, step: steps.at(-1)! })),
      );
    }
    for (const episode of episodes) episode.end ??= 'max-turns';
    const stopped = episodes.filter(
      ({ end, steps }) => (end === 'max-turns' || end === 'context-full') && steps.length > 0,
    );
    for (let from = 0; from < stopped.length; from += episodesPerBatch) {
      await options.beforeSubmit?.();
      await clock.environment(() => this.finish(stopped.slice(from, from + episodesPerBatch)));
    }
    tellEnded();
    return episodes;
  }

  /** Prompts of the episodes that go on; an episode whose prompt is longer than `room` ends here. */
  private render(episodes: readonly Episode[], room: number): { live: Episode[]; prompts: Prompt[] } {
    const live: Episode[] = [];
    const prompts: Prompt[] = [];
    for (const episode of episodes) {
      if (episode.end) continue;
      const tokens = [
        ...renderMessages(this.tokenizer, this.format, episode.observation.messages),
        ...renderReplyHeader(),
      ];
      if (tokens.length > room) {
        episode.end = 'context-full';
        continue;
      }
      live.push(episode);
      prompts.push({ slot: episode.slot, tokens });
    }
    return { live, prompts };
  }

  private readActions(sampled: readonly Action[], prompts: readonly Prompt[]): Action[] {
    assert(
      sampled.length === prompts.length,
      () => `the policy gave ${sampled.length} actions for ${prompts.length} prompts`,
    );
    return sampled.map((action) => {
      assert(action.tokens.length > 0, 'the policy sampled an action of no tokens, expected at least a stop token');
      return { ...action, text: showAction(action.tokens, this.tokenizer) };
    });
  }

  private async finish(stopped: readonly Episode[]): Promise<void> {
    const endings = await this.env.finish(
      stopped.map(({ slot }) => slot),
      stopped.map(({ end }) => end!),
    );
    stopped.forEach((episode, i) => {
      const { rewards, success, end, killed, problem } = endings[i];
      const last = episode.steps.pop()!;
      episode.steps.push({
        ...last,
        rewards: addTerms(last.rewards, rewards),
        ...(killed && { killed }),
        ...(problem && { problem }),
      });
      Object.assign(episode, { success, end });
    });
  }
}

function advance(episode: Episode, prompt: readonly number[], action: Action, transition: Transition): void {
  const { observation, rewards, toolCalls, error, killed, problem, end, answer, success } = transition;
  episode.steps.push({
    prompt,
    observation: episode.observation,
    action,
    rewards,
    toolCalls,
    ...(error && { error }),
    ...(killed && { killed }),
    ...(problem && { problem }),
  });
  episode.observation = observation;
  episode.end = end;
  episode.answer = answer;
  episode.success = success ?? false;
}

function toTrajectory(
  { attempt, steps, end, answer, success }: Episode,
  weights: Readonly<Record<string, number>>,
): Trajectory {
  return {
    task: attempt.task,
    group: attempt.group,
    steps,
    end: end!,
    ...(answer !== undefined && { answer }),
    success,
    reward: weightedReward(steps, weights),
  };
}

/** Sums of two sets of reward terms. */
function addTerms(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const sum: Record<string, number> = { ...a };
  for (const [term, value] of Object.entries(b)) sum[term] = (sum[term] ?? 0) + value;
  return sum;
}

/** Adds up the time awaited on either side. */
class Clock {
  policyMs = 0;
  environmentMs = 0;

  async policy<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.policyMs += performance.now() - start;
    return result;
  }

  async environment<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.environmentMs += performance.now() - start;
    return result;
  }
}
