/**
 * Whole models against the reference vectors: logits, values, losses, every gradient, AdamW steps, and greedy decoding
 * from a cache.
 */
import { describe, expect, test } from 'vitest';
import { Commands, readTensor, oneWorkgroup } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, writeTensor, type Tensor } from '../../src/device/tensor';
import { AdamW } from '../../src/model/adamw';
import { ParameterStore } from '../../src/model/parameters';
import { Sampler } from '../../src/model/sampler';
import { transformer } from '../../src/model/transformer/network';
import { parameterSpecs, type TransformerShape } from '../../src/model/transformer/shape';
import { attendPacked, head, hiddenStates } from '../../src/model/transformer/forward';
import { valueHead, valueSpecs } from '../../src/model/value-head';
import { Patches } from '../../src/ops/patch-embedding';
import { policyLoss, policySettings, writePolicySettings } from '../../src/ops/policy-loss';
import { Rows } from '../../src/ops/rows';
import { valueLoss } from '../../src/ops/value-loss';
import { expectClose } from '../helpers/check-op';
import { onBothDevices, onWebGpu, testDevice } from '../helpers/devices';
import { expectNear, vectorsOf } from '../helpers/vectors';

onBothDevices(() => {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON of the vectors
  type Json = any;

  function shapeOf(config: Json): TransformerShape {
    return {
      vocabulary: config.vocab,
      layers: config.n_layers,
      width: config.d_model,
      heads: config.n_heads,
      kvHeads: config.n_kv_heads,
      headSize: config.head_dim,
      mlp: config.mlp === 'swiglu' ? 'swiglu' : 'gelu',
      mlpWidth: config.d_ff,
      tied: config.tied,
      qkvBias: config.qkv_bias,
      normEpsilon: config.norm_eps,
      ropeBase: config.rope_base,
      ropeStyle: config.rope_style,
      patchLength: config.patch_dim,
    };
  }

  /** Where the project keeps several tensors of the vectors as one. */
  const fused: Record<string, string[]> = {
    wqkv: ['wq', 'wk', 'wv'],
    bqkv: ['bq', 'bk', 'bv'],
    w_gate_up: ['w_gate', 'w_up'],
  };

  const specsOf = (shape: TransformerShape) => [...parameterSpecs(shape), ...valueSpecs(shape.width)];

  /** A set of named tensors of the vectors in the project's names. */
  function fuse(named: Json, shape: TransformerShape): Map<string, Float32Array> {
    return new Map(
      specsOf(shape).map(({ name }) => {
        const block = name.slice(0, name.lastIndexOf('.') + 1);
        const parts = fused[name.slice(block.length)]?.map((part) => block + part) ?? [name];
        return [name, Float32Array.from(parts.flatMap((part) => named[part].data))];
      }),
    );
  }

  /** The k-th image token of a row takes its k-th patch. */
  function patchesOf(tape: Tape, config: Json, { tokens, patches }: Json): Patches | null {
    if (config.patch_dim === undefined) return null;
    const places: number[] = [];
    const numbers: number[] = [];
    tokens.forEach((row: number[], b: number) => {
      const own = [...row.keys()].filter((t) => row[t] === config.image_token);
      own.forEach((t, k) => {
        places.push(b * row.length + t);
        numbers.push(...patches[b][k]);
      });
    });
    const given = new Patches(tape, places.length, config.patch_dim);
    given.set(Float32Array.from(numbers), Uint32Array.from(places));
    return given;
  }

  async function buildModel({ config, objective, inputs, params }: Json) {
    const device = await testDevice();
    const shape = shapeOf(config);
    const store = new ParameterStore(device, specsOf(shape));
    store.write(store.value, fuse(params, shape));
    const [B, T] = [inputs.tokens.length, inputs.tokens[0].length];
    const N = B * T;
    const tape = new Tape(device, true);
    const integers = (name: string, values: number[], width = 1) => {
      const tensor = tape.constant(name, width === 1 ? [N] : [N, width], 'u32');
      writeTensor(device, tensor, Uint32Array.from(values));
      return tensor;
    };
    const perToken = <Value>(value: (b: number, t: number) => Value) =>
      Array.from({ length: N }, (_, i) => value(Math.floor(i / T), i % T));
    const firstKey = (b: number) => inputs.key_ok[b].indexOf(1);
    const real = (b: number, t: number) => inputs.key_ok[b][t] === 1;
    const ranges = perToken((b, t) => {
      const [first, last] = real(b, t) ? [firstKey(b), inputs.key_ok[b].lastIndexOf(1)] : [t, t];
      return [first, first, first, last + 1].map((at) => b * T + at);
    });
    const packed = {
      positions: integers('positions', inputs.positions.flat()),
      ranges: integers('ranges', ranges.flat(), 4),
    };
    const tokens = integers('tokens', inputs.tokens.flat());
    const patches = patchesOf(tape, config, inputs);
    const hidden = hiddenStates(tape, store, shape, { tokens, patches }, attendPacked(tape, shape, packed));
    const logits = head(tape, store, shape, hidden);
    const values = valueHead(tape, store, hidden);
    const mask = perToken((b, t) => inputs.action_mask[b][t] ?? 0);
    const sites = mask.reduce((a, m) => a + m, 0);
    const label = (name: string) => perToken((b, t) => inputs[name][b][t] ?? 0);
    const floats = (name: string, columns: number[][]) => {
      const tensor = tape.constant(name, [N, columns.length]);
      writeTensor(
        device,
        tensor,
        Float32Array.from(
          { length: N * columns.length },
          (_, i) => columns[i % columns.length][Math.floor(i / columns.length)],
        ),
      );
      return tensor;
    };
    const weights = mask.map((m) => m / sites);
    const policySites = floats('sites', [label('old_log_prob'), label('ref_log_prob'), label('advantages'), weights]);
    const stats = tape.constant('stats', [N, 8]);
    const targets = integers(
      'targets',
      perToken((b, t) => inputs.tokens[b][t + 1] ?? 0),
    );
    const settings = policySettings(device);
    const {
      temperature,
      clip_low: clipLow,
      clip_high: clipHigh,
      dual_clip: dualClip,
      kl_coef: klCoefficient,
      entropy_coef: entropyCoefficient,
    } = objective;
    writePolicySettings(device, settings, {
      temperature,
      clipLow,
      clipHigh,
      dualClip,
      klCoefficient,
      entropyCoefficient,
    });
    policyLoss(tape, logits, { targets, sites: policySites, stats }, settings, new Rows(tape, N));
    const valueSites = floats('value sites', [
      label('old_value'),
      label('returns'),
      mask.map(() => objective.value_coef),
      weights,
    ]);
    const valueStats = tape.constant('value stats', [N, 2]);
    valueLoss(tape, values, valueSites, valueStats, objective.value_clip);
    const plan = tape.seal();
    await device.compiled();
    return { device, shape, store, plan, hidden, logits, values, stats, valueStats, weights, mask, B, T };
  }

  async function lossOf(
    { device, stats, valueStats, weights }: Awaited<ReturnType<typeof buildModel>>,
    objective: Json,
  ) {
    const [s, v] = [await readTensor(device, stats), await readTensor(device, valueStats)];
    const mean = (pick: (n: number) => number) =>
      weights.reduce((sum, weight, n) => sum + (weight === 0 ? 0 : weight * pick(n)), 0);
    const [policy, entropy, kl, value] = [
      mean((n) => s[n * 8 + 2]),
      mean((n) => s[n * 8 + 1]),
      mean((n) => s[n * 8 + 3]),
      mean((n) => v[n * 2]),
    ];
    return {
      policy,
      entropy,
      kl,
      value,
      loss: policy + objective.value_coef * value - objective.entropy_coef * entropy + objective.kl_coef * kl,
    };
  }

  const gradientTolerance = { absolute: 1e-4, relative: 1e-3 };

  describe.each(vectorsOf('transformer').map(({ path, content }) => ({ path, content })))('$path', ({ content }) => {
    const { objective, inputs, expected } = content;

    test('forward, losses, gradients and three AdamW steps', async () => {
      const model = await buildModel(content);
      const { device, shape, store, plan, logits, values, hidden, T, mask } = model;
      const optimizer = new AdamW(device, store);
      await device.compiled();
      optimizer.configure({
        rate: objective.lr,
        beta1: objective.beta1,
        beta2: objective.beta2,
        epsilon: objective.adam_eps,
        weightDecay: objective.weight_decay,
        clip: objective.max_grad_norm,
      });
      const replay = () =>
        new Commands(device)
          .clear(plan.gradients)
          .run([...plan.forward, ...plan.backward])
          .submit();

      replay();
      const check = async (tensor: Tensor, wanted: Json, width: number, name: string) => {
        const got = await readTensor(device, tensor);
        const [b, t] = [inputs.tokens.length, T];
        for (let i = 0; i < b * t; i++) {
          if (inputs.key_ok[Math.floor(i / t)][i % t] === 0) continue;
          expectNear(
            Array.from(got.slice(i * width, (i + 1) * width)),
            wanted.data.slice(i * width, (i + 1) * width),
            2e-4,
            `${name} at ${i}`,
          );
        }
      };
      await check(logits, expected.logits, shape.vocabulary, 'logits');
      await check(hidden, expected.hidden, shape.width, 'hidden');
      await check(values, expected.values, 1, 'values');
      const stats = await readTensor(device, model.stats);
      mask.forEach((m, n) => {
        if (!m) return;
        expectNear(stats[n * 8], expected.log_prob[Math.floor(n / T)][n % T], 1e-4, `log-prob ${n}`);
        expectNear(stats[n * 8 + 1], expected.entropy[Math.floor(n / T)][n % T], 1e-4, `entropy ${n}`);
      });
      const loss = await lossOf(model, objective);
      expectNear(
        [loss.policy, loss.value, loss.entropy, loss.kl, loss.loss],
        [expected.policy_loss, expected.value_loss, expected.entropy_mean, expected.kl, expected.loss],
        1e-4,
        'losses',
      );
      const gradients = await store.read(store.gradient);
      for (const [name, wanted] of fuse(expected.grads, shape))
        expectClose(`gradient of ${name}`, gradients.get(name)!, wanted, gradientTolerance);

      for (const [k, step] of expected.steps.entries()) {
        if (k > 0) replay();
        expectNear((await lossOf(model, objective)).loss, step.loss, 1e-4, `loss before step ${k + 1}`);
        new Commands(device).run(optimizer.dispatches).submit();
        const state = await readTensor(device, optimizer.state);
        expectNear(
          [state[2], state[3]],
          [step.grad_norm, step.grad_scale],
          1e-4,
          `gradient norm and scale of step ${k + 1}`,
        );
        const after = expected[`params_after_${k + 1}`];
        if (!after) continue;
        const got = await store.read(store.value);
        for (const [name, wanted] of fuse(after, shape))
          expectClose(`${name} after step ${k + 1}`, got.get(name)!, wanted, { absolute: 5e-5, relative: 5e-5 });
      }
      expect(
        (await store.read(store.gradient)).get('tok_emb')!.every((g) => g === 0),
        'the optimizer clears the gradients',
      ).toBe(true);
      expect(device.uncapturedError).toBeNull();
      plan.destroy();
      store.destroy();
    });

    // The vectors of images have no such part.
    if (!expected.greedy) return;
    test('greedy decoding from the cache equals the reference', async () => {
      const device = await testDevice();
      const shape = shapeOf(content.config);
      const store = new ParameterStore(device, specsOf(shape));
      store.write(store.value, fuse(content.params, shape));
      const { prompt, tokens } = expected.greedy;
      const sampler = new Sampler(device, store, transformer(shape), {
        slots: 3,
        contextLength: prompt.length + tokens.length + 1,
      });
      await device.compiled();
      const sampling = {
        temperature: 0,
        topK: 0,
        topP: 1,
        maxTokens: tokens.length,
        stopTokens: [],
        seed: 1,
        iteration: 1,
      };
      const actions = await sampler.sample(
        [
          { slot: 2, tokens: prompt },
          { slot: 0, tokens: prompt },
        ],
        sampling,
      );
      expect(actions.map((action) => action.tokens)).toEqual([tokens, tokens]);
      expect(device.uncapturedError).toBeNull();
      sampler.destroy();
      store.destroy();
    });
  });
});

onWebGpu(() => {
  test('an unbound tensor name is said by name', async () => {
    const device = await testDevice();
    const tape = new Tape(device, false);
    const x = createTensor(device, 'x', [4]);
    expect(() =>
      tape.dispatch('adamw', 'prepare', { SIZE: 4, DECAYED: 0, LANES: 64 }, { nothing: x }, oneWorkgroup),
    ).toThrow('no binding is called nothing');
  });
});
