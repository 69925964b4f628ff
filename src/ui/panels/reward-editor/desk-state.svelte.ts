/** What the reward desk holds: weights and code of a reward, and an iteration's rollouts scored again under them. */
import type { RewardChange } from '../../../config/changed-reward';
import type { RunConfig } from '../../../config/config';
import { readNumber, rewardRange } from '../../../config/field-value';
import { sentenceOf } from '../../../lib/sentences';
import type { Rescoring } from '../../../rl/diagnostics/rescoring';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { TrainerClient } from '../../trainer/trainer-client';
import { text as labText } from '../../state/run/text';
import { deskGroups } from '../../../presentation/reward-desk';
import { text } from './text';

/** Rest after a key in the code before it is tried. */
const typingMs = 500;

export class DeskState {
  rollouts = $state.raw<readonly RolloutView[]>([]);
  config = $state.raw<RunConfig | undefined>();
  /** Weights that were changed. */
  weights = $state.raw<Readonly<Record<string, number>>>({});
  /** Why what was written is no weight, by its term. */
  errors = $state.raw<Readonly<Record<string, string>>>({});
  /** The code as it was edited; undefined if it was not. */
  code = $state.raw<string | undefined>();
  rescored = $state.raw<Rescoring | null>(null);
  scoring = $state(false);
  problem = $state('');
  /** Counts the beginnings, after which fields show the run's weights again. */
  begun = $state(0);

  readonly groups = $derived.by(() => (this.rescored ? deskGroups(this.rollouts, this.rescored) : []));
  readonly source = $derived.by(() => this.config && this.sourceOf(this.config));
  readonly changed = $derived.by(
    () =>
      this.code !== undefined ||
      (this.rescored?.terms.some(({ name, weight }) => (this.weights[name] ?? weight) !== weight) ?? false),
  );
  /** Why this reward cannot be trained on, whatever the run does; null if it can. */
  readonly obstacle: string | null = $derived.by(() => {
    if (Object.keys(this.errors).length > 0) return text.cannot.wrong;
    if (this.scoring) return text.cannot.scoring;
    if (this.problem) return text.cannot.broken;
    if (this.rescored?.replay?.sameTokens === false) return text.cannot.tokens;
    return this.changed ? null : text.cannot.same;
  });

  /** Counts what was asked: only the answer to the last question counts. */
  #asked = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: () => Pick<TrainerClient['api'], 'rescore'> | null,
    private readonly sourceOf: (config: RunConfig) => string | undefined,
  ) {}

  get change(): RewardChange {
    return { weights: this.weights, source: this.code };
  }

  /** Rollouts of one iteration, under the reward that they were scored with. */
  async open(rollouts: readonly RolloutView[], config: RunConfig | undefined): Promise<void> {
    this.rollouts = rollouts;
    this.config = config;
    this.rescored = null;
    await this.restore();
  }

  async restore(): Promise<void> {
    this.weights = {};
    this.errors = {};
    this.code = undefined;
    this.begun++;
    await this.#score();
  }

  write(written: string): void {
    this.code = written === this.source ? undefined : written;
    this.scoring = true;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#score(), typingMs);
  }

  async weigh(name: string, written: string): Promise<void> {
    const value = readNumber(written, { title: name, kind: 'number', ...rewardRange });
    const { [name]: _before, ...others } = this.errors;
    this.errors = typeof value === 'string' ? { ...others, [name]: value } : others;
    if (typeof value === 'string') return;
    this.weights = { ...this.weights, [name]: value };
    await this.#score();
  }

  async #score(): Promise<void> {
    clearTimeout(this.#typing);
    const question = ++this.#asked;
    this.scoring = true;
    try {
      const api = this.api();
      if (!api || !this.config) throw new Error(labText.notReady);
      const answer = await api.rescore(this.rollouts, this.config, this.change);
      if (question !== this.#asked) return;
      this.rescored = answer;
      this.problem = '';
    } catch (error) {
      if (question === this.#asked) this.problem = text.problem(sentenceOf(error));
    }
    if (question === this.#asked) this.scoring = false;
  }
}
