/** Browsers give the bits that bits.test.ts holds Node to. */
import { expect, test } from 'vitest';
import { compileScript } from '../../src/cli/build/cpu-kernels-plugin';
import { installedBrowsers } from '../programs/engines/browsers';
import { inBrowsers } from '../programs/engines/in-browsers';
import { portableSha256 } from '../helpers/portable-bits';
import { samples, vectorMathScript } from '../helpers/vector-math';
import committed from './bits.json';
import type { EngineBits } from '../programs/cpu-bits/engine-bits';

test.for(['Chromium', 'Firefox'])('%s, with 1, 2 and 4 threads', { timeout: 300_000 }, async (name, { skip }) => {
  const browsers = installedBrowsers().filter((browser) => browser.name === name);
  if (browsers.length === 0) skip(`there is no ${name} on this machine`);
  const math = await compileScript(vectorMathScript);
  const [{ answer }] = await inBrowsers<EngineBits>('bits', { 'math.wasm': math }, browsers);
  const bits = { kernels: committed.kernels, steps: committed.steps, halves: committed.halves };
  expect(answer).toEqual({
    device: [1, 2, 4].map((threads) => ({ threads, bits })),
    vectorMath: Object.fromEntries(samples.map(({ name, points, sha256 }) => [`${name}, ${points}`, sha256])),
    portableMath: portableSha256,
  });
});
