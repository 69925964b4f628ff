/**
 * The reward desk's numbers: under the run's own weights they are what the run trained with, under other weights what a
 * run with those weights trains with, bit for bit.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { EnvironmentDescription } from '../../src/agent/env';
import { quietHooks } from '../../src/cli/engine';
import { compileQuickJs } from '../../src/cli/quickjs';
import { sdkSource } from '../../src/environments/built-in';
import type { AlgorithmName } from '../../src/rl/algorithms/table';
import { parseConfig, type RunConfig } from '../../src/rl/config/config';
import { presetByName } from '../../src/rl/config/presets';
import { withAlgorithm } from '../../src/rl/config/with-algorithm';
import { rescoreRollouts } from '../../src/rl/diagnostics/rescoring';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { Trainer } from '../../src/rl/trainer';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { cpuDevice } from '../helpers/devices';

/** Every turn earns the tool's reward, every episode by chance one of `right`. */
const source = `
import { tool, string } from 'agentlet';
export const meta = { title: 'Sum', task: 'Count.', watch: 'Turns.',
  rewards: { right: { description: 'Chance.', weight: 1 }, tool: { description: 'Shown.', weight: 0.1 },
    calls: { description: 'Calls.', weight: 0 } },
  options: [], alphabet: '0123456789 ', words: ['more', 'seen'], examples: [] };
export const tools = [tool({ name: 'next', description: 'Next.', arguments: { word: string('Any word.') },
  execute: (args, { state }) => ({ text: 'seen', reward: Math.random(), state: (state ?? 0) + 1, done: state === 3 }) })];
export const tasks = (rng) => ({ prompt: String(rng.integer(0, 9999)) });
export const reward = ({ state, steps }) => ({
  success: state === 4, right: Math.round(Math.random()), calls: steps.flatMap((step) => step.toolCalls).length });
export const demonstrate = () => Array.from({ length: 4 }, () => ({ calls: [{ name: 'next', arguments: { word: 'more' } }] }));
`;
const weights = { right: 0.3, tool: -0.5, calls: 0.2 };

function configOf(name: AlgorithmName, rewards: RunConfig['rewards'] = {}): RunConfig {
  const { config: base } = presetByName('calculator-mini');
  const changed = {
    ...base,
    environment: { name: 'sum', options: {}, source },
    rewards,
    iterations: 1,
    model: { ...base.model, layers: 1, width: 16, heads: 2, kvHeads: 1, mlpWidth: 16, context: 96 },
    text: { ...base.text, tokenizer: 'word' as const },
    warmStart: { ...base.warmStart, demonstrations: 16, steps: 20, batch: 8, recorded: false },
    rollout: { ...base.rollout, tasks: 4, group: 3, maxTurns: 5, maxTokens: 8 },
    evaluation: { tasks: 2, every: 1 },
  };
  return parseConfig(withAlgorithm(changed, name));
}

let binary: WebAssembly.Module;
beforeAll(async () => {
  binary = await compileQuickJs();
});

/** The first iteration of a run. */
async function trained(
  config: RunConfig,
): Promise<{ rollouts: readonly RolloutView[]; world: EnvironmentDescription }> {
  const sandbox = new LocalSandbox({ binary, sdk: sdkSource });
  const trainer = await Trainer.create(await cpuDevice(), sandbox, config, source, quietHooks);
  await trainer.warmStart();
  const { rollouts } = await trainer.iterate();
  trainer.destroy();
  return { rollouts, world: trainer.setup.description };
}

const scoresOf = (rollouts: readonly RolloutView[]) => rollouts.map(({ reward, advantage }) => ({ reward, advantage }));

test.each<AlgorithmName>(['grpo', 'dapo', 'gigpo', 'rloo', 'reinforce-pp', 'ppo', 'step-ppo', 'bi-level-gae'])(
  '%s: the same rollouts under other weights are what a run with those weights trains on',
  async (name) => {
    const { rollouts, world } = await trained(configOf(name));
    const { before, after, missing, terms } = rescoreRollouts(rollouts, configOf(name), world, weights);
    expect(missing).toBeNull();
    expect(before).toEqual(scoresOf(rollouts));
    expect(after).toEqual(scoresOf((await trained(configOf(name, weights))).rollouts));
    expect(after).not.toEqual(before);
    expect(terms.map(({ name: term, weight }) => [term, weight])).toEqual([
      ['right', 1],
      ['tool', 0.1],
      ['calls', 0],
    ]);
  },
);

describe('where something is missing, rewards move and a sentence says why advantages do not', () => {
  test.each<[AlgorithmName, RegExp]>([
    ['remax', /^ReMax needs a greedy rollout/],
    ['ppo', /^PPO needs its critic’s values/],
    ['reinforce-pp', /^The KL in the reward needs/],
  ])('%s', async (name, sentence) => {
    const { rollouts, world } = await trained(configOf('grpo'));
    const logged = rollouts.map(({ steps, ...rollout }) => ({
      ...rollout,
      steps: steps.map(({ references: _references, values: _values, ...step }) => step),
    }));
    const { after, missing } = rescoreRollouts(logged, configOf(name), world, { right: 0, tool: 0, calls: 0 });
    expect(missing).toMatch(sentence);
    expect(after).toEqual(rollouts.map(() => ({ reward: 0, advantage: null })));
  });
});
