/**
 * Where the heads look: as float64 computes it, for each family of models, by the agent of any moment; and looking
 * changes no bit of a run.
 */
import { describe, expect, test } from 'vitest';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import { readTensor } from '../../src/device/commands';
import { builtInEnvironments, sdkSource } from '../../src/environments/built-in';
import type { Network } from '../../src/model/model';
import { ParameterStore } from '../../src/model/parameters';
import { transformer } from '../../src/model/transformer/network';
import type { TransformerShape } from '../../src/model/transformer/shape';
import { blockName } from '../../src/model/llama/layers';
import { saveCheckpoint } from '../../src/rl/checkpoint';
import { AttentionReader } from '../../src/rl/learner/attention-reader';
import { Trainer } from '../../src/rl/trainer';
import { AttentionSession } from '../../src/run/attention-session';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { expectClose } from '../helpers/check-op';
import { onBothDevices, testDevice } from '../helpers/devices';
import { loadedModel } from '../helpers/llama';
import { pretrainedVectors } from '../helpers/pretrained';
import { tinyRun } from '../helpers/tiny-run';
import type { Array64 } from '../reference/array';
import { decode, type Decoder64 } from '../reference/decoder';
import { logSoftmax } from '../reference/distribution';

const float32 = { absolute: 2e-4, relative: 0 };
const temperature = 0.7;

const shape: TransformerShape = {
  vocabulary: 23,
  layers: 2,
  width: 24,
  heads: 4,
  kvHeads: 2,
  headSize: 8,
  mlp: 'swiglu',
  mlpWidth: 40,
  tied: false,
  qkvBias: true,
  normEpsilon: 1e-5,
  ropeBase: 100,
  ropeStyle: 'interleaved',
};

/** The weights of a store by name, in float64. */
async function weightsOf(store: ParameterStore, names: readonly string[]): Promise<Map<string, Array64>> {
  const device = await testDevice();
  const all = new Map<string, Array64>();
  for (const name of names) {
    const tensor = store.get(name);
    const data = Float64Array.from(await readTensor(device, tensor));
    all.set(name, { shape: tensor.shape, data });
  }
  return all;
}

/** Two steps of one conversation, and a third whose context was rewritten. */
const conversation = (tokens: readonly number[]) => {
  const action = (of: readonly number[]) => ({ tokens: [...of], logProbs: of.map(() => -1) });
  return [
    { prompt: tokens.slice(0, 5), action: action(tokens.slice(5, 7)) },
    { prompt: tokens.slice(0, 9), action: action(tokens.slice(9, 12)) },
    { prompt: tokens.slice(3, 8), action: action(tokens.slice(8, 10)) },
  ];
};

async function expectAsFloat64(
  network: Network,
  store: ParameterStore,
  reference: Decoder64,
  tokens: readonly number[],
): Promise<void> {
  const device = await testDevice();
  const reader = new AttentionReader(device, store, network, 32);
  await device.compiled();
  const steps = conversation(tokens);
  for (const [step, { prompt, action }] of steps.entries()) {
    const wanted = decode(reference, [...prompt, ...action.tokens]);
    for (const index of action.tokens.keys()) {
      const read = await reader.read(steps, { step, index }, temperature);
      const query = prompt.length + index - 1;
      expect(read.firstStep).toBe(step === 2 ? 2 : 0);
      expect(read.weights.map((heads) => heads.length)).toEqual(reference.blocks.map(() => reference.shape.heads));
      read.weights.forEach((heads, layer) =>
        heads.forEach((row, head) =>
          expectClose(`layer ${layer}, head ${head}`, row, wanted.weights[layer][query][head], float32),
        ),
      );
      const V = network.vocabulary;
      const logProbs = logSoftmax(
        [...wanted.logits.data.subarray(query * V, (query + 1) * V)].map((z) => z / temperature),
      );
      const order = [...logProbs.keys()].sort((a, b) => logProbs[b] - logProbs[a]);
      expect(read.likeliest.slice(0, 5).map(({ id }) => id)).toEqual(order.slice(0, 5));
      read.likeliest.forEach(({ id, probability }) => expect(probability).toBeCloseTo(Math.exp(logProbs[id]), 3));
      expect(read.logProb).toBeCloseTo(logProbs[action.tokens[index]], 3);
    }
  }
  expect(device.uncapturedError).toBeNull();
  reader.destroy();
}

onBothDevices(() => {
  test('the transformer: weights and likeliest tokens are those of float64', async () => {
    const device = await testDevice();
    const network = transformer(shape);
    const store = new ParameterStore(device, network.specs);
    store.initialise(5);
    const weights = await weightsOf(
      store,
      network.specs.map(({ name }) => name),
    );
    const get = (name: string) => weights.get(name)!;
    const reference: Decoder64 = {
      shape,
      embedding: get('tok_emb'),
      blocks: Array.from({ length: shape.layers }, (_, i) => ({
        attentionNorm: get(`blocks.${i}.attn_norm`),
        qkv: get(`blocks.${i}.wqkv`),
        qkvBias: get(`blocks.${i}.bqkv`),
        out: get(`blocks.${i}.wo`),
        mlpNorm: get(`blocks.${i}.mlp_norm`),
        gateUp: get(`blocks.${i}.w_gate_up`),
        down: get(`blocks.${i}.w_down`),
      })),
      finalNorm: get('final_norm'),
      head: get('lm_head'),
    };
    const tokens = Array.from({ length: 12 }, (_, i) => (i * 7 + 3) % shape.vocabulary);
    await expectAsFloat64(network, store, reference, tokens);
    store.destroy();
  });
});

// Kernels of these on WebGPU: tests/model/llama/vectors-webgpu.full.test.ts.
test.each(pretrainedVectors())('$name: weights and likeliest tokens are those of float64', async (vectors) => {
  const device = await testDevice();
  const { shape: llama, network, store } = await loadedModel(device, vectors, undefined, 'full');
  const weights = await weightsOf(
    store,
    network.specs.map(({ name }) => name),
  );
  const reference: Decoder64 = {
    shape: { ...llama, ropeStyle: 'half' },
    embedding: weights.get('model.embed_tokens.weight')!,
    blocks: Array.from({ length: llama.layers }, (_, i) => {
      const get = (name: string) => weights.get(`${blockName(i)}${name}`)!;
      return {
        attentionNorm: get('input_layernorm.weight'),
        qkv: get('self_attn.qkv_proj.weight'),
        qkvBias: get('self_attn.qkv_proj.bias'),
        queryNorm: get('self_attn.q_norm.weight'),
        keyNorm: get('self_attn.k_norm.weight'),
        out: get('self_attn.o_proj.weight'),
        mlpNorm: get('post_attention_layernorm.weight'),
        gateUp: get('mlp.gate_up_proj.weight'),
        down: get('mlp.down_proj.weight'),
      };
    }),
    finalNorm: weights.get('model.norm.weight')!,
    head: weights.get(llama.tied ? 'model.embed_tokens.weight' : 'lm_head.weight')!,
  };
  const tokens = Array.from({ length: 12 }, (_, i) => (i * 7 + 3) % llama.vocabulary);
  await expectAsFloat64(network, store, reference, tokens);
  store.destroy();
});

describe('in a run', () => {
  const source = builtInEnvironments.calculator;
  const config = tinyRun(2);

  async function create(run = config): Promise<Trainer> {
    const sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
    return Trainer.create(await testDevice(), sandbox, run, source, quietHooks);
  }

  async function begin(run = config): Promise<Trainer> {
    const trainer = await create(run);
    await trainer.warmStart();
    return trainer;
  }

  test('the likeliest tokens are those that the sampler drew, with its probabilities', async () => {
    // At a rate of nearly 0, the agent after the step is the agent that sampled.
    const still = { ...config, iterations: 1, optimizer: { ...config.optimizer, learningRate: 1e-12 } };
    const trainer = await begin(still);
    const { rollouts } = await trainer.iterate();
    const session = new AttentionSession(await testDevice(), trainer);
    const sampled = new Set<number>();
    for (const task of new Set(rollouts.map(({ taskId }) => taskId))) {
      // Rollouts of a task begin with the same prompt, so their first tokens are draws from one distribution.
      const beside = rollouts.filter(({ taskId }) => taskId === task);
      const { likeliest } = await session.look(beside[0], { step: 0, index: 0 }, null);
      const shares = likeliest.map(({ probability }) => probability);
      expect(shares).toEqual([...shares].sort((a, b) => b - a));
      for (const { steps } of beside) {
        const { tokens, logProbs } = steps[0];
        const probability = Math.exp(logProbs[0]);
        sampled.add(tokens[0]);
        const listed = likeliest.find(({ id }) => id === tokens[0]);
        if (listed) expect(listed.probability).toBeCloseTo(probability, 4);
        else expect(probability).toBeLessThanOrEqual(shares.at(-1)! + 1e-6);
      }
    }
    expect(sampled.size).toBeGreaterThan(1);
    await session.close();
    trainer.destroy();
  });

  test('looking between and during steps changes no bit, and a checkpoint gives what its agent gave', async () => {
    const device = await testDevice();
    const place = { step: 0, index: 0 };
    const plain = await begin();
    for (let i = 0; i < 2; i++) await plain.iterate();
    const untouched = await saveCheckpoint(device, plain, source);
    plain.destroy();

    const trainer = await create();
    const session = new AttentionSession(device, trainer);
    const kept = async (iteration: number) => {
      const bytes = await saveCheckpoint(device, trainer, source);
      return { iteration, read: async () => bytes };
    };
    const start = await kept(0);
    await trainer.warmStart();
    const [rollout] = (await trainer.iterate()).rollouts;
    const look = await session.look(rollout, place, null);
    const first = await kept(1);
    const during = session.look(rollout, place, null);
    await trainer.iterate();
    await during;
    const bytes = await saveCheckpoint(device, trainer, source);
    expect(Buffer.compare(bytes, untouched), 'the same bytes').toBe(0);

    expect(await session.look(rollout, place, first)).toEqual(look);
    expect(look).toMatchObject({ after: 1, updating: false });
    const before = await session.look(rollout, place, start);
    expect(before.after).toBe(0);
    expect(before.weights).not.toEqual(look.weights);
    await session.close();
    trainer.destroy();
  });

  test('a token that is not there is refused', async () => {
    const trainer = await begin({ ...config, iterations: 1 });
    const [rollout] = (await trainer.iterate()).rollouts;
    const session = new AttentionSession(await testDevice(), trainer);
    await expect(session.look(rollout, { step: 0, index: 99 }, null)).rejects.toThrow('no token 99');
    await session.close();
    trainer.destroy();
  });
});
