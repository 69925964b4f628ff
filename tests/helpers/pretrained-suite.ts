/**
 * Llama, Qwen2 and Qwen3 against the numbers of tests/vectors/pretrained, on the device of the suite: logits, losses,
 * traces and greedy answers of the base, and what an adapter changes, its gradients and two AdamW steps.
 */
import { describe, expect, test } from 'vitest';
import { Commands } from '../../src/device/commands';
import { AdamW } from '../../src/model/adamw';
import type { LoraSettings } from '../../src/model/llama/layers';
import { readAdapter, writeAdapter } from '../../src/model/llama/peft';
import { bytesInMemory } from '../../src/lib/byte-source';
import { openSafetensors } from '../../src/lib/stored-tensors';
import { expectClose } from './check-op';
import { testDevice } from './devices';
import { greedy, loadedModel, shapeOf, VectorBatch } from './llama';
import { pretrainedVectors, type PretrainedVectors } from './pretrained';

const models = pretrainedVectors();

/** Not null at the same places, and close there. */
function expectLogProbs(got: readonly (number | null)[], expected: (number | null)[][], absolute: number): void {
  const wanted = expected.flat();
  expect(got.map((logProb) => logProb === null)).toEqual(wanted.map((logProb) => logProb === null));
  const numbers = (all: readonly (number | null)[]) => all.filter((logProb) => logProb !== null);
  expectClose('log_probs', numbers(got), numbers(wanted), { absolute, relative: 0 });
}

type Shape = Awaited<ReturnType<typeof shapeOf>>;

/** Where the pass keeps what the vectors trace: name and how many of that name come before, first number and count. */
function tracePlaces(shape: Shape): Record<string, [string, number, number, number]> {
  const { heads: H, kvHeads: Hk, headSize: E, width: D, layers, qkNorm } = shape;
  const qkv = 'model.layers.0.self_attn.qkv_proj';
  const rotated = qkNorm ? 'normed heads' : qkv;
  const after = Array.from({ length: layers }, (_, i) => [
    `after_layer${i}`,
    [`model.layers.${i}.mlp.down_proj`, 0, 0, D],
  ]);
  return {
    embedding: ['embedded', 0, 0, D],
    'layer0.input_layernorm': ['normed', 0, 0, D],
    // Where heads are not normalised, rotation replaces queries and keys in place.
    ...(qkNorm && { 'layer0.q_proj': [qkv, 0, 0, H * E], 'layer0.k_proj': [qkv, 0, H * E, Hk * E] }),
    'layer0.v_proj': [qkv, 0, (H + Hk) * E, Hk * E],
    'layer0.q_rotary': [rotated, 0, 0, H * E],
    'layer0.k_rotary': [rotated, 0, H * E, Hk * E],
    'layer0.attention': ['attention', 0, 0, H * E],
    'layer0.after_attention': ['model.layers.0.self_attn.o_proj', 0, 0, D],
    ...Object.fromEntries(after),
    norm: ['normed', 2 * layers, 0, D],
  };
}

export function pretrainedSuite(): void {
  test('there are models', () => expect(models.length).toBeGreaterThan(0));

  describe.each(models)('$name', (vectors) => {
    const { expected } = vectors;
    const { tolerance } = expected;

    test('logits, log-probs, loss and trace of the base', async () => {
      const device = await testDevice();
      const { shape, network, store } = await loadedModel(device, vectors);
      const batch = new VectorBatch(device, network, store, vectors);
      await device.compiled();
      const { logits, logProbs, loss } = await batch.run();
      const wanted = expected.logits.flatMap(({ data }: { data: number[] }) => data);
      expectClose('logits', logits, wanted, { absolute: tolerance.logits, relative: 0 });
      expectLogProbs(logProbs, expected.log_probs, tolerance.log_probs);
      expect(Math.abs(loss - expected.loss)).toBeLessThan(tolerance.loss);
      const { sequence, position, ...trace } = expected.trace;
      const before = expected.sequences.slice(0, sequence).flat().length;
      const places = tracePlaces(shape);
      const seen = Object.keys(trace).filter((name) => name in places);
      expect(seen.length).toBe(Object.keys(places).length);
      for (const name of seen) {
        const [activation, index, first, count] = places[name];
        // Behind the last attention there are rows of sites only, which are all rows here.
        const row = await batch.traced(activation, before + position, index);
        const close = { absolute: tolerance.trace, relative: 0 };
        expectClose(name, row.slice(first, first + count), trace[name].data, close);
      }
      expect(device.uncapturedError).toBeNull();
      batch.destroy();
      store.destroy();
    });

    test('greedy answers from a cache, without and with the adapter', async () => {
      const device = await testDevice();
      const shape = await shapeOf(vectors);
      const { settings, numbers } = await readAdapter(vectors.adapterFiles, shape);
      for (const [lora, cases] of [
        [undefined, expected.greedy] as const,
        [settings, expected.adapter.greedy] as const,
      ]) {
        const { network, store } = await loadedModel(device, vectors, lora);
        if (lora) store.write(store.value, numbers);
        const tokens = cases.map((each: { tokens: number[] }) => each.tokens);
        expect(await greedy(device, network, store, cases)).toEqual(tokens);
        store.destroy();
      }
    });

    test('the adapter: logits, loss, gradients, two steps, and off the bits of the base', async () => {
      const device = await testDevice();
      const shape = await shapeOf(vectors);
      const { settings, numbers } = await readAdapter(vectors.adapterFiles, shape);
      const base = await baseLogits('as stored');
      const { network, store } = await loadedModel(device, vectors, settings);
      store.write(store.value, numbers);
      const batch = new VectorBatch(device, network, store, vectors);
      const optimizer = new AdamW(device, store);
      const reference = network.reference(device, store);
      await device.compiled();
      const off = await batch.run((commands) => void reference.run(commands, batch.forward));
      expect(off.logits).toEqual(base);

      const { adapter } = expected;
      const first = await batch.run();
      expectLogProbs(first.logProbs, adapter.log_probs, tolerance.log_probs);
      expectLogitRows(first.logits, expected, shape.vocabulary);
      const { lr: rate, beta1, beta2, eps: epsilon, weight_decay: weightDecay } = adapter.adamw;
      optimizer.configure({ rate, beta1, beta2, epsilon, weightDecay, clip: 1e9 });
      for (const [step, { loss, grad_norm: norm }] of adapter.steps.entries()) {
        const run = await batch.run();
        expect(Math.abs(run.loss - loss), `loss before step ${step}`).toBeLessThan(tolerance.loss);
        batch.backward();
        const gradients = await store.read(store.gradient);
        if (step === 0) {
          const pairs = await pairsOf(shape, settings, gradients, adapter.grads);
          for (const { name, got, expected: wanted } of pairs) expectClose(name, got, wanted, tolerance.grads);
        }
        const squares = [...gradients.values()].flatMap((numbers) => [...numbers]).map((g) => g * g);
        const total = Math.sqrt(squares.reduce((sum, square) => sum + square, 0));
        expect(Math.abs(total / norm - 1)).toBeLessThan(tolerance.grad_norm.relative);
        new Commands(device).run(optimizer.dispatches).submit();
      }
      const after = await store.read(store.value);
      await expectSteps(shape, settings, after, expected);
      expect(Math.abs((await batch.run()).loss - adapter.loss_after_2)).toBeLessThan(tolerance.loss);
      const stillOff = await batch.run((commands) => void reference.run(commands, batch.forward));
      expect(stillOff.logits).toEqual(base);
      expect(device.uncapturedError).toBeNull();
      for (const part of [batch, optimizer, store]) part.destroy();
    });

    test('halves give the logits of the same weights in float32', async () => {
      const [halves, floats] = [await baseLogits('as stored'), await baseLogits('full')];
      expectClose('logits', halves, floats, { absolute: 1e-6, relative: 0 });
    });

    async function baseLogits(precision: 'as stored' | 'full'): Promise<Float32Array> {
      const device = await testDevice();
      const { network, store } = await loadedModel(device, vectors, undefined, precision);
      const batch = new VectorBatch(device, network, store, vectors);
      await device.compiled();
      const { logits } = await batch.run();
      batch.destroy();
      store.destroy();
      return logits;
    }
  });
}

/** The adapter's logits at the positions that the vectors hold. */
function expectLogitRows(logits: Float32Array, expected: PretrainedVectors['expected'], V: number): void {
  const { adapter, sequences, tolerance } = expected;
  let before = 0;
  adapter.positions.forEach((positions: number[], s: number) => {
    const rows = positions.flatMap((position) => [
      ...logits.subarray((before + position) * V, (before + position + 1) * V),
    ]);
    expectClose(`adapter logits ${s}`, rows, adapter.logits[s].data, { absolute: tolerance.logits, relative: 0 });
    before += sequences[s].length;
  });
}

type Tensors = Record<string, { shape: number[]; data: number[] }>;

/** Numbers of the trained parameters by the names that PEFT has for their parts, beside the vectors' own. */
async function pairsOf(shape: Shape, settings: LoraSettings, numbers: ReadonlyMap<string, Float32Array>, all: Tensors) {
  const files = writeAdapter(shape, { settings, numbers }, 'tests/vectors');
  const weights = files.get('adapter_model.safetensors')!;
  const tensors = await openSafetensors('adapter_model.safetensors', bytesInMemory(weights));
  expect([...tensors.keys()].sort()).toEqual(Object.keys(all).sort());
  for (const [name, tensor] of tensors) expect(tensor.shape, name).toEqual(all[name].shape);
  const pairs = [...tensors].map(async ([name, tensor]) => {
    return { name, got: await tensor.numbers(), expected: all[name].data };
  });
  return Promise.all(pairs);
}

/**
 * The adapter after two steps of AdamW. Where a gradient is as small as AdamW's ε, its rounding changes the step, which
 * changes the next gradients: a few numbers may miss the tolerance by a factor, all together must keep it. Without
 * weight decay all would be off by 17 times the tolerance, with another β₂ by twice as much.
 */
async function expectSteps(
  shape: Shape,
  settings: LoraSettings,
  after: ReadonlyMap<string, Float32Array>,
  { adapter, tolerance }: PretrainedVectors['expected'],
): Promise<void> {
  const absolute = tolerance.adapter_after_2;
  const pairs = await pairsOf(shape, settings, after, adapter.after_2);
  for (const { name, got, expected } of pairs)
    expectClose(name, got, expected, { absolute: 10 * absolute, relative: 0 });
  const errors = pairs.flatMap(({ got, expected }) => expected.map((number, i) => Math.abs(got[i] - number)));
  const beyond = errors.filter((error) => error > absolute).length;
  expect(beyond / errors.length).toBeLessThan(0.002);
}
