/**
 * The sandbox's bars, measured by the bench's own code. Machines that run tests are shared, so what holds here are
 * ratios of one run, and absolute bars with much slack; `npm run bench -- --sandbox` on a quiet machine needs none.
 */
import { expect, test } from 'vitest';
import { benchSandbox } from '../../src/cli/bench-sandbox';
import { meterQuickJs, readQuickJs } from '../../src/cli/quickjs';
import { bundleSandboxThreads, threadWorker } from '../../src/cli/sandbox-threads';
import { unmeteredEngine } from '../../src/cli/unmetered-engine';

const slack = 10;

test('small calls, resets and calls that burn all their fuel are fast enough', { timeout: 120_000 }, async () => {
  const threads = await bundleSandboxThreads();
  const engines = { metered: await meterQuickJs(), unmetered: unmeteredEngine(await readQuickJs()) };
  const times = await benchSandbox(engines, async () => threadWorker(threads.start()));
  await threads.remove();
  expect(times.callsPerSecond.oneEpisode).toBeGreaterThan(25_000 / slack);
  // 2/3 is the bar. Both engines take turns, so what else runs falls on both, but not evenly.
  expect(times.callsPerSecond.oneEpisode / times.unmetered.oneEpisode).toBeGreaterThan(1 / 2);
  expect(times.resetUs).toBeLessThan(200 * slack);
  expect(times.resetUs).toBeLessThan((1000 * times.createMs) / 10);
  expect(times.fuelLimitedMs.call).toBeLessThan(60 * slack);
  expect(times.fuelLimitedMs.largest).toBeLessThan(500 * slack);
});

test('the engine without metering differs from the published one in three counters only', async () => {
  const published = new WebAssembly.Module(await readQuickJs());
  const free = new WebAssembly.Module(unmeteredEngine(await readQuickJs()));
  const names = (module: WebAssembly.Module) =>
    WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`);
  expect(names(free)).toEqual([...names(published), 'global fuel', 'global depth', 'global depthLimit']);
  expect(WebAssembly.Module.imports(free)).toEqual(WebAssembly.Module.imports(published));
});
