/** Answers to the same tasks before and after learning: in which order they are shown, and which one to read. Pure. */
import type { RolloutView } from '../../../rl/rollouts/view';

/** [tasks][checkpoints]: the first is from before learning, the last the newest. */
export type Answers = readonly (readonly RolloutView[])[];

const endsSolved = (task: readonly RolloutView[]): boolean => task[task.length - 1].success;
const isLearned = (task: readonly RolloutView[]): boolean => !task[0].success && endsSolved(task);

/** Tasks that were unsolved before and are solved now come first, then those that are solved in both. */
export function learnedFirst(answers: Answers): Answers {
  const rank = (task: readonly RolloutView[]): number => (isLearned(task) ? 0 : endsSolved(task) ? 1 : 2);
  return [...answers].sort((a, b) => rank(a) - rank(b));
}

/** The solved answer to the first task of a finished run; null where that task is unsolved. */
export function solvedAnswer(answers: Answers): RolloutView | null {
  const [task] = answers;
  return task !== undefined && task.length > 1 && endsSolved(task) ? task[task.length - 1] : null;
}
