/**
 * Every preset without a GPU: its config is valid, its episodes fit, and its environment's scripts play through the
 * loop that rollouts take.
 */
import { describe, expect, test } from 'vitest';
import { configNotices, configProblems } from '../../src/config/config';
import { planRun } from '../../src/rl/memory';
import { environmentSource } from '../../src/config/environment-source';
import { Evaluation, successRate } from '../../src/rl/rollouts/evaluation';
import { algorithms } from '../../src/algorithms/table';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { presets } from '../../src/config/presets';
import { oracleSuccess } from '../helpers/oracle-success';
import { scriptedTrajectories } from '../../src/rl/rollouts/scripted';
import { prepareRun, type RunSetup } from '../../src/rl/rollouts/setup';
import { toolFormatNames } from '../../src/text/tool-formats/by-name';
import { openLocal } from '../sandbox/open';
import type { RunConfig } from '../../src/config/config';

const count = 48;

async function stageOf(config: RunConfig): Promise<RunSetup> {
  const source = environmentSource(config);
  return prepareRun({ ...config, evaluation: { ...config.evaluation, tasks: count } }, source, await openLocal(source));
}

test('episodes of three presets can be long enough for DAPO’s penalty, as its text says', () => {
  const long = presets.filter(({ config }) => {
    const { rollout, shaping } = withAlgorithm(config, 'dapo');
    expect(shaping.overlong).toBeGreaterThan(0);
    return rollout.maxTurns * rollout.maxTokens >= shaping.overlongFrom;
  });
  expect(long.map(({ name }) => name)).toEqual(['bisect', 'table', 'word-problems']);
  expect(algorithms.dapo.columns[0].about).toMatch(/only episodes of bisect, table and word-problems/);
});

test('a target for KL needs a coefficient to adapt', () => {
  const [{ config }] = presets;
  const problems = (klCoefficient: number) =>
    configProblems({ ...config, algorithm: { ...config.algorithm, klTarget: 0.1, klCoefficient } });
  expect(problems(0)).toEqual([
    'algorithm.klTarget: a coefficient of 0 stays 0 whatever the KL is; set algorithm.klCoefficient above 0, ' +
      'or the target to 0.',
  ]);
  expect(problems(0.1)).toEqual([]);
});

test('names are unique', () => {
  expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
});

describe.each(presets)('$name', ({ config }) => {
  test('is a valid config that names every option and reward term', async () => {
    expect(configProblems(config)).toEqual([]);
    const { description } = await stageOf(config);
    expect(Object.keys(config.environment.options).sort()).toEqual(description.options.map(({ name }) => name).sort());
    expect(Object.keys(config.rewards)).toEqual(Object.keys(description.rewards));
  });

  test.each(toolFormatNames)(
    'its demonstrations end in answers or by a call, without an error, in the %s format',
    async (toolFormat) => {
      const { model, rollout } = config;
      const roomy = { model: { ...model, context: 4096 }, rollout: { ...rollout, maxTokens: 256 } };
      const setup = await stageOf({
        ...config,
        ...(toolFormat !== 'compact' && roomy),
        text: { ...config.text, toolFormat },
      });
      const tasks = await setup.client.tasks('train', 1, 0, count, config.environment.options);
      const play = scriptedTrajectories(setup, tasks);
      if (toolFormat === 'retool' && setup.description.tools.length > 1)
        return expect(play).rejects.toThrow('for an environment with one tool that takes one text');
      for (const { end, steps } of await play) {
        expect(['answer', 'done']).toContain(end);
        for (const step of steps) expect(step.error).toBeUndefined();
      }
    },
  );

  test('its context holds every split, also for an agent that repeats its last exchange', async () => {
    const { model, rollout } = config;
    const setup = await stageOf({ ...config, model: { ...model, context: 1024 } });
    const evaluation = new Evaluation(setup);
    const { policies = [], outOfDistribution } = setup.description;
    for (const split of ['validation', ...(outOfDistribution ? ['out-of-distribution' as const] : [])] as const) {
      for (const policy of policies) {
        for (const { steps } of await evaluation.runScript(policy, split)) {
          const lengths = steps.map(({ prompt }) => prompt.length);
          const again = steps.length < rollout.maxTurns ? lengths.at(-1)! - (lengths.at(-2) ?? lengths.at(-1)!) : 0;
          expect(lengths.at(-1)! + again + rollout.maxTokens, `${split}, ${policy}`).toBeLessThanOrEqual(model.context);
        }
      }
    }
  });

  test('its oracle solves every split, and each script fits its turns and tokens', async () => {
    const setup = await stageOf(config);
    const evaluation = new Evaluation(setup);
    const { policies = [], outOfDistribution } = setup.description;
    expect(policies).toContain('oracle');
    for (const split of ['validation', ...(outOfDistribution ? ['out-of-distribution' as const] : [])] as const) {
      for (const policy of policies) {
        const trajectories = await evaluation.runScript(policy, split);
        for (const { end } of trajectories) expect(['answer', 'done']).toContain(end);
        if (policy === 'oracle')
          expect(successRate(trajectories)).toBeGreaterThanOrEqual(oracleSuccess(config.environment.name));
      }
    }
  });
});

test('a truncated draw is noticed, because training then is biased', () => {
  const { config } = presets[0];
  const limits = { bindingBytes: Infinity, memoryBytes: Infinity };
  const cut = (changes: object) => ({ ...config, rollout: { ...config.rollout, ...changes } });
  expect(configNotices(config)).toEqual([]);
  for (const biased of [cut({ topK: 5 }), cut({ topP: 0.9 }), cut({ topK: 5, topP: 0.9 })]) {
    expect(configNotices(biased)).toEqual([expect.stringContaining('biased')]);
    expect(configProblems(biased)).toEqual([]);
    expect(planRun(biased, null, limits)).toMatchObject({ problems: [], notices: configNotices(biased) });
  }
});
