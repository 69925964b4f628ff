/**
 * From an idea to a figure: does a larger group of rollouts help GRPO when the number of rollouts stays the same? Three
 * group sizes on three seeds, mean success of practice by iteration, drawn as figure.svg. Run it with
 * `node idea-to-figure.mjs`, beside an installed `agentlet`.
 */
import { writeFileSync } from 'node:fs';
import { iterations, openEngine, presetByName } from 'agentlet/engine';

// The idea: 32 rollouts an iteration, in groups of 2, 4 or 8.
const rollouts = 32;
const groups = [2, 4, 8];
const seeds = [1, 2, 3];
const base = { ...presetByName('calculator-mini').config, iterations: 12 };

// The runs: success of each iteration, a mean over the seeds.
const engine = await openEngine({ device: 'cpu' });
const curves = [];
for (const group of groups) {
  const sum = new Array(base.iterations).fill(0);
  for (const seed of seeds) {
    const rollout = { ...base.rollout, group, tasks: rollouts / group };
    const trainer = await engine.trainer({ ...base, seed, rollout });
    for await (const { metrics } of iterations(trainer)) sum[metrics.iteration - 1] += metrics.success / seeds.length;
    trainer.destroy();
  }
  curves.push(sum);
  console.log(`groups of ${group}: ${sum.map((success) => (100 * success).toFixed(0)).join(' ')} %`);
}
engine.close();

// The figure.
const colors = ['teal', 'orangered', 'slateblue'];
const line = (curve, k) => {
  const points = curve.map((success, i) => `${40 + (i * 340) / (curve.length - 1)},${220 - 200 * success}`).join(' ');
  const label = `<text x="385" y="${224 - 200 * curve.at(-1)}" fill="${colors[k]}">${groups[k]}</text>`;
  return `<polyline points="${points}" fill="none" stroke="${colors[k]}"/>${label}`;
};
const axes =
  '<path d="M40 20V220H380" fill="none" stroke="gray"/><text x="4" y="24">100 %</text><text x="20" y="224">0</text>';
const title = '<text x="40" y="240">iteration 1 to 12; the number is the size of a group</text>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 250" font-size="10">${axes}${title}${curves.map(line).join('')}</svg>`;
writeFileSync('figure.svg', svg);
