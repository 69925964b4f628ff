/** Learning-rate schedules: a linear warm-up to the peak, then constant, or down to a tenth of the peak at the end. */
import { cosPi } from '../../lib/portable-math';
import type { RunConfig } from '../../config/config';

export type RateSchedule = Pick<RunConfig['optimizer'], 'learningRate' | 'schedule' | 'warmup'>;

const floor = 0.1;

/** The run extended by `more` iterations: the rate is the same up to its old end, and constant after it. */
export function extended(config: RunConfig, more: number): RunConfig {
  const { iterations, optimizer } = config;
  return { ...config, iterations: iterations + more, optimizer: { ...optimizer, span: optimizer.span || iterations } };
}

/**
 * The learning rate of one step.
 * @param step from 1 to `steps`, as iterations are counted
 */
export function learningRateAt({ learningRate, schedule, warmup }: RateSchedule, step: number, steps: number): number {
  if (step <= warmup) return (learningRate * step) / warmup;
  const progress = Math.min(1, (step - warmup) / Math.max(1, steps - warmup));
  switch (schedule) {
    case 'constant':
      return learningRate;
    case 'linear':
      return learningRate * (1 - (1 - floor) * progress);
    case 'cosine':
      return learningRate * (floor + ((1 - floor) * (1 + cosPi(progress))) / 2);
  }
}

/**
 * The policy's learning rate in an iteration of reinforcement, from 1.
 * @param alone iterations before it in which the critic learned alone; the policy's schedule leaves them out
 */
export const reinforcementRate = ({ optimizer, iterations }: RunConfig, iteration: number, alone = 0): number =>
  learningRateAt(optimizer, iteration - alone, (optimizer.span || iterations) - alone);

/** Explained variance from which on a critic needs no more warm-up. */
const warmEnough = 0.3;

/**
 * Whether an iteration trains the critic alone: the policy has not learned yet, the warm-up has iterations left, and
 * the critic does not explain enough.
 * @param iteration from 1
 * @param alone iterations before it in which the critic learned alone
 * @param explained variance of this iteration's returns that the critic explains; null where none is defined
 */
export const criticLearnsAlone = (
  { critic }: RunConfig,
  iteration: number,
  alone: number,
  explained: number | null,
): boolean => alone === iteration - 1 && alone < critic.warmup && (explained ?? 0) < warmEnough;
