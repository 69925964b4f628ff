/** Two rollouts that tell what was learned: an early one that fails and a late one that succeeds. */
import type { RolloutView } from '../../rl/rollouts/view';

interface BeforeAfter {
  readonly before: RolloutView;
  readonly after: RolloutView;
}

/**
 * The early rollout comes from the first tenth of the iterations at hand and the late one from the last tenth; a task
 * that both met is preferred. Null unless late rollouts succeed more often than early ones: one lucky answer is no
 * learning.
 */
export function beforeAfter(rollouts: readonly RolloutView[]): BeforeAfter | null {
  if (rollouts.length === 0) return null;
  const iterations = rollouts.map((rollout) => rollout.iteration);
  const first = Math.min(...iterations);
  const last = Math.max(...iterations);
  if (last <= first) return null;
  const margin = Math.floor((last - first) / 10);
  const early = rollouts.filter((rollout) => rollout.iteration <= first + margin);
  const late = rollouts.filter((rollout) => rollout.iteration >= last - margin);
  if (successShare(late) <= successShare(early)) return null;
  const failures = early.filter((rollout) => !rollout.success);
  const successes = late.filter((rollout) => rollout.success).sort((a, b) => callsOf(b) - callsOf(a));
  for (const after of successes) {
    const before = failures.find((rollout) => rollout.prompt === after.prompt);
    if (before) return { before, after };
  }
  return failures.length > 0 && successes.length > 0 ? { before: failures[0], after: successes[0] } : null;
}

const successShare = (rollouts: readonly RolloutView[]): number =>
  rollouts.filter((rollout) => rollout.success).length / rollouts.length;

const callsOf = (rollout: RolloutView): number =>
  rollout.steps.flatMap(({ toolCalls }) => toolCalls).filter(({ error }) => error === undefined).length;
