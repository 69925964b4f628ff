/**
 * The sampler: right distributions on every row, the trainer's own log-probs, and no trace of batching or caching in
 * the result.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Action, Sampling } from '../../src/agent/types';
import type { Device } from '../../src/device/device';
import { ParameterStore } from '../../src/model/parameters';
import { Sampler } from '../../src/model/sampler';
import { transformer } from '../../src/model/transformer/network';
import { parameterSpecs } from '../../src/model/transformer/shape';
import { Learner } from '../../src/rl/learner/learner';
import { pack } from '../../src/rl/learner/packing';
import { drawRows, expectChiSquare, type Cut } from '../helpers/draws';
import { testDevice, onBothDevices } from '../helpers/devices';
import { tinyShape } from '../helpers/tiny-model';
import { vectorsOf } from '../helpers/vectors';

onBothDevices(() => {
  const base: Sampling = { temperature: 1, topK: 0, topP: 1, maxTokens: 20, stopTokens: [], seed: 11, iteration: 3 };
  const prompts = Array.from({ length: 5 }, (_, slot) => ({
    slot,
    tokens: Array.from({ length: 2 + 3 * slot }, (_, i) => 1 + ((7 * i + slot) % 28)),
  }));

  let device: Device;
  let store: ParameterStore;
  let sampler: Sampler;

  beforeAll(async () => {
    device = await testDevice();
    store = new ParameterStore(device, parameterSpecs(tinyShape));
    store.initialise(5);
    sampler = new Sampler(device, store, transformer(tinyShape), { slots: 8, contextLength: 64 });
    await device.compiled();
  });

  const sample = (given: typeof prompts, change: Partial<Sampling> = {}) =>
    sampler.sample(given, { ...base, ...change });

  describe('against the trainer', () => {
    test.each([1, 0.7])('log-probs and entropies equal the trainer’s at temperature %s', async (temperature) => {
      sampler.clearCache();
      const actions = await sample(prompts, { temperature });
      const learner = new Learner(device, store, transformer(tinyShape), { capacity: 256 });
      await device.compiled();
      const segments = actions.map((action, trajectory) => segmentOf(prompts[trajectory].tokens, action, trajectory));
      const batch = pack(segments, { capacity: 256, aggregation: 'token-mean', lengthNorm: 64 });
      const scores = await learner.score(batch, temperature, 'current');
      let compared = 0;
      batch.microBatches.forEach((micro, m) =>
        micro.site.forEach((at, n) => {
          const action = actions[micro.segment[n]];
          const index = segments[micro.segment[n]].index[micro.positions[at] + 1];
          expect(Math.abs(scores[m].logProbs[n] - action.logProbs[index])).toBeLessThanOrEqual(1e-4);
          expect(Math.abs(scores[m].entropies[n] - action.entropies[index])).toBeLessThanOrEqual(1e-4);
          compared++;
        }),
      );
      expect(compared).toBe(prompts.length * base.maxTokens);
      learner.destroy();
    });

    test.each([192, 1024, 2048])(
      'log-probs equal the trainer’s to the bit with an MLP of width %i',
      async (mlpWidth) => {
        const shape = { ...tinyShape, width: 64, headSize: 16, mlpWidth };
        const weights = new ParameterStore(device, parameterSpecs(shape));
        weights.initialise(6);
        const wide = new Sampler(device, weights, transformer(shape), { slots: 8, contextLength: 64 });
        const learner = new Learner(device, weights, transformer(shape), { capacity: 2048 });
        await device.compiled();
        const actions = await wide.sample(prompts, { ...base, maxTokens: 8 });
        const segments = actions.map((action, trajectory) => segmentOf(prompts[trajectory].tokens, action, trajectory));
        const batch = pack(segments, { capacity: 2048, aggregation: 'token-mean', lengthNorm: 64 });
        const scores = await learner.score(batch, 1, 'current');
        const differences = batch.microBatches.flatMap((micro, m) =>
          Array.from(micro.site, (at, n) => {
            const index = segments[micro.segment[n]].index[micro.positions[at] + 1];
            return scores[m].logProbs[n] - actions[micro.segment[n]].logProbs[index];
          }),
        );
        expect(differences).toHaveLength(prompts.length * 8);
        expect(differences).toEqual(differences.map(() => 0));
        for (const each of [wide, learner, weights]) each.destroy();
      },
    );
  });

  describe('what a result may not depend on', () => {
    test('the same call twice gives the same bits', async () => {
      sampler.clearCache();
      const first = await sample(prompts);
      sampler.clearCache();
      expect(await sample(prompts)).toEqual(first);
    });

    test('rows beside it', async () => {
      sampler.clearCache();
      const together = await sample(prompts);
      sampler.clearCache();
      expect(await sample([prompts[3]])).toEqual([together[3]]);
    });

    test('how often tokens are read back', async () => {
      const stopTokens = [3, 11, 17, 24];
      const results = await Promise.all(
        [1, 4, 16].map(async (chunk) => {
          const own = new Sampler(device, store, transformer(tinyShape), { slots: 8, contextLength: 64, chunk });
          await device.compiled();
          const actions = await own.sample(prompts, { ...base, stopTokens });
          own.destroy();
          return { actions, counts: own.counts };
        }),
      );
      const [each, four, sixteen] = results;
      expect(new Set(each.actions.map(({ tokens }) => tokens.length)).size, 'rows stop apart').toBeGreaterThan(1);
      expect([four.actions, sixteen.actions]).toEqual([each.actions, each.actions]);
      expect(each.counts.decoded, 'no row outlives its stop').toBe(each.counts.drawn);
      expect(four.counts.decoded).toBeGreaterThan(each.counts.decoded);
      expect(sixteen.counts.decoded).toBeGreaterThan(four.counts.decoded);
    });

    test('whether earlier turns came from the cache', async () => {
      sampler.clearCache();
      const [first] = await sample([prompts[1]]);
      const next = [{ slot: 1, tokens: [...prompts[1].tokens, ...first.tokens, 4, 9] }];
      const before = sampler.counts.prefilled;
      const cached = await sample(next);
      // All but the last token of turn one is cached. Its last action token and the new ones but the last are filled.
      expect(sampler.counts.prefilled - before).toBe(2);
      sampler.clearCache();
      expect(await sample(next)).toEqual(cached);
    });

    test('whether a prompt was prefilled or copied from one that is alike', async () => {
      const tokens = prompts[2].tokens;
      const alike = [5, 1, 3, 6].map((slot) => ({ slot, tokens }));
      const apart: Action[] = [];
      for (const prompt of alike) {
        sampler.clearCache();
        apart.push(...(await sample([prompt])));
      }
      sampler.clearCache();
      // Slot 3 knows the first tokens already: only the others are copied.
      await sample([{ slot: 3, tokens: tokens.slice(0, 3) }], { maxTokens: 1 });
      const before = sampler.counts.prefilled;
      expect(await sample(alike)).toEqual(apart);
      expect(sampler.counts.prefilled - before, 'slot 5 alone is prefilled').toBe(tokens.length - 1);
    });

    test('a rewritten context is not mistaken for the cached one', async () => {
      sampler.clearCache();
      await sample([prompts[4]]);
      const rewritten = [
        { slot: 4, tokens: prompts[4].tokens.map((token, i) => (i === 3 ? 1 + (token % 28) : token)) },
      ];
      const after = await sample(rewritten);
      sampler.clearCache();
      expect(await sample(rewritten)).toEqual(after);
    });
  });

  describe('stopping', () => {
    test('a stop token ends its row and no other; the others use their budget', async () => {
      sampler.clearCache();
      const free = await sample(prompts, { maxTokens: 40 });
      const stop = free[0].tokens[2];
      sampler.clearCache();
      const stopped = await sample(prompts, { maxTokens: 40, stopTokens: [stop] });
      stopped.forEach((action, i) => {
        const at = free[i].tokens.indexOf(stop);
        expect(action.tokens).toEqual(at < 0 ? free[i].tokens : free[i].tokens.slice(0, at + 1));
        expect(action.stop).toBe(at < 0 ? 'length' : 'stop');
      });
    });

    test('the context ends an action that the budget would not', async () => {
      sampler.clearCache();
      const [action] = await sample([prompts[2]], { maxTokens: 1000 });
      expect(action.tokens.length).toBe(64 - prompts[2].tokens.length);
      expect(action.stop).toBe('length');
    });
  });

  describe('distribution', () => {
    const rows = 1024;
    for (const file of vectorsOf('sampling')) {
      for (const { name, inputs, params, expected } of file.cases) {
        test.each([1, 64] as const)(`${file.path}: ${name}, %i lanes`, async (lanes) => {
          const perRow = await drawMany(
            inputs.logits,
            { temperature: params.temperature, topK: params.top_k, topP: params.top_p },
            rows,
            lanes,
          );
          const counts = new Array<number>(inputs.logits.length).fill(0);
          perRow.flat().forEach((token) => counts[token]++);
          expectChiSquare(counts, expected.probs, `all rows of ${name}`);
        });
      }
    }

    test('every row draws from its own distribution', async () => {
      const logits = Array.from({ length: 16 }, (_, r) => Array.from({ length: 6 }, (_, v) => Math.sin(3 * r + v)));
      const draws = await drawRows(logits, { temperature: 1, topK: 0, topP: 1 }, 400, 64);
      logits.forEach((row, r) => {
        const total = row.reduce((sum, z) => sum + Math.exp(z), 0);
        const counts = new Array<number>(6).fill(0);
        draws[r].forEach((token) => counts[token]++);
        expectChiSquare(
          counts,
          row.map((z) => Math.exp(z) / total),
          `row ${r}`,
        );
      });
    });
  });

  function segmentOf(prompt: readonly number[], action: Action, trajectory: number) {
    const tokens = Uint32Array.from([...prompt, ...action.tokens]);
    const isAction = (i: number) => (i >= prompt.length ? 1 : 0);
    return {
      trajectory,
      tokens,
      inLoss: Uint8Array.from(tokens, (_, i) => isAction(i)),
      sampled: Uint8Array.from(tokens, (_, i) => isAction(i)),
      oldLogProb: new Float64Array(tokens.length),
      advantage: new Float64Array(tokens.length),
      step: new Uint32Array(tokens.length),
      index: Uint32Array.from(tokens, (_, i) => Math.max(0, i - prompt.length)),
    };
  }

  /** 16 draws of each of `rows` equal rows, through the real kernel. */
  function drawMany(logits: number[], cut: Cut, rows: number, lanes: 1 | 64): Promise<number[][]> {
    return drawRows(
      Array.from({ length: rows }, () => logits),
      cut,
      16,
      lanes,
    );
  }
});
