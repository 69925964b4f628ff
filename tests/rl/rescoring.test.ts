/**
 * The reward desk's numbers: under the run's own reward they are what the run trained with, under another reward what a
 * run with that reward trains with, bit for bit.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import { sdkSource } from '../../src/environments/built-in';
import type { AlgorithmName } from '../../src/algorithms/table';
import { withReward } from '../../src/config/changed-reward';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import { presetByName } from '../../src/config/presets';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { rescoreRollouts, type Rewarded } from '../../src/rl/diagnostics/rescoring';
import { replayRollouts, type RolloutReplay } from '../../src/rl/diagnostics/rollout-replay';
import { prepareRun } from '../../src/rl/rollouts/setup';
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
  execute: (args, { state }) => ({ text: 'seen', reward: Math.random(), state: (state ?? 0) + 1, done: state \
=== 3 }) })];
export const tasks = (rng) => ({ prompt: String(rng.integer(0, 9999)) });
export const reward = ({ state, steps }) => ({
  success: state === 4, right: Math.round(Math.random()), calls: steps.flatMap((step) => step.toolCalls).length });
export const demonstrate = () => Array.from({ length: 4 }, () => ({ calls: [{ name: 'next', arguments: { \
word: 'more' } }] }));
`;
const weights = { right: 0.3, tool: -0.5, calls: 0.2 };

function configOf(name: AlgorithmName, rewards: RunConfig['rewards'] = {}, code = source): RunConfig {
  const { config: base } = presetByName('calculator-mini');
  const changed = {
    ...base,
    environment: { name: 'sum', options: {}, source: code },
    rewards,
    iterations: 1,
    model: { ...base.model, layers: 1, width: 16, heads: 2, kvHeads: 1, mlpWidth: 16, context: 96 },
    text: { ...base.text, tokenizer: 'word' as const },
    warmStart: { ...base.warmStart, demonstrations: 64, steps: 100, batch: 16, recorded: false },
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
async function trained(config: RunConfig): Promise<Rewarded> {
  const trainer = await Trainer.create(await cpuDevice(), sandbox(), config, environmentSource(config), quietHooks);
  await trainer.warmStart();
  const { rollouts } = await trainer.iterate();
  trainer.destroy();
  return { rollouts, description: trainer.setup.description };
}

const sandbox = () => new LocalSandbox({ binary, sdk: sdkSource });

/** The rollouts of a run of one config, played again under another. */
async function replayed(config: RunConfig, rollouts: readonly RolloutView[]): Promise<Rewarded & RolloutReplay> {
  const setup = await prepareRun(config, environmentSource(config), sandbox());
  return { ...(await replayRollouts(setup, rollouts)), description: setup.description };
}

const scoresOf = (rollouts: readonly RolloutView[]) => rollouts.map(({ reward, advantage }) => ({ reward, advantage }));

test.each<AlgorithmName>(['grpo', 'dapo', 'gigpo', 'rloo', 'reinforce-pp', 'ppo', 'step-ppo', 'bi-level-gae'])(
  '%s: the same rollouts under other weights are what a run with those weights trains on',
  async (name) => {
    const logged = await trained(configOf(name));
    const { before, after, missing, terms } = rescoreRollouts(logged, configOf(name), weights);
    expect(missing).toBeNull();
    expect(before).toEqual(scoresOf(logged.rollouts));
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
    const { rollouts, description } = await trained(configOf('grpo'));
    const logged = rollouts.map(({ steps, ...rollout }) => ({
      ...rollout,
      steps: steps.map(({ references: _references, values: _values, ...step }) => step),
    }));
    const { after, missing } = rescoreRollouts({ rollouts: logged, description }, configOf(name), {
      right: 0,
      tool: 0,
      calls: 0,
    });
    expect(missing).toMatch(sentence);
    expect(after).toEqual(rollouts.map(() => ({ reward: 0, advantage: null })));
  });
});

describe('under other code', () => {
  /** Another draw, a term more and a term less. */
  const code = source
    .replace('calls: { description', 'turns: { description')
    .replace('calls: steps.flatMap((step) => step.toolCalls).length', 'turns: steps.length')
    .replace('reward: Math.random()', 'reward: 1 - Math.random() / 2');

  /** The config of the run with this code. */
  const changed = (name: AlgorithmName, description: Rewarded['description']) =>
    parseConfig(withReward(configOf(name, { calls: 0.5 }), { weights, source: code }, description));

  test.each<AlgorithmName>(['grpo', 'dapo', 'ppo'])(
    '%s: the same rollouts are what a run with that code trains on',
    async (name) => {
      const logged = await trained(configOf(name, { calls: 0.5 }));
      const { description } = await replayed(configOf(name, {}, code), []);
      const config = changed(name, description);
      expect(config.rewards).toEqual({ right: 0.3, tool: -0.5 });
      const again = await replayed(config, logged.rollouts);
      expect([again.parted, again.failures]).toEqual([0, null]);
      const { before, after, terms } = rescoreRollouts(logged, configOf(name, { calls: 0.5 }), weights, again);
      expect(before).toEqual(scoresOf(logged.rollouts));
      expect(after).toEqual(scoresOf((await trained(config)).rollouts));
      expect(after).not.toEqual(before);
      expect(terms.map((term) => term.name)).toEqual(['right', 'tool', 'turns']);
    },
  );

  test('a part of an iteration is played at its place in it', async () => {
    const { rollouts } = await trained(configOf('grpo'));
    const some = rollouts.filter((_, i) => i % 3 === 1);
    const again = await replayed(configOf('grpo'), some);
    expect(again.parted).toBe(0);
    expect(again.rollouts).toEqual(some);
  });

  test('rollouts whose task or tools the code changes stay as they were, and are counted', async () => {
    const { rollouts, description } = await trained(configOf('grpo'));
    const config = configOf('grpo', {}, source.replace("text: 'seen'", "text: 'more'"));
    const again = await replayed(config, rollouts);
    const silent = rollouts.filter(({ steps }) => steps.length === 1);
    expect(again.parted).toBe(rollouts.length - silent.length);
    expect(again.parted).toBeGreaterThan(0);
    const scores = rescoreRollouts({ rollouts, description }, configOf('grpo'), {}, again);
    expect(scores.after).toEqual(scores.before);
    const others = await replayed(configOf('grpo', {}, source.replace('9999', '99')), rollouts);
    expect([others.parted, others.rollouts]).toEqual([rollouts.length, rollouts]);
  });

  test('a reward that throws is counted, with its reason', async () => {
    const { rollouts } = await trained(configOf('grpo'));
    const failing = source.replace('success: state === 4', 'success: missing(state)');
    const { failures } = await replayed(configOf('grpo', {}, failing), rollouts);
    expect(failures).toMatchObject({ count: rollouts.length, reason: expect.stringContaining('missing') });
  });
});
