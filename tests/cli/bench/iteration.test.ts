import { expect, test } from 'vitest';
import { benchIteration } from '../../../src/cli/bench/iteration';
import { presetByName } from '../../../src/config/presets';
import { testDevice } from '../../helpers/devices';

test('every phase of an iteration has its time, and no more useful positions than computed ones', async () => {
  const { config } = presetByName('bandit');
  const times = await benchIteration(await testDevice(), { ...config, evaluation: { tasks: 8, every: 2 } });
  for (const [phase, { ms, useful, computed, flop }] of Object.entries(times.phases)) {
    expect(ms, phase).toBeGreaterThan(0);
    expect(computed, phase).toBeGreaterThanOrEqual(useful);
    expect([useful > 0, flop > 0], phase).toEqual(phase === 'sandbox' ? [false, false] : [true, true]);
  }
});
