/** Demonstrations that cannot be imitated whole end the warm start with a sentence, before anything is learned. */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { writeRounds, type TaughtRound } from '../../src/config/rounds';
import { quietHooks } from '../../src/cli/recorded-start';
import { firstDemonstration } from '../../src/rl/rollouts/scripted';
import { prepareRun } from '../../src/rl/rollouts/setup';
import { Trainer } from '../../src/rl/trainer';
import { testDevice } from '../helpers/devices';
import { warmStart } from '../../src/rl/learner/warm-start';
import { emptySandbox, moduleOf, ownConfig } from '../environments/own';

async function imitate(source: string, change: (config: RunConfig) => RunConfig = (config) => config): Promise<void> {
  const config = ownConfig(source, (own) =>
    change({ ...own, warmStart: { ...own.warmStart, demonstrations: 16, steps: 1 } }),
  );
  const setup = await prepareRun(config, source, await emptySandbox());
  const never = () => {
    throw new Error('it learned');
  };
  await warmStart(setup, undefined as never, 0, {
    beforeSubmit: async () => undefined,
    onStep: never,
    onReport: never,
  });
}

test('sound demonstrations are learned from', async () => {
  await expect(imitate(moduleOf())).rejects.toThrow('it learned');
});

test('demonstrations with more turns than are allowed', async () => {
  await expect(
    imitate(moduleOf(), (config) => ({ ...config, rollout: { ...config.rollout, maxTurns: 1 } })),
  ).rejects.toThrow(
    /^The demonstration of ".* on day .*" takes more turns, with its answer, than rollout\.maxTurns allows \(1\): allow more/,
  );
});

test('demonstrations longer than the context', async () => {
  await expect(
    imitate(moduleOf(), (config) => ({ ...config, model: { ...config.model, context: 32 } })),
  ).rejects.toThrow(
    /leaves no room for a turn of rollout\.maxTokens \(12\) in a context of model\.context \(32\) tokens/,
  );
});

test('demonstrations that the environment fails', async () => {
  await expect(
    imitate(moduleOf({ reward: 'export const reward = () => ({ success: false, exact: NaN });' })),
  ).rejects.toThrow(
    'The environment failed in 16 of 16 episodes of the demonstrations, so the run was stopped. The reason, ' +
      'most often: TypeError: reward returned NaN for exact',
  );
});

test('prompts that the model cannot read', async () => {
  await expect(
    imitate(moduleOf({ tasks: "export const tasks = (rng) => ({ prompt: 'ñ' + rng.integer(1, 999) });" })),
  ).rejects.toThrow(/^meta\.alphabet lacks characters of the prompt "ñ\d+": "ñ" \(U\+00F1\)\.$/);
});

const call = (thing: string) => ({ calls: [{ name: 'look', arguments: { thing } }] });
const taughtBy = (...rounds: TaughtRound[]) =>
  imitate(moduleOf(), (config) => ({ ...config, warmStart: { ...config.warmStart, rounds: writeRounds(rounds) } }));

/** What solves a task of rounds. */
async function solution(task: number): Promise<TaughtRound> {
  const config = ownConfig(moduleOf());
  const setup = await prepareRun(config, moduleOf(), await emptySandbox());
  const [{ turns }] = await setup.client.demonstrate(
    await setup.client.tasks('train', 0, firstDemonstration + task, 1, {}),
    0,
  );
  return { task, turns: [...turns] };
}

test('rounds that solve their tasks are learned from', async () => {
  await expect(taughtBy(await solution(0), await solution(7))).rejects.toThrow('it learned');
});

test.each<[string, (sound: TaughtRound) => TaughtRound, RegExp]>([
  ['is lost', ({ task }) => ({ task, turns: [{ answer: '0' }] }), /does not solve its task in this setup\.$/],
  ['is of another task', ({ turns }) => ({ task: 8, turns }), /does not solve its task in this setup\.$/],
  [
    'stops early',
    ({ task, turns }) => ({ task, turns: turns.slice(0, 1) }),
    /ends after turn 1, and its episode goes on/,
  ],
  ['goes on', ({ task, turns }) => ({ task, turns: [...turns, call('axe')] }), /goes on after turn 2/],
  [
    'has words that no tokenizer of the run knows',
    ({ task, turns }) => ({ task, turns: [call('ñ'), ...turns.slice(1)] }),
    /meta\.alphabet lacks "ñ"/,
  ],
  [
    'is longer than the limit of turns',
    ({ task, turns }) => ({ task, turns: [...Array.from({ length: 20 }, () => turns[0]), turns[1]] }),
    /^Round 2 of warmStart\.rounds cannot teach: /,
  ],
  ['calls what is no tool', ({ task }) => ({ task, turns: [{ calls: [{ name: 'lok', arguments: {} }] }] }), /lok/],
])('a round that %s is refused with a sentence that names it', async (_, spoil, reason) => {
  const sound = await solution(7);
  const taught = taughtBy(sound, spoil(sound));
  await expect(taught).rejects.toThrow(/^Round 2 of warmStart\.rounds cannot teach: [A-Z].*\.$/s);
  await expect(taught).rejects.toThrow(reason);
});

test('what a person plays is learned, though no demonstration does it', { timeout: 120_000 }, async () => {
  const source = moduleOf({ demonstrate: "export const demonstrate = () => [{ answer: '0' }];" });
  const small = { layers: 1, width: 32, heads: 2, kvHeads: 2, mlpWidth: 32 };
  const rounds = writeRounds(await Promise.all(Array.from({ length: 8 }, (_, task) => solution(task))));
  const callsAfter = async (taught: object) => {
    const config = ownConfig(source, (own) => ({
      ...own,
      model: { ...own.model, ...small },
      warmStart: { ...own.warmStart, demonstrations: 16, steps: 120, batch: 32, learningRate: 0.01, ...taught },
      evaluation: { tasks: 32, every: 1 },
    }));
    const trainer = await Trainer.create(await testDevice(), await emptySandbox(), config, source, quietHooks);
    await trainer.warmStart();
    const trajectories = await trainer.evaluate('validation');
    trainer.destroy();
    return trajectories.filter(({ steps }) => steps.some(({ toolCalls }) => toolCalls.length > 0)).length;
  };
  expect(await callsAfter({})).toBe(0);
  expect(await callsAfter({ rounds })).toBeGreaterThan(0);
});
