/**
 * The log-probabilities behind collapse.ts: each task's first action under every task's prompt, for a few tasks of the
 * batch, in one forward pass over texts × tasks rows.
 */
import type { Trajectory } from '../../agent/types';
import type { RunConfig } from '../config/config';
import { groupMembers } from '../episodes/groups';
import type { Learner } from '../learner/learner';
import { eachSite, pack } from '../learner/packing';
import { trajectorySegments } from '../learner/segments';
import { collapseMetrics, type CollapseMetrics } from './collapse';

const maxTasks = 8;

/** Null where fewer than two different prompts fit. The first rollout of each group is taken. */
export async function taskInformation(
  trajectories: readonly Trajectory[],
  learner: Learner,
  { rollout, model }: RunConfig,
): Promise<CollapseMetrics | null> {
  const byPrompt = new Map<string, Trajectory>();
  for (const [i] of groupMembers(trajectories.map(({ group }) => group)).values()) {
    const key = trajectories[i].steps[0]?.prompt.join();
    if (key !== undefined && !byPrompt.has(key)) byPrompt.set(key, trajectories[i]);
  }
  const firsts = [...byPrompt.values()].slice(0, maxTasks);
  const longest = (lengths: readonly number[]) => Math.max(0, ...lengths);
  const length =
    longest(firsts.map(({ steps }) => steps[0].prompt.length)) +
    longest(firsts.map(({ steps }) => steps[0].action.tokens.length));
  if (firsts.length < 2 || length > learner.length) return null;
  const n = firsts.length;
  const pairs = firsts.flatMap((text) =>
    firsts.map((task) => ({ ...text, steps: [{ ...text.steps[0], prompt: task.steps[0].prompt }] })),
  );
  const segments = pairs.flatMap((pair, i) => trajectorySegments(pair, i, true));
  const batch = pack(segments, {
    rows: learner.rows,
    length: learner.length,
    aggregation: 'token-mean',
    lengthNorm: model.context,
  });
  const scores = await learner.score(batch, rollout.temperature, 'current');
  const logProbs = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  eachSite(
    batch,
    scores.map((score) => score.logProbs),
    (segment, _, logProb) => (logProbs[Math.floor(segment / n)][segment % n] += logProb),
  );
  const own = firsts.map((_, i) => i);
  return collapseMetrics(logProbs, own);
}
