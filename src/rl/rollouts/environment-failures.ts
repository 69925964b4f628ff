/** When an environment fails so often that a run of it means nothing, and why it fails. */
import type { Trajectory } from '../../agent/types';

/** Episodes that the environment failed, and the most frequent reason; null if there are none. */
export function environmentFailures(
  trajectories: readonly Trajectory[],
): { readonly count: number; readonly reason: string } | null {
  const failed = trajectories.filter(({ end }) => end === 'environment-failed');
  if (failed.length === 0) return null;
  return {
    count: failed.length,
    reason: mostFrequent(failed.map(({ steps, problem }) => problem ?? steps.at(-1)?.problem ?? 'it gave no reason')),
  };
}

/** An environment that fails in most of its episodes. The same state and the same tasks would only fail again. */
export class EnvironmentUnsound extends Error {}

/**
 * Throws `EnvironmentUnsound` if the environment failed in more than half of the episodes. @param where what they
 * belong to, for the sentence
 */
export function requireSoundEpisodes(trajectories: readonly Trajectory[], where: string): void {
  const failures = environmentFailures(trajectories);
  if (failures === null || failures.count * 2 <= trajectories.length) return;
  throw new EnvironmentUnsound(
    `The environment failed in ${failures.count} of ${trajectories.length} episodes of ${where}, so the run was ` +
      `stopped. The reason, most often: ${failures.reason}`,
  );
}

export function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
