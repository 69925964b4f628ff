/** Links that this version cannot follow to the letter: what is used instead, and what is said about it. */
import { expect, test } from 'vitest';
import { presetByName, presets } from '../../src/config/presets';
import { missingModel } from '../../src/config/pretrained';
import { openRunLink, runLink } from '../../src/config/run-link';
import { planRun } from '../../src/rl/memory';
import { packBlob } from '../../src/share/blob';
import { hasConfigShape } from '../../src/share/config-shape';

const mini = presetByName('calculator-mini').config;

test.each(['nowhere', 'constructor'])(
  'the environment %s, neither built in nor carried along, gives way to the preset’s',
  async (name) => {
    const { config, notices } = await openRunLink(`v=1&preset=calculator-mini&env=${name}&opt.max=9&lr=0.001`);
    expect(config).toEqual({ ...mini, optimizer: { ...mini.optimizer, learningRate: 0.001 } });
    expect(notices).toEqual([
      `This version has no environment called "${name}" and the link brings no code for it; calculator is ` +
        `used instead.`,
    ]);
  },
);

test('an environment that the link carries keeps its name and its code', async () => {
  const environment = { ...mini.environment, name: 'mine', source: 'export const meta = {};' };
  const { config, notices } = await openRunLink(await runLink({ ...mini, environment }, null));
  expect(config.environment).toEqual(environment);
  expect(notices).toEqual([]);
});

test.each(presets.map(({ name }) => name))(
  'rewards and options of an environment like no preset’s survive a link, on the base %s',
  async (base) => {
    const { config: preset } = presetByName(base);
    const environment = {
      name: 'shop',
      options: { shelves: 3, sign: '12', mood: '"calm"', odds: 80 },
      source: 'export const meta = {};',
    };
    const config = { ...preset, environment, rewards: { sold: 1, tool: 0.25 } };
    const link = await runLink(config, null);
    const opened = await openRunLink(link);
    expect(opened).toMatchObject({ config, notices: [] });
    expect(opened.config, 'nothing of the preset’s').toEqual(config);
    expect(await runLink(opened.config, null), 'the same link again').toBe(link);
  },
);

test('an environment that leaves weights and options to itself gets none from a preset', async () => {
  const config = {
    ...mini,
    environment: { name: 'shop', options: {}, source: 'export const meta = {};' },
    rewards: {},
  };
  expect((await openRunLink(await runLink(config, null))).config).toEqual(config);
});

test('a built-in environment other than the preset’s keeps its own names', async () => {
  const { config, notices } = await openRunLink(
    'v=1&preset=calculator-mini&env=bandit&opt.odds=90&reward.pay=2&opt.max=9&reward.correct=3',
  );
  expect(config.environment).toEqual({ name: 'bandit', options: { odds: 90 } });
  expect(config.rewards).toEqual({ pay: 2 });
  expect(notices).toHaveLength(2);
  expect((await openRunLink(await runLink(config, null))).config).toEqual(config);
});

test('weights of all reward terms and options of the environment survive the link', async () => {
  const config = {
    ...mini,
    rewards: { correct: 1, calls: 0.1, wasted: -0.25 },
    environment: { ...mini.environment, options: { operations: 3, max: 9 } },
  };
  const opened = await openRunLink(await runLink(config, null));
  expect(opened.config).toEqual(config);
  expect(opened.notices).toEqual([]);
});

test('a link of a thousand faults is answered in a dozen sentences, each once', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => `reward.n${i}=1&key${i}=1&${'long'.repeat(20)}${i}=1`).join('&');
  const { config, notices } = await openRunLink(
    `v=1&preset=calculator-mini&ev=${'9'.repeat(99)}&env=mine&${many}`.slice(0, 47_000),
  );
  expect(Object.keys(config.rewards).length).toBeLessThanOrEqual(32);
  expect(notices).toHaveLength(13);
  expect(new Set(notices).size).toBe(13);
  expect(notices.at(-1)).toMatch(/^\d+ more values of this link were ignored or changed\.$/);
});

test('names of strangers stand in our sentences without what turns the line around', async () => {
  const { problem, notices, engineVersion } = await openRunLink(
    `v=1&preset=calcul%D0%B0tor%E2%80%AE%00&ev=9%E2%80%AE${'9'.repeat(99)}`,
  );
  expect(notices).toHaveLength(1);
  expect(notices.join() + problem).not.toMatch(/[\u202E\u0000]/);
  expect(problem).toContain('no preset called "calculаtor??"');
  expect(engineVersion.length).toBeLessThan(40);
});

test.each([
  ['gpu', 'auto', 'auto'],
  ['cpu', 'auto', 'cpu'],
  ['gpu', 'gpu', 'gpu'],
  ['cpu', 'gpu', 'cpu'],
] as const)('a run on the %s with the device %s makes a link that opens with %s', async (kind, device, expected) => {
  const run = { validation: [], fingerprint: [], adapter: 'one', device: kind };
  expect((await openRunLink(await runLink({ ...mini, device }, run))).config.device).toBe(expected);
});

test('the link of a run that was made longer opens, without the validation of its former last step', async () => {
  const config = { ...mini, iterations: 30, evaluation: { ...mini.evaluation, every: 8 } };
  const validation = [1, 8, 10, 16].map((iteration) => ({ iteration, success: 0.5 }));
  const run = { validation, fingerprint: ['a'.repeat(16)], adapter: 'one', device: 'cpu' } as const;
  const { problem, validation: opened } = await openRunLink(await runLink(config, run));
  expect([problem, opened?.map(({ iteration }) => iteration)]).toEqual([null, [1, 8, 16]]);
});

const pretrained = {
  name: 'owner/model',
  revision: 'main',
  digest: 'ab'.repeat(32),
  rank: 8,
  alpha: 16,
  targets: 'attention',
} as const;

test('a pretrained model is named by name, revision and digest, and a run of it asks for its files', async () => {
  const config = { ...mini, model: { ...mini.model, pretrained } };
  const link = await runLink(config, null);
  const opened = await openRunLink(link);
  expect(opened).toMatchObject({ config, notices: [], problem: null });
  expect(await runLink(opened.config, null)).toBe(link);
  const { problems } = planRun(opened.config, null, { bindingBytes: Infinity, memoryBytes: Infinity });
  expect(problems).toEqual([missingModel(pretrained)]);
  expect(hasConfigShape(opened.config)).toBe(true);
});

test.each([
  ['no JSON', '{', 'Invalid JSON'],
  ['another digest', JSON.stringify({ ...pretrained, digest: 'ab' }), 'digest'],
  ['an unseen character', JSON.stringify({ ...pretrained, name: 'a\u202eb' }), 'name: must be plain text'],
  ['another part', JSON.stringify({ ...pretrained, weights: 'x' }), 'weights'],
])('a link whose pretrained model has %s cannot be used', async (_, text, why) => {
  const { problem, config } = await openRunLink(`v=1&preset=calculator-mini&x=${await packBlob({ pretrained: text })}`);
  expect(problem).toContain('Its pretrained model cannot be used: ');
  expect(problem).toContain(why);
  expect(config).toEqual(mini);
});
