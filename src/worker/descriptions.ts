/**
 * Describes and checks environments, and plays rollouts again under other code, in a sandbox of one worker that no run
 * uses. Each is described once; requests run one at a time, because loading an environment replaces the one before.
 */
import { canDraw, type Drawing } from '../agent/drawing';
import type { EnvironmentDescription } from '../agent/env';
import { EnvironmentClient } from '../agent/environment-client';
import type { Sandbox } from '../agent/sandbox';
import { withReward, type RewardChange } from '../config/changed-reward';
import { parseConfig, type RunConfig } from '../config/config';
import { environmentSource } from '../config/environment-source';
import { sentenceOf } from '../lib/sentences';
import { drawRollouts, type DrawnRollout } from '../rl/diagnostics/drawn-rollouts';
import { rescoreRollouts, type Rescoring } from '../rl/diagnostics/rescoring';
import { replayRollouts } from '../rl/diagnostics/rollout-replay';
import { playRound, taughtTrajectory, type Round, type RoundView } from '../rl/rollouts/rounds';
import { prepareRun, type OpenModel } from '../rl/rollouts/setup';
import type { RolloutView } from '../rl/rollouts/view';
import { checkEnvironment } from '../environment-check/check';
import { measureEnvironment, type MeasureSize } from '../environment-check/measure';
import type { EnvironmentReport } from '../environment-check/report';

/** Small: a person waits for it. */
const measured: MeasureSize = { episodes: 20, tasks: 64 };

export class Descriptions {
  private readonly asked = new Map<string, Promise<EnvironmentDescription>>();
  private last: Promise<unknown> = Promise.resolve();
  private sandbox: Promise<Sandbox> | null = null;

  constructor(
    private readonly open: () => Promise<Sandbox>,
    private readonly openModel: OpenModel,
  ) {}

  /** Runs the module in the sandbox. Rejects with a sentence. @param source of the module */
  of(source: string): Promise<EnvironmentDescription> {
    const known = this.asked.get(source);
    if (known) return known;
    const description = this.inTurn(async (sandbox) => {
      await sandbox.load(source);
      return new EnvironmentClient(sandbox).describe();
    });
    description.catch(() => this.asked.delete(source));
    this.asked.set(source, description);
    return description;
  }

  /** The description if it was requested before, else null: a stranger's code runs only after a person's press. */
  async known(source: string): Promise<EnvironmentDescription | null> {
    return (await this.asked.get(source)?.catch(() => null)) ?? null;
  }

  /** Plays and measures the environment of a config. Rejects with a sentence if it cannot be loaded. */
  check(config: RunConfig): Promise<EnvironmentReport> {
    return this.inTurn(async (sandbox) => {
      const report = await checkEnvironment(config, sandbox);
      return { ...report, lines: [...report.lines, ...(await measureEnvironment(config, sandbox, measured))] };
    });
  }

  /** The config with another reward. Rejects with a sentence if the module cannot be loaded. */
  async withReward(config: RunConfig, change: RewardChange): Promise<RunConfig> {
    const description = await this.of(change.source ?? environmentSource(config));
    return parseConfig(withReward(config, change, description));
  }

  /**
   * Rollouts of one iteration of a run under another reward. Other code plays them again. Rejects with a sentence if
   * its module cannot be used.
   */
  async rescore(rollouts: readonly RolloutView[], config: RunConfig, change: RewardChange): Promise<Rescoring> {
    const { weights, source } = change;
    const logged = { rollouts, description: await this.of(environmentSource(config)) };
    if (source === undefined) return rescoreRollouts(logged, config, weights);
    const changed = await this.withReward(config, change);
    return this.inTurn(async (sandbox) => {
      const before = await prepareRun(config, environmentSource(config), sandbox, this.openModel);
      const setup = await prepareRun(changed, source, sandbox, this.openModel);
      const { parted, failures, rollouts: played } = await replayRollouts(setup, rollouts);
      const [tokens, newTokens] = [before, setup].map(({ model }) => JSON.stringify(model.tokenizer.toJson()));
      return {
        ...rescoreRollouts(logged, config, weights, { rollouts: played, description: setup.description }),
        replay: { parted, failures, sameTokens: tokens === newTokens },
      };
    });
  }

  /** Scenes of each rollout; null if the environment draws none. Rejects with a sentence if it cannot be loaded. */
  async draw(rollouts: readonly DrawnRollout[], config: RunConfig): Promise<readonly Drawing[] | null> {
    const source = environmentSource(config);
    const description = await this.of(source);
    if (!canDraw(description)) return null;
    return this.inTurn(async (sandbox) => {
      await sandbox.load(source, config.environment.rows);
      return drawRollouts({ config, description, sandbox }, rollouts);
    });
  }

  /**
   * A visitor's round as far as it was played. One that solved its task and still cannot teach has the reason as its
   * problem. Rejects with a sentence if the environment cannot be played.
   */
  async play(round: Round, config: RunConfig): Promise<RoundView> {
    const source = environmentSource(config);
    const description = await this.of(source);
    return this.inTurn(async (sandbox) => {
      await sandbox.load(source, config.environment.rows);
      const view = await playRound({ config, description, sandbox }, round);
      if (round.split === 'validation' || !view.success || view.problem !== null) return view;
      const setup = await prepareRun(config, source, sandbox, this.openModel);
      const taught = taughtTrajectory(setup, { task: round.index, turns: [...round.turns] });
      return { ...view, problem: await taught.then(() => null, sentenceOf) };
    });
  }

  private inTurn<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const done = this.last.then(() => this.inSandbox(work));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async inSandbox<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    this.sandbox ??= this.open();
    try {
      return await work(await this.sandbox);
    } catch (error) {
      const failed = this.sandbox;
      this.sandbox = null;
      void failed.then(
        (sandbox) => sandbox.dispose(),
        () => undefined,
      );
      throw error;
    }
  }
}
