/** What every preset promises of its tasks: demonstrations that end well, splits that its context holds. */
import { describe, expect, test } from 'vitest';
import { configProblems, type RunConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import { presets } from '../../src/config/presets';
import { Evaluation, successRate } from '../../src/rl/rollouts/evaluation';
import { scriptedTrajectories } from '../../src/rl/rollouts/scripted';
import { prepareRun, type RunSetup } from '../../src/rl/rollouts/setup';
import type { ToolFormatName } from '../../src/text/tool-formats/by-name';
import { oracleSuccess } from '../helpers/oracle-success';
import { openLocal } from '../sandbox/open';

/** @param count tasks of each split */
export function testPresets(count: number, toolFormats: readonly ToolFormatName[]): void {
  describe.each(presets)('$name', ({ config }) => {
    test('is a valid config that names every option and reward term', async () => {
      expect(configProblems(config)).toEqual([]);
      const { description } = await stageOf(count, config);
      expect(Object.keys(config.environment.options).sort()).toEqual(
        description.options.map(({ name }) => name).sort(),
      );
      expect(Object.keys(config.rewards)).toEqual(Object.keys(description.rewards));
    });

    test.each(toolFormats)(
      'its demonstrations end in answers or by a call, without an error, in the %s format',
      async (toolFormat) => {
        const { model, rollout } = config;
        const roomy = { model: { ...model, context: 4096 }, rollout: { ...rollout, maxTokens: 256 } };
        const setup = await stageOf(count, {
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
      const setup = await stageOf(count, { ...config, model: { ...model, context: 1024 } });
      const evaluation = new Evaluation(setup);
      const { policies = [], outOfDistribution } = setup.description;
      for (const split of ['validation', ...(outOfDistribution ? ['out-of-distribution' as const] : [])] as const) {
        for (const policy of policies) {
          for (const { steps } of await evaluation.runScript(policy, split)) {
            const lengths = steps.map(({ prompt }) => prompt.length);
            const again = steps.length < rollout.maxTurns ? lengths.at(-1)! - (lengths.at(-2) ?? lengths.at(-1)!) : 0;
            expect(lengths.at(-1)! + again + rollout.maxTokens, `${split}, ${policy}`).toBeLessThanOrEqual(
              model.context,
            );
          }
        }
      }
    });

    test('its oracle solves every split, and each script fits its turns and tokens', async () => {
      const setup = await stageOf(count, config);
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
}

async function stageOf(count: number, config: RunConfig): Promise<RunSetup> {
  const source = environmentSource(config);
  return prepareRun({ ...config, evaluation: { ...config.evaluation, tasks: count } }, source, await openLocal(source));
}
