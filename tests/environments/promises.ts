/**
 * What every built-in world promises, found by its folder: splits that share no task, an oracle that nothing beats, a
 * random policy that is far below it, demonstrations that leave something to learn, and episodes within the limits of
 * its presets.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { EnvironmentClient, type Split } from '../../src/agent/environment-client';
import { fuelLimits } from '../../src/agent/sandbox';
import type { Task, Trajectory } from '../../src/agent/types';
import { builtInEnvironments } from '../../src/environments/built-in';
import { presets } from '../../src/config/presets';
import { environmentFailures } from '../../src/rl/rollouts/environment-failures';
import { successRate } from '../../src/rl/rollouts/evaluation';
import { scriptedTrajectories } from '../../src/rl/rollouts/scripted';
import { prepareRun, type RunSetup } from '../../src/rl/rollouts/setup';
import { oracleSuccess } from '../helpers/oracle-success';
import { emptySandbox } from './own';

/** Share of the oracle's success that a random policy may have. */
const randomShare: Readonly<Record<string, number>> = { bandit: 0.6 };
const usualRandomShare = 0.3;

const worlds = Object.keys(builtInEnvironments);

/** @param episodes of each player and split */
export function testPromises(episodes: number): void {
  test('every world has a preset, and every preset a world', () => {
    expect(new Set(presets.map(({ config }) => config.environment.name))).toEqual(new Set(worlds));
  });

  describe.each(presets)('$name', ({ config }) => {
    const { name } = config.environment;
    let setup: RunSetup;
    const drawn = new Map<Split, Task[]>();

    beforeAll(async () => {
      setup = await prepareRun(config, builtInEnvironments[name], await emptySandbox());
      const client = new EnvironmentClient(await loaded(name), setup.model.tokenizer);
      for (const split of ['train', 'validation', 'out-of-distribution'] as const) {
        if (split === 'out-of-distribution' && setup.description.outOfDistribution === undefined) continue;
        drawn.set(split, await client.tasks(split, 5, 0, episodes, config.environment.options));
      }
    });

    const play = async (policy: string | undefined, split: Split = 'validation'): Promise<Trajectory[]> =>
      scriptedTrajectories(setup, drawn.get(split)!, policy);

    test('no task is in two splits', () => {
      const splits = [...drawn.values()].map((tasks) => new Set(tasks.map(({ id }) => id)));
      const shown = [...drawn.values()].map(
        (tasks) => new Set(tasks.map(({ prompt, data }) => JSON.stringify([prompt, data]))),
      );
      for (const sets of [splits, shown])
        sets.forEach((one, i) =>
          sets.slice(i + 1).forEach((other) => expect([...one].filter((each) => other.has(each))).toEqual([])),
        );
    });

    test('a task is a function of split, seed, number and options alone', async () => {
      const client = new EnvironmentClient(await loaded(name));
      const [alone] = await client.tasks('train', 5, 37, 1, config.environment.options);
      expect(alone).toEqual(drawn.get('train')![37]);
    });

    test('the oracle solves what can be solved, nothing beats it, and chance is far below', async () => {
      const oracle = await play('oracle');
      expect(environmentFailures(oracle)).toBeNull();
      expect(successRate(oracle)).toBeGreaterThanOrEqual(oracleSuccess(name));
      const mean = (played: readonly Trajectory[]) =>
        played.reduce((sum, { reward }) => sum + reward, 0) / played.length;
      for (const policy of [...setup.description.policies!.filter((each) => each !== 'oracle'), undefined]) {
        const other = await play(policy);
        expect(environmentFailures(other), policy).toBeNull();
        // A noisy reward is worth as much to whoever is as good.
        expect(mean(other), policy).toBeLessThanOrEqual(mean(oracle) + 0.1);
        expect(successRate(other), policy).toBeLessThanOrEqual(successRate(oracle));
        if (policy === 'random')
          expect(successRate(other)).toBeLessThanOrEqual((randomShare[name] ?? usualRandomShare) * successRate(oracle));
      }
      expect(setup.description.policies).toContain('random');
    });

    test(`${episodes} episodes stay within the limits of the preset`, async () => {
      for (const split of drawn.keys()) {
        const limits = { calls: 0, fuel: 0 };
        for (const { end, steps } of await play('oracle', split)) {
          if (split !== 'out-of-distribution') expect(['answer', 'done']).toContain(end);
          for (const { toolCalls, action } of steps) {
            expect(action.tokens.length).toBeLessThanOrEqual(config.rollout.maxTokens);
            limits.fuel = Math.max(limits.fuel, ...toolCalls.map(({ fuel }) => fuel ?? 0));
          }
        }
        expect(limits.fuel, split).toBeLessThanOrEqual(fuelLimits.call / 8);
      }
    });
  });
}

async function loaded(name: string) {
  const sandbox = await emptySandbox();
  await sandbox.load(builtInEnvironments[name]);
  return sandbox;
}
