/**
 * A few validation tasks that the page shows before and after training. The agent answers them greedily before the
 * first iteration, and again in each validation. Asking changes no bit of the run.
 */
import { zeroCredit } from '../algorithms/credit';
import { Evaluation } from '../rl/rollouts/evaluation';
import type { RunSetup } from '../rl/rollouts/setup';
import { rolloutView, type RolloutView } from '../rl/rollouts/view';
import type { IterationResult, Trainer } from '../rl/trainer';

/** Tasks that are tried before the first step, and how many of them are kept: unsolved ones first. */
const [askedTasks, keptTasks] = [8, 4];

/** [tasks][1 or 2]: before the first step, and at the last validation. `index` is the task's place in that. */
export type SameTasks = readonly (readonly RolloutView[])[];

/** Tries the first validation tasks with a trainer that has not trained yet. */
export async function askBefore(
  { setup, sampler }: Pick<Trainer, 'setup' | 'sampler'>,
  beforeSubmit: () => Promise<void>,
): Promise<SameTasks> {
  sampler.clearCache();
  const count = Math.min(askedTasks, setup.config.evaluation.tasks);
  const attempts = await new Evaluation(setup, count).run(sampler, { beforeSubmit });
  const views = attempts.map((_, index) => viewOf(setup, attempts, index, 0));
  const unsolvedFirst = [...views.filter(({ success }) => !success), ...views.filter(({ success }) => success)];
  return unsolvedFirst.slice(0, keptTasks).map((view) => [view]);
}

/** The same tasks with the attempts of an iteration's validation. */
export function answeredNow(
  tasks: SameTasks,
  setup: RunSetup,
  { metrics, validated }: Pick<IterationResult, 'metrics' | 'validated'>,
): SameTasks {
  return tasks.map(([before]) => [before, viewOf(setup, validated, before.index, metrics.iteration)]);
}

function viewOf(
  { config }: RunSetup,
  attempts: IterationResult['validated'],
  index: number,
  iteration: number,
): RolloutView {
  const attempt = attempts[index];
  return rolloutView(attempt, { iteration, index }, zeroCredit(attempt), config.algorithm.lossMask);
}
