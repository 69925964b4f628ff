/** Gradient norms by part of the model, on both devices. */
import { expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { GradientNorms } from '../../src/model/gradient-norms';
import { ParameterStore } from '../../src/model/parameters';
import { parameterSpecs } from '../../src/model/transformer/shape';
import { onBothDevices, testDevice } from '../helpers/devices';
import { tinyShape } from '../helpers/tiny-model';

// Widths that 64 does not divide leave room between parameters.
const shape = { ...tinyShape, width: 36, mlpWidth: 50, tied: false };

onBothDevices(() => {
  test('the squares of the parts add up to that of the whole; a number that is not finite gives null', async () => {
    const device = await testDevice();
    const store = new ParameterStore(device, parameterSpecs(shape));
    store.initialise(5);
    const norms = new GradientNorms(device, store);
    await device.compiled();
    new Commands(device).copy(store.value, store.gradient).submit();
    const measure = () => {
      new Commands(device).run(norms.dispatches).read(norms.reader).submit();
      return norms.result();
    };
    const parts = (await measure())!;
    const expected = (await readTensor(device, store.gradient)).reduce((sum, g) => sum + g * g, 0);
    const found = Object.values(parts).reduce((sum, norm) => sum + norm ** 2, 0);
    expect(Object.keys(parts).sort()).toEqual(['attention', 'embedding', 'head', 'mlp', 'norms']);
    expect(Math.abs(found / expected - 1)).toBeLessThan(1e-5);
    const [weights] = store.split(await readTensor(device, store.gradient)).get('tok_emb')!;
    expect(parts.embedding).toBeGreaterThan(Math.abs(weights));
    store.write(store.gradient, store.split(new Float32Array(store.size).fill(Infinity)));
    expect(await measure()).toBeNull();
    norms.destroy();
    store.destroy();
  });
});
