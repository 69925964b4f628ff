/**
 * The log-probabilities behind collapse.ts: each task's first action under every task's prompt, for a few tasks of the
 * batch, in one forward pass over texts × tasks rows.
 */
import type { Step, Trajectory } from '../../agent/types';
import type { RunConfig } from '../config/config';
import { groupMembers } from '../episodes/groups';
import { prefixKey } from '../../text/image';
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
    const [first] = trajectories[i].steps;
    if (!first) continue;
    const key = prefixKey({ tokens: first.prompt, images: first.images }, first.prompt.length);
    if (!byPrompt.has(key)) byPrompt.set(key, trajectories[i]);
  }
  const firsts = [...byPrompt.values()].slice(0, maxTasks);
  const longest = (tokensOf: (step: Step) => readonly number[]) =>
    Math.max(0, ...firsts.map(({ steps }) => tokensOf(steps[0]).length));
  const { capacity } = learner;
  const needed = longest(({ prompt }) => prompt) + longest(({ action }) => action.tokens);
  if (firsts.length < 2 || needed > capacity) return null;
  const n = firsts.length;
  const pairs = firsts.flatMap((text) =>
    firsts.map(({ steps: [{ prompt, images }] }) => ({ ...text, steps: [{ ...text.steps[0], prompt, images }] })),
  );
  const segments = pairs.flatMap((pair, i) => trajectorySegments(pair, i, true));
  const batch = pack(segments, { capacity, aggregation: 'token-mean', lengthNorm: model.context });
  const scores = (await learner.score(batch, rollout.temperature, 'current')).map((score) => score.logProbs);
  const logProbs = firsts.map(() => firsts.map(() => 0));
  eachSite(batch, scores, (pair, _, logProb) => (logProbs[Math.floor(pair / n)][pair % n] += logProb));
  return collapseMetrics(logProbs, [...firsts.keys()]);
}
