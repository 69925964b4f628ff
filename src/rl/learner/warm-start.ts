/**
 * Warm start: imitation of scripted demonstrations by cross-entropy, so that reinforcement begins with an agent that
 * can call tools. Batches and their order are functions of the seed.
 */
import { isCutOff, type Trajectory } from '../../agent/types';
import { quoted } from '../../lib/plain-text';
import { permutation, Purpose } from '../../lib/rng';
import type { RunConfig } from '../../config/config';
import { readRounds } from '../../config/rounds';
import { requireSoundEpisodes } from '../rollouts/environment-failures';
import { taughtTrajectory } from '../rollouts/rounds';
import { firstDemonstration, scriptedTrajectories } from '../rollouts/scripted';
import type { RunSetup } from '../rollouts/setup';
import type { Learner } from './learner';
import { pack } from './packing';
import { learningRateAt } from './schedule';
import { demonstrationSegments } from './segments';

/** Of the demonstrations: the best of four shares tried on one seed of calculator-mini, with 5 rounds and with 20. */
const taughtShare = 0.1;
/** Steps between two losses reported. */
const reportEvery = 10;

export interface WarmStartHooks {
  /** Awaited between steps and between batches of the sandbox; pausing and aborting hook in here. */
  readonly beforeSubmit: () => Promise<void>;
  /** Called synchronously when a step is submitted: later readbacks include it. */
  readonly onStep: (done: number, total: number) => void;
  /** Mean loss since the last report (null if every update was skipped), skipped updates, and the current rate. */
  readonly onReport: (step: number, loss: number | null, skipped: number, rate: number) => void;
  /** Which demonstrations to imitate; all if not given. */
  readonly imitates?: (demonstration: Trajectory) => boolean;
}

/** Trains the learner's weights in place, if the config has a warm start. @param from steps done already */
export async function warmStart(setup: RunSetup, learner: Learner, from: number, hooks: WarmStartHooks): Promise<void> {
  const { config } = setup;
  const { demonstrations, steps, learningRate } = config.warmStart;
  if (demonstrations === 0 || steps === 0) return;
  const taught = await taughtTrajectories(setup, hooks.beforeSubmit);
  const tasks = await setup.client.tasks(
    'train',
    config.seed,
    firstDemonstration,
    demonstrations,
    config.environment.options,
    hooks.beforeSubmit,
  );
  const demonstrated = await scriptedTrajectories(setup, tasks, undefined, hooks.beforeSubmit);
  requireSoundEpisodes(demonstrated, 'the demonstrations');
  const chosen = hooks.imitates ? demonstrated.filter(hooks.imitates) : demonstrated;
  if (chosen.length === 0) throw new Error('None of the demonstrations is one to imitate.');
  requireWholeEpisodes(chosen, config);
  const trajectories = [...chosen, ...repeated(taught, chosen.length)];
  const schedule = imitationSchedule(learningRate, steps);
  const passes = { seed: config.seed, batch: config.warmStart.batch };
  hooks.onStep(from, steps);
  let running = Promise.resolve();
  for (let step = from + 1; step <= steps; step++) {
    await hooks.beforeSubmit();
    const rate = learningRateAt(schedule, step, steps);
    imitate(learner, imitationBatch(trajectories, passes, step - 1), config, rate);
    hooks.onStep(step, steps);
    // One step runs while the next is packed; further ahead, the count would run ahead of the GPU and then stand still.
    await running;
    running = learner.device.idle();
    // That the device is lost is told by the next readback.
    running.catch(() => undefined);
    if (step % reportEvery === 0 || step === steps) {
      const { sites, loss, skipped } = await learner.report();
      hooks.onReport(step, sites > 0 ? loss : null, skipped, rate);
    }
  }
}

/** The rounds that a person played. @throws a sentence that names the first that cannot teach */
async function taughtTrajectories(setup: RunSetup, beforeSubmit: () => Promise<void>): Promise<Trajectory[]> {
  const trajectories: Trajectory[] = [];
  for (const [i, round] of readRounds(setup.config.warmStart.rounds).entries()) {
    await beforeSubmit();
    try {
      trajectories.push(await taughtTrajectory(setup, round));
    } catch (error) {
      const reason = (error as Error).message;
      throw new Error(`Round ${i + 1} of warmStart.rounds cannot teach: ${reason}`, { cause: error });
    }
  }
  return trajectories;
}

/** Few rounds would drown in thousands of demonstrations, so they are repeated. */
function repeated(taught: readonly Trajectory[], count: number): Trajectory[] {
  const times = taught.length === 0 ? 0 : Math.max(1, Math.floor((taughtShare * count) / taught.length));
  return Array.from({ length: times }, () => taught).flat();
}

/** One optimizer step of cross-entropy on whole trajectories. */
export function imitate(learner: Learner, trajectories: readonly Trajectory[], config: RunConfig, rate: number): void {
  const { capacity } = learner;
  const segments = trajectories.flatMap(demonstrationSegments);
  const batch = pack(segments, { capacity, aggregation: 'token-mean', lengthNorm: config.model.context });
  learner.imitationStep(batch, optimizerSettings(config, rate));
}

/** A truncated demonstration would teach the agent to stop early. */
export function requireWholeEpisodes(trajectories: readonly Trajectory[], { rollout, model }: RunConfig): void {
  const cut = trajectories.find(({ end }) => isCutOff(end));
  if (!cut) return;
  const limit =
    cut.end === 'max-turns'
      ? `takes more turns, with its answer, than rollout.maxTurns allows (${rollout.maxTurns})`
      : `leaves no room for a turn of rollout.maxTokens (${rollout.maxTokens}) in a context of model.context ` +
        `(${model.context}) tokens`;
  throw new Error(
    `The demonstration of ${quoted(cut.task.prompt, 60)} ${limit}: allow more, or demonstrate shorter episodes.`,
  );
}

export function optimizerSettings({ optimizer }: RunConfig, rate: number) {
  const { beta1, beta2, weightDecay, gradientClip } = optimizer;
  return { rate, beta1, beta2, epsilon: 1e-8, weightDecay, clip: gradientClip };
}

/** Learning rates of imitation: a short warm-up, then half a cosine. */
export const imitationSchedule = (learningRate: number, steps: number) =>
  ({ learningRate, schedule: 'cosine', warmup: Math.min(20, Math.ceil(steps / 10)) }) as const;

/** Batch number `index` of an endless list of shuffled passes over the trajectories. */
export function imitationBatch(
  trajectories: readonly Trajectory[],
  { seed, batch }: { readonly seed: number; readonly batch: number },
  index: number,
): Trajectory[] {
  const perPass = Math.max(1, Math.floor(trajectories.length / batch));
  const order = permutation(trajectories.length, seed, Purpose.demonstration, Math.floor(index / perPass));
  const start = (index % perPass) * batch;
  return [...order.slice(start, start + batch)].map((i) => trajectories[i]);
}
