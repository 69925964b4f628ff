/**
 * One episode of a served world: its prompt, its calls one after another, and its reward. A call is a turn, since no
 * protocol says which calls belong to one. Results are those of `ToolEnv` under the hermes format.
 */
import { addTerms, weightedReward } from '../../agent/flow';
import type { GuestEpisode } from '../../agent/episode';
import { valueProblem } from '../../agent/json-schema';
import { PlayedEpisode, type TurnLimits } from '../../agent/played-episode';
import type { CallReader, ReadAction } from '../../agent/read-action';
import type { Outcome } from '../../agent/tool-turns';
import type { Task } from '../../agent/types';
import { maxJsonDepth, nestsDeeperThan, type Json } from '../../lib/json';
import type { Image } from '../../text/image';
import { answerTool } from './answer-tool';

/** What a call came to. */
export type Reply =
  | {
      readonly kind: 'result';
      readonly text: string;
      readonly image?: Image;
      /** Null unless the call ends the episode or every step is to be rewarded. */
      readonly reward: number | null;
      readonly finished: boolean;
      readonly metadata: Readonly<Record<string, Json>> | null;
    }
  /** The call did not run, since the episode is over. */
  | { readonly kind: 'over'; readonly sentence: string }
  /** The environment failed, which ends the episode without a reward. */
  | { readonly kind: 'broken'; readonly sentence: string };

/** A call is a turn. */
export interface EpisodeRules extends TurnLimits {
  readonly reader: CallReader;
  readonly weights: Readonly<Record<string, number>>;
  /** Whether each call has its own reward; else the last one has them all. */
  readonly stepRewards: boolean;
}

/** Calls of one session that may wait for each other. */
const maxWaiting = 32;

export class TooManyCalls extends Error {}

export class ServedEpisode {
  private hasFailed = false;
  private waiting = 0;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly episode: PlayedEpisode,
    private readonly rules: EpisodeRules,
  ) {}

  /** @throws a sentence if the environment cannot begin */
  static async begin(task: Task, guest: GuestEpisode, rules: EpisodeRules): Promise<ServedEpisode> {
    return new ServedEpisode(await PlayedEpisode.begin(task, guest, rules), rules);
  }

  /** The question, and below it what the environment shows first: one text, since clients join texts differently. */
  get prompt(): string {
    const { task, opening } = this.episode;
    return opening.text === undefined ? task.prompt : `${task.prompt}\n${opening.text}`;
  }

  /** Shown beside the prompt. */
  get image(): Image | undefined {
    return this.episode.opening.image;
  }

  /** Calls that ran. */
  get stepCount(): number {
    return this.episode.steps.length;
  }

  /**
   * Calls of an episode wait for each other.
   * @throws a sentence if the sandbox failed, which ends the episode, or `TooManyCalls`
   */
  call(name: string, input: Json): Promise<Reply> {
    if (this.waiting >= maxWaiting)
      throw new TooManyCalls(`${maxWaiting} calls of this session are waiting: wait for their answers.`);
    this.waiting++;
    const reply = this.queue.then(() => this.play(name, input));
    this.queue = reply.then(
      () => this.waiting--,
      () => this.waiting--,
    );
    return reply;
  }

  private async play(name: string, input: Json): Promise<Reply> {
    if (this.hasFailed || this.episode.isOver)
      return { kind: 'over', sentence: `${name} did not run: the episode has ended and takes no calls.` };
    try {
      return this.reply(await this.episode.play(this.turnOf(name, input)));
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  private turnOf(name: string, input: Json): ReadAction {
    const { reader } = this.rules;
    const call = { name, arguments: input };
    if (nestsDeeperThan(call)) {
      const problem = `The call cannot be read. It nests deeper than ${maxJsonDepth} levels: write a flatter value.`;
      return { calls: [reader.malformed(JSON.stringify(call), problem)] };
    }
    if (name !== answerTool.name) return { calls: [reader.check(call)] };
    const problem = valueProblem(answerTool.parameters, input);
    if (problem) return { calls: [reader.failedCall(call, 'invalid-arguments', problem)] };
    return { calls: [], answer: (input as { readonly text: string }).text };
  }

  private reply(outcome: Outcome): Reply {
    const { toolCalls, end, error, success, problem } = outcome;
    const finished = end !== undefined;
    if (end === 'environment-failed')
      return { kind: 'broken', sentence: problem ?? toolCalls.at(-1)?.result ?? 'The environment failed.' };
    const call = toolCalls.at(-1);
    const { weights, stepRewards } = this.rules;
    const { steps } = this.episode;
    const rewarded = stepRewards ? steps.slice(-1) : finished ? steps : [];
    const terms = steps.slice(finished ? 0 : -1).reduce((sum, step) => addTerms(sum, step.rewards), {});
    const about: Record<string, Json> = {
      ...(error && { error }),
      ...(finished && { end, success: !!success }),
      ...(Object.keys(terms).length > 0 && { rewards: terms }),
    };
    return {
      kind: 'result',
      // Some clients write another text for an empty one.
      text: call?.result ?? (success ? 'right' : 'done'),
      ...(call?.image && { image: call.image }),
      reward: rewarded.length > 0 ? weightedReward(rewarded, weights) : null,
      finished,
      metadata: Object.keys(about).length > 0 ? about : null,
    };
  }
}
