/** Built-in worlds draw themselves in 200 episodes each: within the limits, and no text leaves the picture. */
import { test } from 'vitest';
import { presets } from '../../src/config/presets';
import { expectSoundDrawings } from './drawn';

test.each(presets)('$name draws what was played, and every text is in the picture', async (preset) => {
  await expectSoundDrawings(preset, 100);
});
