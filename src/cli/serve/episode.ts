/**
 * One episode of a served world: its prompt, its calls one after another, and its reward. A call is a turn, since no
 * protocol says which calls belong to one. Results are those of `ToolEnv` under the hermes format.
 */
import { addTerms, weightedReward } from '../../agent/flow';
import type { GuestEpisode } from '../../agent/episode';
import { valueProblem } from '../../agent/json-schema';
import type { CallReader } from '../../agent/read-action';
import { failureSentence } from '../../agent/tool-results';
import type { Outcome, Shown, ToolTurns, Turn } from '../../agent/tool-turns';
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

export interface EpisodeRules {
  readonly turns: ToolTurns;
  readonly reader: CallReader;
  /** Calls after which an episode ends as `max-turns`. */
  readonly maxTurns: number;
  readonly weights: Readonly<Record<string, number>>;
  /** Whether each call has its own reward; else the last one has them all. */
  readonly stepRewards: boolean;
}

/** Calls of one session that may wait for each other. */
const maxWaiting = 32;

export class TooManyCalls extends Error {}

export class ServedEpisode {
  private readonly steps: { rewards: Readonly<Record<string, number>> }[] = [];
  private isOver = false;
  private waiting = 0;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly task: Task,
    private readonly guest: GuestEpisode,
    private readonly opening: Shown,
    private readonly rules: EpisodeRules,
  ) {}

  /** @throws a sentence if the environment cannot begin */
  static async begin(task: Task, guest: GuestEpisode, rules: EpisodeRules): Promise<ServedEpisode> {
    const [opening] = await rules.turns.begin([guest]);
    if ('problem' in opening) throw new Error(`The environment could not begin: ${failureSentence(opening)}`);
    return new ServedEpisode(task, guest, opening.value, rules);
  }

  /** The question, and below it what the environment shows first: one text, since clients join texts differently. */
  get prompt(): string {
    const { text } = this.opening;
    return text === undefined ? this.task.prompt : `${this.task.prompt}\n${text}`;
  }

  /** Shown beside the prompt. */
  get image(): Image | undefined {
    return this.opening.image;
  }

  /** Calls that ran. */
  get stepCount(): number {
    return this.steps.length;
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
    if (this.isOver)
      return { kind: 'over', sentence: `${name} did not run: the episode has ended and takes no calls.` };
    const { turns, maxTurns } = this.rules;
    try {
      const [outcome] = await turns.settle([{ ...this.turnOf(name, input), episode: this.guest }]);
      this.steps.push({ rewards: outcome.rewards });
      if (outcome.end !== undefined || this.steps.length < maxTurns) return this.reply(outcome);
      const [ending] = await turns.finish([this.guest], ['max-turns']);
      const last = this.steps.pop()!;
      this.steps.push({ rewards: addTerms(last.rewards, ending.rewards) });
      return this.reply({ ...outcome, ...ending });
    } catch (error) {
      this.isOver = true;
      throw error;
    }
  }

  private turnOf(name: string, input: Json): Omit<Turn, 'episode'> {
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
    this.isOver = finished;
    if (end === 'environment-failed')
      return { kind: 'broken', sentence: problem ?? toolCalls.at(-1)?.result ?? 'The environment failed.' };
    const call = toolCalls.at(-1);
    const { weights, stepRewards } = this.rules;
    const rewarded = stepRewards ? this.steps.slice(-1) : finished ? this.steps : [];
    const terms = this.steps.slice(finished ? 0 : -1).reduce((sum, step) => addTerms(sum, step.rewards), {});
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
