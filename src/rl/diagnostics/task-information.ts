/**
 * The log-probabilities behind collapse.ts: each task's first action under every task's prompt, for a few tasks of the
 * batch, in one forward pass over texts × tasks rows.
 */
import type { Trajectory } from '../../agent/types';
import type { RunConfig } from '../../config/config';
import { groupMembers } from '../../algorithms/episodes/groups';
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
  config: RunConfig,
): Promise<CollapseMetrics | null> {
  const firsts = firstOfEachPrompt(trajectories).slice(0, maxTasks);
  const longestPrompt = Math.max(0, ...firsts.map(({ steps }) => steps[0].prompt.length));
  const longestAction = Math.max(0, ...firsts.map(({ steps }) => steps[0].action.tokens.length));
  if (firsts.length < 2 || longestPrompt + longestAction > learner.capacity) return null;
  const logProbs = await crossedLogProbs(firsts, learner, config);
  return collapseMetrics(logProbs, [...firsts.keys()]);
}

/** Of each group the first rollout that took a step; of those with the same prompt the first. */
function firstOfEachPrompt(trajectories: readonly Trajectory[]): Trajectory[] {
  const byPrompt = new Map<string, Trajectory>();
  for (const [i] of groupMembers(trajectories.map(({ group }) => group)).values()) {
    const [first] = trajectories[i].steps;
    if (!first) continue;
    const key = prefixKey({ tokens: first.prompt, images: first.images }, first.prompt.length);
    if (!byPrompt.has(key)) byPrompt.set(key, trajectories[i]);
  }
  return [...byPrompt.values()];
}

/** Log-probability of each trajectory's first action under each one's first prompt. [actions][prompts] */
async function crossedLogProbs(
  firsts: readonly Trajectory[],
  learner: Learner,
  { rollout, model }: RunConfig,
): Promise<number[][]> {
  const pairs = firsts.flatMap((text) => firsts.map((asked) => answering(text, asked)));
  const segments = pairs.flatMap((pair, i) => trajectorySegments(pair, i, true));
  const batch = pack(segments, { capacity: learner.capacity, aggregation: 'token-mean', lengthNorm: model.context });
  const scores = (await learner.score(batch, rollout.temperature, 'current')).map((score) => score.logProbs);
  const logProbs = firsts.map(() => firsts.map(() => 0));
  eachSite(batch, scores, (pair, _, logProb) => {
    const action = Math.floor(pair / firsts.length);
    const prompt = pair % firsts.length;
    logProbs[action][prompt] += logProb;
  });
  return logProbs;
}

/** The first step of a trajectory under the prompt of another one. */
function answering({ steps: [text], ...trajectory }: Trajectory, { steps: [asked] }: Trajectory): Trajectory {
  return { ...trajectory, steps: [{ ...text, prompt: asked.prompt, images: asked.images }] };
}
