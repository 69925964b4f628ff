/**
 * A training loop of one's own: it validates after each iteration, keeps the best agent and stops once that agent has
 * not improved for five iterations. Run it with `node own-loop.mjs`, beside an installed `agentlet`.
 */
import { writeFileSync } from 'node:fs';
import { openEngine, presetByName } from 'agentlet/engine';

const patience = 5;
const engine = await openEngine({ device: 'cpu' });
const trainer = await engine.trainer({ ...presetByName('calculator-mini').config, iterations: 60 });
await trainer.warmStart();

let best = { iteration: 0, success: await trainer.validate() };
console.log(`After the warm start ${percent(best.success)} of unseen tasks are solved.`);
while (trainer.progress.iteration < trainer.setup.config.iterations) {
  const { metrics } = await trainer.iterate();
  const success = metrics.validationSuccess ?? (await trainer.validate());
  console.log(`iteration ${metrics.iteration}: ${percent(success)} of unseen tasks`);
  if (success > best.success) {
    best = { iteration: metrics.iteration, success };
    writeFileSync('best.safetensors', await engine.save(trainer));
  } else if (metrics.iteration - best.iteration >= patience) break;
}
console.log(`Best: ${percent(best.success)} after iteration ${best.iteration}, in best.safetensors.`);
engine.close();

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
