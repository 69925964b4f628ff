/** AdamW on the CPU, where subnormal numbers are a hundred times slower than others: moments avoid them. */
import { expect, test } from 'vitest';
import { Commands } from '../../src/device/commands';
import { AdamW } from '../../src/model/adamw';
import { ParameterStore } from '../../src/model/parameters';
import { cpuDevice } from '../helpers/devices';

test('moments below 1e-30 become 0, others decay, and a NaN stays', async () => {
  const device = await cpuDevice();
  const store = new ParameterStore(device, [{ name: 'w', part: 'mlp', shape: [8, 8], init: { constant: 1 } }]);
  store.initialise(1);
  const optimizer = new AdamW(device, store);
  optimizer.configure({ rate: 0.1, beta1: 0.5, beta2: 0.5, epsilon: 1e-8, weightDecay: 0, clip: 1 });
  const before = [4e-30, -4e-30, 1.9e-30, -1.9e-30, 1e-38, NaN, 0, 1];
  const moments = new Map([['w', Float32Array.from({ length: 64 }, (_, i) => before[i % 8])]]);
  store.write(store.first, moments);
  store.write(store.second, new Map([['w', moments.get('w')!.map(Math.abs)]]));
  new Commands(device).run(optimizer.dispatches).submit();
  const after = [2e-30, -2e-30, 0, 0, 0, NaN, 0, 0.5].map(Math.fround);
  const first = (await store.read(store.first)).get('w')!;
  const second = (await store.read(store.second)).get('w')!;
  expect([...first.subarray(0, 8)].map((m) => m + 0)).toEqual(after);
  expect([...second.subarray(56)]).toEqual(after.map(Math.abs));
  optimizer.destroy();
  store.destroy();
});
