import { test } from 'vitest';
import { withAlgorithm } from '../../src/rl/algorithms/by-name';
import { algorithmNames } from '../../src/rl/config-algorithm';
import type { RunConfig } from '../../src/rl/config';
import { Trainer } from '../../src/rl/trainer';
import { testDevice } from '../helpers/gpu';
import { PlainSandbox } from '../agent/plain-sandbox';
import { bandit, lessonConfig, threeSteps } from '../helpers/lessons';

const hooks = { between: async () => undefined, onProgress: () => undefined, onTurn: () => undefined, onWarmLoss: () => undefined };
test('explore', async () => {
  const device = await testDevice();
  const only = process.env.ONLY?.split(',');
  const lr = Number(process.env.LR ?? 3e-3);
  const out: string[] = [];
  for (const [name, guest, most] of [['bandit', bandit, 20], ['three', threeSteps, 40]] as const)
    for (const seed of (process.env.SEEDS ?? '1').split(',').map(Number)) {
      const base: RunConfig = { ...lessonConfig, seed, optimizer: { ...lessonConfig.optimizer, learningRate: lr } };
      const warm = await Trainer.create(device, new PlainSandbox(guest), base, '', hooks);
      await warm.warmStart();
      const weights = await warm.store.read(warm.store.value);
      warm.destroy();
      for (const algo of algorithmNames) {
        if (only && !only.includes(algo)) continue;
        const config = withAlgorithm(base, algo); if (process.env.RESET) config.mistakes = { ...config.mistakes, creditReset: true };
        const t = await Trainer.create(device, new PlainSandbox(guest), config, '', hooks);
        t.store.write(t.store.value, weights);
        t.learner.rememberStart();
        t.progress.warm = true;
        const t2 = performance.now();
        const curve = [];
        let done = 0;
        let last;
        for (let i = 0; i < most; i++) {
          const { metrics } = await t.iterate();
          last = metrics;
          curve.push(metrics.success.toFixed(2));
          if (metrics.success >= 0.95) { done = i + 1; break; }
        }
        const t3 = performance.now();
        out.push([name, algo, seed, done || 'FAILED', `run ${(t3 - t2).toFixed(0)}`, curve.join(' '), last!.diagnostics!.critic ? JSON.stringify(last!.diagnostics!.critic) + last!.diagnostics!.explainedVariance : ''].join(' '));
        t.destroy();
      }
    }
  console.log('\n' + out.join('\n'));
}, 600000);
