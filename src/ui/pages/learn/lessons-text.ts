/** The lessons, in order. */
import type { Lesson } from './lesson';
import { advantages } from './lessons/advantages';
import { agentAndTool } from './lessons/agent-and-tool';
import { masks } from './lessons/masks';
import { ppoAndGrpo } from './lessons/ppo-and-grpo';
import { rewardHacking } from './lessons/reward-hacking';
import { rolloutsAndReward } from './lessons/rollouts-and-reward';

export const text = [
  agentAndTool,
  rolloutsAndReward,
  advantages,
  masks,
  ppoAndGrpo,
  rewardHacking,
] as const satisfies readonly Lesson[];
