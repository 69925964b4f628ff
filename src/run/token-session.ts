/** Scores the tokens of a rollout with the agent's current weights, one rollout at a time, also while training runs. */
import type { Device } from '../device/device';
import { explainTokens, type Explanation } from '../rl/diagnostics/token-explanation';
import { readTemplate, type TemplateReading } from '../rl/diagnostics/template-reading';
import { TokenReader } from '../rl/learner/token-reader';
import type { RolloutView } from '../rl/rollouts/view';
import { viewSteps } from '../rl/rollouts/view-steps';
import type { Trainer } from '../rl/trainer';
import { Lazy } from './lazy';

/** An explanation by the agent of a moment. */
export interface CurrentExplanation extends Explanation {
  /** Steps that the agent had finished. */
  readonly after: number;
  /** Its weights may have changed meanwhile, by the update of the next step. */
  readonly updating: boolean;
}

export class TokenSession {
  private readonly reader = new Lazy(() => this.open());
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly device: Device,
    private readonly trainer: Trainer,
  ) {}

  /** Rejects with a sentence if the rollout cannot be read. */
  explain(rollout: RolloutView): Promise<CurrentExplanation> {
    const explanation = this.last.then(() => this.read(rollout));
    this.last = explanation.catch(() => undefined);
    return explanation;
  }

  /** What the model's own chat template makes of a rollout; null for a model without one. */
  readTemplate(rollout: RolloutView): TemplateReading | null {
    return readTemplate(rollout, this.trainer.setup.model.chatFormat);
  }

  private async read(rollout: RolloutView): Promise<CurrentExplanation> {
    const { device, trainer } = this;
    const { config, model } = trainer.setup;
    try {
      const reader = await this.reader.get();
      const { iteration: after } = trainer.progress;
      const began = trainer.isBetweenUpdates;
      const readings = await reader.read(viewSteps(rollout, model.tokenizer.image), config.rollout.temperature);
      const updating = !began || !trainer.isBetweenUpdates || trainer.progress.iteration !== after;
      const template = this.readTemplate(rollout);
      return { ...explainTokens(rollout, config, readings), template, after, updating };
    } catch (error) {
      throw await device.causeOf(error);
    }
  }

  private open(): Promise<TokenReader> {
    const { device, trainer } = this;
    const { setup, store, learner } = trainer;
    return device.guarded('the numbers of a token', async () => {
      const reader = new TokenReader(device, store, learner.reference, setup.model, setup.config.model.context);
      await device.compiled();
      return reader;
    });
  }

  /** Waits for the current reading, then frees the memory. */
  async close(): Promise<void> {
    await this.last;
    (await this.reader.existing())?.destroy();
  }
}
