/**
 * An episode that is played turn by turn by somebody who samples no tokens: a client of the server, or a visitor of the
 * page. Calls are settled by `ToolTurns`, as the agent's are, and the episode ends at the same limit of turns.
 */
import type { GuestEpisode } from './episode';
import { addTerms } from './flow';
import type { ReadAction } from './read-action';
import type { Sandbox } from './sandbox';
import { readScene, type Scene } from './scene';
import { failureSentence, type Reading } from './tool-results';
import type { Outcome, Shown, ToolTurns } from './tool-turns';
import type { Task } from './types';

export interface TurnLimits {
  readonly turns: ToolTurns;
  /** Turns after which an episode ends as `max-turns`. */
  readonly maxTurns: number;
}

export class PlayedEpisode {
  readonly #steps: Outcome[] = [];

  private constructor(
    readonly task: Task,
    private readonly guest: GuestEpisode,
    /** What the environment shows behind the question. */
    readonly opening: Shown,
    private readonly limits: TurnLimits,
  ) {}

  /** @throws a sentence if the environment cannot begin */
  static async begin(task: Task, guest: GuestEpisode, limits: TurnLimits): Promise<PlayedEpisode> {
    const [opening] = await limits.turns.begin([guest]);
    if ('problem' in opening) throw new Error(`The environment could not begin: ${failureSentence(opening)}`);
    return new PlayedEpisode(task, guest, opening.value, limits);
  }

  /** What the turns came to; the last one has the rewards of the episode's end. */
  get steps(): readonly Outcome[] {
    return this.#steps;
  }

  get isOver(): boolean {
    return this.#steps.at(-1)?.end !== undefined;
  }

  async play(action: ReadAction): Promise<Outcome> {
    const { turns, maxTurns } = this.limits;
    const [outcome] = await turns.settle([{ ...action, episode: this.guest }]);
    const isLast = outcome.end === undefined && this.#steps.length + 1 >= maxTurns;
    const step = isLast ? await this.atLimit(outcome) : outcome;
    this.#steps.push(step);
    return step;
  }

  /** A picture of the episode as it is. */
  async draw(sandbox: Sandbox): Promise<Reading<Scene>> {
    const { end, answer, success } = this.#steps.at(-1) ?? {};
    const rewards = this.#steps.reduce((sum, step) => addTerms(sum, step.rewards), {});
    const ending = { answer: answer ?? null, success: end === undefined ? null : !!success };
    const [verdict] = await sandbox.call([this.guest.draw({ ...ending, rewards })]);
    return readScene(verdict);
  }

  private async atLimit(outcome: Outcome): Promise<Outcome> {
    const [ending] = await this.limits.turns.finish([this.guest], ['max-turns']);
    return { ...outcome, ...ending, rewards: addTerms(outcome.rewards, ending.rewards) };
  }
}
