import { iterations, openEngine, presetByName } from 'agentlet/engine';

const engine = await openEngine({ device: 'cpu' });
const trainer = await engine.trainer({ ...presetByName('bandit').config, iterations: 2 });
for await (const { metrics } of iterations(trainer)) console.log(metrics.iteration, metrics.success);
console.log(trainer.progress.fingerprint.join('.'));
engine.close();
