/** What chance decides in `start` is known to the script of the same episode: `demonstrate(task, state)`. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Evaluation } from '../../src/rl/rollouts/evaluation';
import { scriptedTrajectories } from '../../src/rl/rollouts/scripted';
import { prepareRun, type RunSetup } from '../../src/rl/rollouts/setup';
import { emptySandbox, moduleOf, ownConfig } from './own';

/** Who says the number that `start` drew solves the task. Scripts draw numbers of their own before they speak. */
const world = moduleOf({
  demonstrate: `export function start() {
  return { state: { drawn: Math.floor(Math.random() * 1000) } };
}
export const demonstrate = (task, state) => [{ answer: String(state.drawn + 0 * Math.random()) }];
export const policies = { oracle: demonstrate };`,
  reward: `export function reward({ state, answer }) {
  return { success: answer === String(state.drawn), exact: state.drawn };
}`,
});

let setup: RunSetup;

beforeAll(async () => {
  setup = await prepareRun(ownConfig(world), world, await emptySandbox());
});

describe('a script of an episode', () => {
  test.each([
    ['a demonstration', undefined],
    ['the oracle', 'oracle'],
  ])('%s is told what start left in that episode', async (_, policy) => {
    const tasks = await setup.client.tasks('train', 3, 0, 70, {});
    const trajectories = await scriptedTrajectories(setup, tasks, policy);
    expect(trajectories.map(({ success }) => success)).toEqual(tasks.map(() => true));
    expect(new Set(trajectories.map(({ reward }) => reward)).size).toBeGreaterThan(40);
  });

  test('also in validation', async () => {
    const played = await new Evaluation(setup, 16).runScript('oracle');
    expect(played.every(({ success }) => success)).toBe(true);
  });

  test('one that does not ask for it draws the numbers that it always drew', async () => {
    const without = moduleOf({ demonstrate: `export const demonstrate = () => [{ answer: String(Math.random()) }];` });
    const withStart = moduleOf({
      demonstrate: `export const start = () => ({ state: Math.random() });
export const demonstrate = () => [{ answer: String(Math.random()) }];`,
    });
    const turns = async (source: string) => {
      const { client } = await prepareRun(ownConfig(source), source, await emptySandbox());
      return (await client.demonstrate(await client.tasks('train', 3, 0, 4, {}), 1)).map((each) => each.turns);
    };
    expect(await turns(withStart)).toEqual(await turns(without));
  });
});

test('without a start the state is null', async () => {
  const source = moduleOf({ demonstrate: `export const demonstrate = (task, state) => [{ answer: String(state) }];` });
  const { client } = await prepareRun(ownConfig(source), source, await emptySandbox());
  const [{ turns }] = await client.demonstrate(await client.tasks('train', 3, 0, 1, {}), 1);
  expect(turns).toEqual([{ answer: 'null' }]);
});
