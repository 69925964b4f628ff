/** The lessons, in order. */
import { advantages } from './advantages';
import { agentAndTool } from './agent-and-tool';
import type { Lesson } from './lesson';
import { masks } from './masks';
import { ppoAndGrpo } from './ppo-and-grpo';
import { rewardHacking } from './reward-hacking';
import { rolloutsAndReward } from './rollouts-and-reward';

export const lessons = [
  agentAndTool,
  rolloutsAndReward,
  advantages,
  masks,
  ppoAndGrpo,
  rewardHacking,
] as const satisfies readonly Lesson[];
