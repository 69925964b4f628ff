/**
 * Numbers of tokens that are read beside training: they are the learner's, and reading them changes no bit of the run.
 */
import { beforeAll, expect, test } from 'vitest';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import type { Device } from '../../src/device/device';
import { builtInEnvironments, sdkSource } from '../../src/environments/built-in';
import { saveCheckpoint } from '../../src/rl/checkpoint';
import type { RunConfig } from '../../src/config/config';
import { explainTokens } from '../../src/rl/diagnostics/token-explanation';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { Trainer } from '../../src/rl/trainer';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { TokenSession } from '../../src/run/token-session';
import { testDevice } from '../helpers/devices';
import { tinyRun } from '../helpers/tiny-run';

const config = tinyRun(2);
const source = builtInEnvironments.calculator;

let device: Device;
let binary: WebAssembly.Module;

beforeAll(async () => {
  device = await testDevice();
  binary = await compileQuickJs();
});

async function begin(run: RunConfig): Promise<Trainer> {
  const trainer = await Trainer.create(device, new LocalSandbox({ binary, sdk: sdkSource }), run, source, quietHooks);
  await trainer.warmStart();
  return trainer;
}

const trained = (rollouts: readonly RolloutView[]) => rollouts.find(({ advantage }) => advantage !== 0) ?? rollouts[0];

test('the agent that sampled gives the old log-probabilities, and the reference is that of the run', async () => {
  // At a rate of nearly 0, the agent after the step is the agent that sampled.
  const run = { ...config, iterations: 1, optimizer: { ...config.optimizer, learningRate: 1e-12 } };
  const trainer = await begin(run);
  const { rollouts } = await trainer.iterate();
  const session = new TokenSession(device, trainer);
  for (const rollout of rollouts.slice(0, 3)) {
    const { tokens, after, updating } = await session.explain(rollout);
    expect({ after, updating }).toEqual({ after: 1, updating: false });
    rollout.steps.forEach(({ logProbs, references, tokens: ids }, k) =>
      logProbs.forEach((old, t) => {
        const { ratio, reference, likeliest } = tokens[k][t];
        expect(ratio).toBeCloseTo(1, 4);
        expect(reference).toBeCloseTo(references![t], 4);
        const shares = likeliest!.map(({ probability }) => probability);
        expect(shares).toEqual([...shares].sort((a, b) => b - a));
        const own = likeliest!.find(({ id }) => id === ids[t]);
        if (own) expect(own.probability).toBeCloseTo(Math.exp(old), 4);
      }),
    );
  }
  await session.close();
  trainer.destroy();
});

test('reading tokens between and during steps changes no bit of a run', async () => {
  const run = async (reads: boolean) => {
    const trainer = await begin(config);
    const session = new TokenSession(device, trainer);
    const { rollouts } = await trainer.iterate();
    const read = reads ? await session.explain(trained(rollouts)) : null;
    const during = reads ? session.explain(trained(rollouts)) : null;
    await trainer.iterate();
    await during;
    const checkpoint = await saveCheckpoint(device, trainer, source);
    await session.close();
    trainer.destroy();
    return { checkpoint, read };
  };
  const plain = await run(false);
  const watched = await run(true);
  expect(Buffer.compare(watched.checkpoint, plain.checkpoint), 'the same bytes').toBe(0);
  expect(watched.read!.tokens.flat().some(({ ratio }) => ratio !== 1)).toBe(true);
});

test('without a reading, the update’s beginning is explained: every ratio is 1', async () => {
  const trainer = await begin({ ...config, iterations: 1 });
  const rollout = trained((await trainer.iterate()).rollouts);
  trainer.destroy();
  const { algorithm, tokens } = explainTokens(rollout, config, null);
  expect(algorithm).toBe('GRPO');
  rollout.steps.forEach(({ advantages, references }, k) =>
    tokens[k].forEach((token, t) => {
      expect(token).toMatchObject({ ratio: 1, clipped: false, likeliest: null, reference: references![t] });
      expect(token.loss).toBeCloseTo(-advantages[t], 12);
    }),
  );
});
