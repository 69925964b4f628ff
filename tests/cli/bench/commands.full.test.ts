/** `npm run bench` and each of its flags, run as processes from the built library: each prints its table. */
import { expect, test } from 'vitest';
import { requireSuccess, flagsOf, root, runIn, wordsOf } from '../../helpers/command-lines';

const suite = [
  /^Adapter: /m,
  /^matmul 256 .* GFLOP\/s$/m,
  /^train {2}S {2}\d+ tokens\/s/m,
  /^train {2}M /m,
  /^sample S {2}\d+ tokens\/s$/m,
  /^sample M /m,
  /^draw {3}\d+ tokens/m,
];
const sandbox = [/^sandbox, one episode a message /m, /^sandbox, a guest /m, /^sandbox, out of fuel /m];
const firstPoint = [/^first point, bandit +[\d.]+ s from the press of Train: /m];
const promises = [/^pause +\d+ ms/m, /^recovery +\d+ ms/m];

/** The rows of each table, which goes to standard error. */
const runs: Readonly<Record<string, readonly RegExp[]>> = {
  '--device cpu --kernels': [...suite, ...sandbox, /^ {2}attention\.forward +\d+ × +[\d.]+ ms$/m],
  '--sandbox --json': sandbox,
  '--peak': [/^matmul .* GFLOP\/s, \d+ % of a core$/m],
  '--model tests/vectors/pretrained/qwen3/config.json --layers 1': [
    /^\| qwen3, 1 of 2 layers \| GFLOP \| ms \|/m,
    /^\| training step of 2 × 256 tokens \| .* \| – \| – \|$/m,
    /^\| decode step of 8 rows \|/m,
    /^Memory of these steps: .* counted, .* planned\.$/m,
  ],
  '--model tests/vectors/pretrained/qwen3/config.json --iteration': [
    /^qwen3, 2 of 2 layers, .*: an iteration of GRPO with 4 rollouts, \d+ tokens: loading .* counted at most\.$/m,
  ],
  '--busy': [/ one thread \d+ ms, two \d+ ms: [\d.]+ of one/],
  '--iteration --preset bandit': [/^Adapter: /m, /^bandit: \d+ ms an iteration$/m, /^ {2}sandbox +\d+ ms$/m],
  '--first-point --preset bandit': firstPoint,
  '--promises': promises,
  '--browser --device cpu --preset bandit': [...suite, ...sandbox, ...firstPoint, ...promises],
};

test('every flag is in a run', () => {
  const used = Object.keys(runs).flatMap(wordsOf);
  const flags = flagsOf('bench');
  expect(flags.length).toBeGreaterThan(5);
  expect(flags.filter((flag) => !used.includes(flag))).toEqual([]);
});

test.each(Object.entries(runs))('bench %s', { timeout: 500_000 }, (line, rows) => {
  const ended = runIn(root, 'bench', wordsOf(line));
  requireSuccess(ended, line);
  for (const row of rows) expect(ended.stderr).toMatch(row);
  if (line.includes('--json')) expect(() => JSON.parse(ended.stdout) as unknown).not.toThrow();
});
