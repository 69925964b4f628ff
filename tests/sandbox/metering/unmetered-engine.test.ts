/** The engine that `npm run bench` compares the metered one with. */
import { expect, test } from 'vitest';
import { readQuickJs } from '../../../src/cli/quickjs';
import { unmeteredEngine } from '../../../src/cli/bench/unmetered-engine';

test('the engine without metering differs from the published one in three counters only', async () => {
  const published = new WebAssembly.Module(await readQuickJs());
  const free = new WebAssembly.Module(unmeteredEngine(await readQuickJs()));
  const names = (module: WebAssembly.Module) =>
    WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`);
  expect(names(free)).toEqual([...names(published), 'global fuel', 'global depth', 'global depthLimit']);
  expect(WebAssembly.Module.imports(free)).toEqual(WebAssembly.Module.imports(published));
});
