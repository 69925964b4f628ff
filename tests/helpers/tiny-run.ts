/** A run of the calculator that takes seconds on any device: one layer of width 32, twelve episodes an iteration. */
import { parseConfig, type RunConfig } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';

export function tinyRun(iterations: number, warmSteps = 6): RunConfig {
  const mini = presetByName('calculator-mini').config;
  return parseConfig({
    ...mini,
    iterations,
    model: { ...mini.model, layers: 1, width: 32, mlpWidth: 32 },
    warmStart: { ...mini.warmStart, demonstrations: 16, steps: warmSteps, batch: 8 },
    rollout: { ...mini.rollout, tasks: 3, group: 4, maxTurns: 2, maxTokens: 8 },
    evaluation: { tasks: 8, every: 2 },
  });
}
