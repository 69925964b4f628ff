/** Reference weights on both devices: what a pass finds, what it leaves, and what they cost. */
import { expect, test } from 'vitest';
import { Commands, Reader, readTensor, linearGrid } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, writeTensor } from '../../src/device/tensor';
import { packHalves, unpackHalves } from '../../src/lib/half';
import { ReferenceWeights } from '../../src/model/reference-weights';
import { ParameterStore } from '../../src/model/parameters';
import { parameterSpecs } from '../../src/model/transformer/shape';
import { onBothDevices, testDevice } from '../helpers/devices';
import { tinyShape } from '../helpers/tiny-model';

async function initialised(seed: number) {
  const device = await testDevice();
  const store = new ParameterStore(device, parameterSpecs(tinyShape));
  store.initialise(seed);
  const reference = new ReferenceWeights(device, store);
  await device.compiled();
  return { device, store, reference };
}

/** The store's weights as a pass over the reference's finds them: through a kernel that adds them to zeros. */
async function found({ device, store, reference }: Awaited<ReturnType<typeof initialised>>): Promise<Float32Array> {
  const tape = new Tape(device, false);
  const sum = tape.constant('sum', [store.size]);
  tape.dispatch('add', 'backward', { SIZE: store.size }, { dy: store.value, grad: sum }, linearGrid(store.size));
  const plan = tape.seal();
  await device.compiled();
  const reader = new Reader(device, sum);
  reference.run(new Commands(device), plan.forward).read(reader).submit();
  const numbers = await reader.result();
  reader.destroy();
  plan.destroy();
  return numbers;
}

const rounded = (numbers: Float32Array) => unpackHalves(packHalves(numbers));

onBothDevices(() => {
  test('a pass finds the kept weights rounded to halves; then the store has its own, and no gradient', async () => {
    const setting = await initialised(3);
    const { device, store, reference } = setting;
    const kept = await readTensor(device, store.value);
    await reference.capture();
    store.initialise(4);
    const learnt = await readTensor(device, store.value);
    const halves = rounded(kept);
    expect(await found(setting)).toEqual(halves);
    expect(reference.decode(await readTensor(device, reference.tensor))).toEqual(halves);
    expect(await readTensor(device, store.value)).toEqual(learnt);
    expect((await readTensor(device, store.gradient)).every((number) => number === 0)).toBe(true);
    expect(reference.tensor.sizeBytes, 'two bytes a parameter').toBe(store.size * 2);
    expect(kept.every((number, i) => Math.abs(halves[i] - number) <= Math.abs(number) / 2048 + 2 ** -25)).toBe(true);
    reference.destroy();
    store.destroy();
    expect(device.uncapturedError).toBeNull();
  });

  test('it reads every normal half exactly, and smaller ones so or, on a GPU, as 0', async () => {
    const device = await testDevice();
    const halves = Array.from({ length: 0x10000 }, (_, bits) => bits).filter((bits) => ((bits >> 10) & 31) !== 31);
    const words = Uint32Array.from({ length: halves.length / 2 }, (_, i) => halves[2 * i] | (halves[2 * i + 1] << 16));
    const tape = new Tape(device, false);
    const packed = createTensor(device, 'packed', [words.length], { type: 'u32' });
    const value = createTensor(device, 'value', [halves.length]);
    writeTensor(device, packed, words);
    tape.dispatch('half', 'unpack', { SIZE: halves.length }, { packed, value }, linearGrid(words.length));
    const plan = tape.seal();
    await device.compiled();
    new Commands(device).run(plan.forward).submit();
    const expected = unpackHalves(words);
    const mayBeZero = (number: number) => device.adapter.kind === 'gpu' && Math.abs(number) < 2 ** -14;
    const read = await readTensor(device, value);
    expect(read.findIndex((number, i) => number !== expected[i] && !(number === 0 && mayBeZero(expected[i])))).toBe(-1);
    plan.destroy();
  });

  test('where a weight is too large for a half, all are kept as they are, until they fit again', async () => {
    const setting = await initialised(3);
    const { device, store, reference } = setting;
    const [name] = store.specs.map((spec) => spec.name);
    const weights = await store.read(store.value);
    weights.get(name)![0] = -70000;
    store.write(store.value, weights);
    const kept = await readTensor(device, store.value);
    await reference.capture();
    store.initialise(4);
    expect(await found(setting)).toEqual(kept);
    expect(reference.decode(await readTensor(device, reference.tensor))).toEqual(kept);
    const fitting = await readTensor(device, store.value);
    await reference.capture();
    expect(await found(setting)).toEqual(rounded(fitting));
    expect(reference.tensor.sizeBytes).toBe(store.size * 2);
    reference.destroy();
    store.destroy();
  });
});
