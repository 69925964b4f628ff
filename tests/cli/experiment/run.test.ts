/**
 * The `experiment` command on a tiny bandit: its lines and files, going on after a stop, and the same bits with a
 * shared warm start or an own one.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCheckpointHead } from '../../../src/rl/checkpoint';
import { presetByName } from '../../../src/config/presets';
import { readResults, type ResultRow } from '../../../src/share/results';
import { runCommand } from '../../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-experiment-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tiny = {
  name: 'tiny',
  title: 'Tiny',
  question: 'Does it run?',
  base: 'bandit',
  changes: {
    iterations: 2,
    'warmStart.demonstrations': 32,
    'warmStart.steps': 6,
    'warmStart.batch': 8,
    'rollout.tasks': 2,
    'rollout.group': 4,
    'evaluation.tasks': 8,
  },
  rows: [
    { name: 'grpo', title: 'GRPO', kind: 'train' },
    { name: 'rloo', title: 'RLOO', kind: 'train', algorithm: 'rloo', paper: 0.5 },
  ],
};
const file = join(folder, 'tiny.json');
const experiment = async (rows: readonly object[], out: string, seeds: number) => {
  writeFileSync(file, JSON.stringify({ ...tiny, rows }));
  const { stdout, stderr } = await runCommand('experiment', file, '--seeds', String(seeds), '--out', join(folder, out));
  const results = readResults(JSON.parse(readFileSync(join(folder, out, 'tiny.json'), 'utf8')));
  return { stdout, results, lines: stderr.split('\n').filter((line) => line.startsWith('[')) };
};
const bits = (row: ResultRow) => row.seeds.map(({ seconds: _, ...rest }) => rest);

test('cells run once, with a line each; a second start goes on; a shared warm start changes no bit', async () => {
  const first = await experiment(tiny.rows, 'a', 1);
  expect(first.lines).toEqual([
    expect.stringMatching(/^\[1\/2\] GRPO, seed 1: [\d.]+ % → [\d.]+ % → [\d.]+ %, \d+ s; likely \d+ s left$/),
    expect.stringMatching(/^\[2\/2\] RLOO, seed 1: [^;]* s$/),
  ]);
  const [grpo, rloo] = first.results.rows;
  expect(Object.keys(grpo.seeds[0].curves).sort()).toEqual(
    ['success', 'turns', 'entropy', 'kl', 'clipFraction', 'gradientNorm', 'explainedVariance'].sort(),
  );
  for (const curve of Object.values(grpo.seeds[0].curves)) expect(curve.length).toBe(2);
  expect(grpo.seeds[0].curves.gradientNorm!.every((norm) => norm! > 0)).toBe(true);
  expect(grpo.seeds[0].curves.explainedVariance, 'GRPO has no critic').toEqual([null, null]);
  expect([grpo.updates, rloo.updates]).toEqual([4, 4]);
  expect(grpo.seeds[0].fingerprint.length).toBe(2);
  expect(rloo.seeds[0].warm).toEqual(grpo.seeds[0].warm);
  const { rollout } = presetByName('bandit').config;
  expect(first.results.config, 'the base of its rows').toMatchObject({
    seed: 1,
    iterations: 2,
    rollout: { ...rollout, tasks: 2, group: 4 },
  });
  expect(rloo.changes).toContainEqual({ path: 'algorithm.name', from: 'grpo', to: 'rloo' });
  expect(first.results.commits).toEqual([expect.stringMatching(/^([0-9a-f]{12}(-dirty)?|unknown)$/)]);
  expect(first.stdout).toContain('| RLOO | ');
  const [head, ...cells] = readFileSync(join(folder, 'a', 'cells.csv'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(head).toBe('row,seed,iteration,success,turns,entropy,kl,clipFraction,gradientNorm,explainedVariance');
  expect(cells.map((line) => line.split(',').slice(0, 4))).toEqual(
    [grpo, rloo].flatMap(({ name, seeds: [{ seed, curves }] }) =>
      curves.success.map((success, at) => [name, String(seed), String(at + 1), String(success)]),
    ),
  );
  const svg = readFileSync(join(folder, 'a', 'tiny.svg'), 'utf8');
  for (const text of ['Tiny', 'GRPO', 'RLOO']) expect(svg).toContain(`>${text}</text>`);
  expect(readFileSync(join(folder, 'a', 'tiny.md'), 'utf8')).toBe(first.stdout);

  const second = await experiment(tiny.rows, 'a', 2);
  expect(second.lines.map((line) => line.endsWith(', done before'))).toEqual([true, true, false, false]);
  expect(second.results.rows.map(({ seeds }) => seeds.map(({ seed }) => seed))).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(second.results.rows.map(({ seeds }) => seeds[0])).toEqual([grpo.seeds[0], rloo.seeds[0]]);

  const script = { name: 'oracle', title: 'Oracle', kind: 'script', policy: 'oracle' };
  const third = await experiment([...tiny.rows, script], 'a', 2);
  expect(
    third.results.rows.at(-1)!.seeds.map(({ seed }) => seed),
    'a script runs once',
  ).toEqual([1]);
  expect(third.results.rows.map(({ reference }) => reference)).toEqual(['grpo', 'grpo', 'grpo']);
  expect(third.stdout).toMatch(/^\| RLOO \| .*\(range\).* \| GRPO: [+−]?\d, [+−]?\d \| /m);

  const alone = await experiment(tiny.rows.slice(1), 'b', 1);
  expect(bits(alone.results.rows[0])).toEqual(bits(rloo));
});

test('baselines without policy gradients: filtered imitation, best of 8, expert iteration', async () => {
  const rows = [
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    { name: 'filtered', title: 'Successful demonstrations', kind: 'imitate-successful' },
    { name: 'best', title: 'Best of 8', kind: 'best-of-8' },
    { name: 'expert', title: 'Expert iteration', kind: 'expert-iteration' },
    { name: 'grpo', title: 'GRPO', kind: 'train' },
  ];
  const { results } = await experiment(rows, 'd', 1);
  const [warm, filtered, best, expert, grpo] = results.rows.map(({ seeds }) => seeds[0]);
  const success = ({ end }: typeof warm) => end!.inDistribution.success;
  expect(success(filtered), 'its demonstrations all choose the arm that pays').toBe(1);
  expect(filtered.start, 'from the same random weights').toEqual(warm.start);
  for (const same of [best, expert, grpo]) expect(same.warm).toEqual(warm.warm);
  expect(success(best), 'any of 8 samples, against one').toBeGreaterThan(grpo.curves.success[0]);
  expect(best.end!.inDistribution.solvedByCalls).toBeUndefined();
  expect(expert.curves.success.length).toBe(2);
  expect(expert.curves.success[0], 'the first rollouts are GRPO’s').toBe(grpo.curves.success[0]);
  expect(expert.curves.gradientNorm!.every((norm) => norm! > 0)).toBe(true);
  expect(expert.sampledTokens).toBeGreaterThan(0);
  expect(expert.end).not.toBeNull();
  expect(results.rows.map(({ updates }) => updates)).toEqual([undefined, undefined, undefined, 4, 4]);
});

test('a row with attempts samples each task before and after, which changes no other bit', async () => {
  const rows = [{ ...tiny.rows[0], attempts: 4 }];
  const { results, stdout } = await experiment(rows, 'e', 1);
  const [{ attempts, ...seed }] = results.rows[0].seeds;
  const without = await experiment(tiny.rows.slice(0, 1), 'f', 1);
  expect(bits({ ...results.rows[0], seeds: [seed] })).toEqual(bits(without.results.rows[0]));
  expect(attempts).toMatchObject({ each: 4 });
  for (const solved of [attempts!.warm, attempts!.end!]) {
    expect(solved.length).toBe(8);
    for (const count of solved) expect(count).toBeLessThanOrEqual(4);
  }
  expect(stdout).toContain('| pass@1 | pass@4 |');
  expect(without.stdout).not.toContain('pass@');
});

test('an environment of one’s own is a base, and each cell of a grid keeps its agent', async () => {
  copyFileSync('tests/helpers/shop.js', join(folder, 'shop.js'));
  const own = {
    ...tiny,
    base: 'shop.js',
    changes: { ...tiny.changes, 'model.layers': 1, 'rewards.asked': 0.5 },
    seeds: [4],
  };
  const { rows: _, ...bare } = own;
  writeFileSync(file, JSON.stringify({ ...bare, grid: { lr: [1e-3, 1e-4] } }));
  await runCommand('experiment', file, '--out', join(folder, 'c'));
  const results = readResults(JSON.parse(readFileSync(join(folder, 'c', 'tiny.json'), 'utf8')));
  expect(results.changes).toContainEqual({ path: 'rewards.asked', from: 0.1, to: 0.5 });
  expect(results.rows.map(({ title }) => title)).toEqual(['lr 0.001', 'lr 0.0001']);
  for (const [i, name] of ['lr-0-001-seed4', 'lr-0-0001-seed4'].entries()) {
    const cell = join(folder, 'c', 'cells', name);
    const { config } = readCheckpointHead(readFileSync(join(cell, 'checkpoint.safetensors')));
    expect(config).toMatchObject({
      seed: 4,
      environment: { name: 'shop' },
      optimizer: { learningRate: [1e-3, 1e-4][i] },
    });
    const rollouts = readFileSync(join(cell, 'trajectories.jsonl'), 'utf8').trim().split('\n');
    expect(rollouts.map((line) => (JSON.parse(line) as { iteration: number }).iteration)).toEqual(Array(8).fill(2));
  }
});

const builtIn = readdirSync('src/cli/experiments')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'));

test.each([
  ['nothing', `There is no experiment called nothing; there is ${builtIn.join(', ')}, or name a JSON file.`],
  ['/no/such.json', 'There is no file /no/such.json.'],
])('%s is answered by a sentence', async (name, sentence) => {
  const { code, stderr } = await runCommand('experiment', name);
  expect(code).toBe(1);
  expect(stderr).toBe(`${sentence}\n`);
});
