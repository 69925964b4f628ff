/**
 * Fuel of requests for tasks. Validation tasks take four draws on average, and some take many more: a list of a
 * thousand has requests that burn much more than the first one does.
 */
import { describe, expect, test } from 'vitest';
import { EnvironmentClient, tasksPerRequest, type Split } from '../../src/agent/environment-client';
import { fuelLimits } from '../../src/agent/sandbox';
import { presets } from '../../src/config/presets';
import { builtInEnvironments } from '../../src/environments/built-in';
import { emptySandbox } from './own';

describe.each(presets)('$name', ({ config }) => {
  test('no request for tasks burns half of its fuel', { timeout: 300_000 }, async () => {
    const sandbox = await emptySandbox();
    await sandbox.load(builtInEnvironments[config.environment.name]);
    const { outOfDistribution, options } = await new EnvironmentClient(sandbox).describe();
    const splits: Split[] = ['train', 'validation', ...(outOfDistribution ? ['out-of-distribution' as const] : [])];
    const mostFuel = async (split: Split, count: number, changed: Record<string, string | number> = {}) => {
      let most = 0;
      for (let start = 0; start < count; start += tasksPerRequest) {
        const args = {
          split,
          seed: 0,
          start,
          count: tasksPerRequest,
          options: { ...config.environment.options, ...changed },
        };
        const [{ fuel }] = await sandbox.call([{ episode: 0, seed: 0, method: 'tasks', args }]);
        most = Math.max(most, fuel);
      }
      return most / fuelLimits.request;
    };
    for (const split of splits)
      expect(await mostFuel(split, split === 'validation' ? 1000 : 200), split).toBeLessThan(0.5);
    for (const { name, values } of options)
      for (const value of values) expect(await mostFuel('validation', 100, { [name]: value })).toBeLessThan(0.5);
  });
});
