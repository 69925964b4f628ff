/** Sentences of time travel: earlier agents of a run, and branches. */
import type { SavedRun } from '../../../run/store/saved-run';
import { plural } from '../../../lib/format';
import { withStop } from '../../../lib/sentences';

const agent = (iteration: number): string =>
  iteration === 0 ? 'Agent before iteration 1' : `Agent of iteration ${iteration}`;

export const text = {
  title: 'Time travel',
  soon: 'After its first iterations you can ask earlier agents of this run, and go on from them.',
  none: 'This browser has no space for checkpoints, so there is no way back to earlier agents of this run.',
  full: 'This browser has no space for more checkpoints. The run goes on.',
  slider: 'Checkpoint',
  agent: (iteration: number, total: number) => `${agent(iteration)} of ${total}`,
  hint: 'Move the slider: an earlier agent answers, and you can go on from it with one thing changed.',
  then: 'Then',
  newest: 'Newest',
  answers: 'Answers of two agents to the same tasks',
  asking: 'The agents are answering…',
  solved: (then: Score, now: Score) =>
    then.step === now.step
      ? `${agent(now.step)} is the newest that is kept. It solves ${now.solved} of ${plural(now.of, 'task')}.`
      : `${agent(then.step)} solves ${then.solved} of ${plural(then.of, 'task')}, that of iteration ` +
        `${now.step} solves ` +
        `${now.solved}.`,
  problem: (reason: string) => `This agent could not answer: ${withStop(reason)}`,
  branch: {
    title: 'Go on from here with one thing changed',
    setting: 'Setting',
    value: 'New value',
    act: 'Branch',
    hint: 'It goes on as a new run. The run so far stays saved.',
    same: 'Choose another value than the run has.',
    over: (iteration: number) =>
      `The run ends at iteration ${iteration}: choose an earlier iteration, or more iterations.`,
    problem: (reason: string) => `The branch could not begin: ${withStop(reason)}`,
    began: (iteration: number, change: string) => (run: Pick<SavedRun, 'title' | 'iteration'>) =>
      `The run goes on from iteration ${iteration} with ${change}. The run before it is saved: ${run.title}, ` +
      `iteration ${run.iteration}.`,
    change: (title: string, value: string) => `${title} ${value}`,
  },
} as const;

/** How many tasks the agent of a step solves. */
export interface Score {
  readonly step: number;
  readonly solved: number;
  readonly of: number;
}
