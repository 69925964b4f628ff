/** Demonstrations that cannot be imitated whole end the warm start with a sentence, before anything is learned. */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { prepareRun } from '../../src/rl/rollouts/setup';
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
