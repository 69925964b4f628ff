/** The likeliest tokens that the page lists are those that the sampler draws from, by the agent of any moment. */
import { beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../../src/agent/types';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import type { Device } from '../../src/device/device';
import { builtInEnvironments, sdkSource } from '../../src/environments/built-in';
import { ParameterStore } from '../../src/model/parameters';
import { Sampler } from '../../src/model/sampler';
import { loadCheckpointWeights, saveCheckpoint } from '../../src/rl/checkpoint';
import { viewSteps } from '../../src/rl/rollouts/view-steps';
import { Trainer } from '../../src/rl/trainer';
import { AttentionSession, type KeptAgent } from '../../src/run/attention-session';
import { TokenSession } from '../../src/run/token-session';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { onBothDevices, testDevice } from '../helpers/devices';
import { tinyRun } from '../helpers/tiny-run';

const [slots, rounds] = [64, 4];
/** How many of the listed tokens the sampler may draw from. */
const kept = [1, 3, 5];
const source = builtInEnvironments.calculator;
const tiny = tinyRun(2);
const config = { ...tiny, rollout: { ...tiny.rollout, temperature: 0.7 } };

const oneToken = { topK: 0, topP: 1, maxTokens: 1, stopTokens: [], seed: 0, iteration: 0 };

let binary: WebAssembly.Module;
beforeAll(async () => (binary = await compileQuickJs()));

/** What the sampler draws behind these tokens where it keeps the `topK` likeliest, with the probabilities it logs. */
async function drawn(sampler: Sampler, tokens: readonly number[], topK: number): Promise<ReadonlyMap<number, number>> {
  const prompts = Array.from({ length: slots }, (_, slot): Prompt => ({ slot, tokens }));
  const { temperature } = config.rollout;
  const found = new Map<number, number>();
  for (let seed = 0; seed < rounds; seed++) {
    for (const action of await sampler.sample(prompts, { ...oneToken, temperature, topK, seed }))
      found.set(action.tokens[0], Math.exp(action.logProbs[0]));
  }
  return found;
}

onBothDevices(() => {
  test('five likeliest tokens, now and by each kept checkpoint', async () => {
    const device: Device = await testDevice();
    const sandbox = new LocalSandbox({ binary, sdk: sdkSource });
    const trainer = await Trainer.create(device, sandbox, config, source, quietHooks);
    const { model } = trainer.setup;
    const keep = async (iteration: number): Promise<KeptAgent> => {
      const bytes = await saveCheckpoint(device, trainer, source);
      return { iteration, read: async () => bytes };
    };
    const moments = [await keep(0)];
    await trainer.warmStart();
    const { rollouts } = await trainer.iterate();
    const rollout = rollouts.find(({ steps }) => steps[0].tokens.length > 1)!;
    moments.push(await keep(1));

    const inside = new AttentionSession(device, trainer);
    const session = new TokenSession(device, trainer);
    const store = new ParameterStore(device, model.specs, trainer.store);
    const sampler = new Sampler(device, store, model, { slots, contextLength: config.model.context });
    await device.compiled();
    const [{ prompt, action }] = viewSteps(rollout, model.tokenizer.image);
    const places = [...action.tokens.keys()].slice(0, 2);
    const now = await session.explain(rollout);
    const distributions = new Set<string>();
    for (const moment of moments) {
      loadCheckpointWeights(store, model.tokenizer, await moment.read());
      sampler.clearCache();
      for (const index of places) {
        const { likeliest } = await inside.look(rollout, { step: 0, index }, moment);
        const before = [...prompt, ...action.tokens.slice(0, index)];
        for (const k of kept) {
          const draws = await drawn(sampler, before, k);
          expect([...draws.keys()].sort(), `top ${k}, token ${index}`).toEqual(
            likeliest
              .slice(0, k)
              .map(({ id }) => id)
              .sort(),
          );
          for (const { id, probability } of likeliest.slice(0, k)) expect(draws.get(id)).toBeCloseTo(probability, 4);
        }
        distributions.add(JSON.stringify(likeliest));
        const [, second] = likeliest;
        const asked = await inside.look(rollout, { step: 0, index, rival: second.id }, moment);
        expect(Math.exp(asked.rival!), 'a rival').toBeCloseTo(second.probability, 12);
        const warmer = await inside.look(rollout, { step: 0, index, rival: second.id, temperature: 1 }, moment);
        const [greedy] = await sampler.sample([{ slot: 0, tokens: before }], { ...oneToken, temperature: 0 });
        expect(warmer.likeliest[0].id, 'what a greedy agent writes').toBe(greedy.tokens[0]);
        expect(warmer.likeliest[0].probability, 'as it logs it').toBeCloseTo(Math.exp(greedy.logProbs[0]), 4);
        expect(warmer.likeliest[0].probability).toBeLessThan(likeliest[0].probability);
        if (moment.iteration !== 1) continue;
        const { likeliest: current } = await inside.look(rollout, { step: 0, index }, null);
        const [ids, listed] = [current, now.tokens[0][index].likeliest!].map((all) => all.map(({ id }) => id));
        expect(ids, 'the agent as it is now').toEqual(likeliest.map(({ id }) => id));
        expect(listed, 'in the card of the token').toEqual(ids);
      }
    }
    expect(distributions.size, 'other agents and places have other ones').toBe(moments.length * places.length);
    expect(device.uncapturedError).toBeNull();
    await inside.close();
    await session.close();
    sampler.destroy();
    store.destroy();
    trainer.destroy();
  });
});
