/** The algorithms a RunConfig can name. */
import type { RunConfig } from '../config';
import type { Algorithm } from './algorithm';
import { grpo } from './grpo';

export const algorithms: Readonly<Record<RunConfig['algorithm']['name'], (config: RunConfig['algorithm']) => Algorithm>> = { grpo };
