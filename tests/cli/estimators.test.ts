/**
 * The `estimators` command on a log as the trainer writes it: the table, the JSON, and sentences for what cannot be
 * read.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rolloutView } from '../../src/rl/rollouts/view';
import { runCommand } from '../helpers/command';
import { linesOf, trlRows, unipoLog, verlRows } from '../helpers/rollout-files';
import { appended, creditsOf, rewritten, trajectory } from '../helpers/trajectories';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-estimators-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const command = (...args: string[]) => runCommand('estimators', ...args);

const batch = [
  trajectory(0, 1, appended),
  trajectory(0, 1, rewritten),
  trajectory(1, 1, appended),
  trajectory(1, 0, appended),
];
const credits = creditsOf(batch);
const log = [1, 2].flatMap((iteration) =>
  batch.map((each, index) => rolloutView(each, { iteration, index }, credits[index], true)),
);
const lines = log.map((rollout) => JSON.stringify(rollout));
writeFileSync(join(folder, 'trajectories.jsonl'), `${lines.join('\n')}\n`);

test('the table has a line a step, telling groups first, and the GRPO column is what was trained with', async () => {
  const { code, stdout, stderr } = await command(folder);
  expect(code, stderr).toBe(0);
  const [head, ...rows] = stdout.split('\n').slice(0, 9);
  expect(head).toMatch(/^rollout group +reward step tokens +trained +GRPO .* bi-level$/);
  expect(rows.map((row) => row.trim().split(/\s+/)[0])).toEqual(['2', '2', '3', '2', '0', '2', '1', '2']);
  expect(rows[0]).toMatch(/^ +2 +1 +1\.000 +1 +2 +0\.707 +0\.707 /);
  expect(rows[4]).toMatch(/^ +0 +0 +1\.000 +1 +2 +0 +0 +0 /);
  expect(stdout).toContain(
    'ReMax     reward-to-go − s of the greedy rollout (left out: needs the score of a greedy rollout of each task)',
  );
  expect(stdout).toContain('No run.json stands beside the log');
  expect(stderr).toContain('Iteration 2: 4 of 4 rollouts shown, in 2 groups');
});

test('--json holds every agent token’s advantage; mistakes change the numbers they are about', async () => {
  const read = async (...flags: string[]) =>
    JSON.parse((await command(join(folder, 'trajectories.jsonl'), '--json', '--iteration', '1', ...flags)).stdout);
  const column = (output: Awaited<ReturnType<typeof read>>, short: string) =>
    output.estimators.find((each: { short: string }) => each.short === short).advantages;
  const plain = await read();
  expect(plain.iteration).toBe(1);
  expect(column(plain, 'GRPO')).toEqual(log.slice(0, 4).map(({ steps }) => steps.map(({ advantages }) => advantages)));
  expect(column(plain, 'ReMax')).toBeNull();
  expect(column(await read('--wrong-groups'), 'Dr.GRPO').map(([first]: number[][]) => first[0])).toEqual([1, 1, 1, 0]);
  const reset = column(await read('--credit-reset', '--gamma', '1'), 'RF++');
  expect(reset[2][0]).toEqual(reset[3][0]);
  expect(column(await read('--gamma', '1'), 'RF++')[2][0]).not.toEqual(
    column(await read('--gamma', '1'), 'RF++')[3][0],
  );
});

test.each([
  [['nowhere.jsonl'], 'There is no log of rollouts at nowhere.jsonl.'],
  [[folder, '--iteration', '9'], 'holds no rollouts of iteration 9; it has iterations 1, 2.'],
  [[folder, '--gamma', '2'], '--gamma is 2, but must be at most 1.'],
  [[folder, '--buffer', '2'], '--buffer says where a penalty grows, so it needs --longest.'],
])('%j is answered with a sentence', async (args, sentence) => {
  const { code, stderr } = await command(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
});

test.each([
  ['{"iteration":1,', 'line 2 is not JSON'],
  ['{"iteration":1}', 'line 2 is not as a run writes it: index'],
  ['null', 'line 2 is not as a run writes it: Invalid type'],
  [JSON.stringify({ ...log[0], steps: [null] }), 'line 2 is not as a run writes it: steps.0: Invalid type'],
  [
    JSON.stringify({ ...log[0], steps: [{ ...log[0].steps[0], messages: [null] }] }),
    'line 2 is not as a run writes it: steps.0.messages.0',
  ],
])('a log with the line %s names it', async (line, sentence) => {
  const path = join(folder, 'broken.jsonl');
  writeFileSync(path, `${lines[0]}\n${line}\n`);
  const { code, stderr } = await command(path);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
});

test('half a line at the end is left out: the run may be going on', async () => {
  const path = join(folder, 'going-on.jsonl');
  writeFileSync(path, `${lines.join('\n')}\n${lines[0].slice(0, 50)}`);
  const { code, stderr } = await command(path);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('Iteration 2: 4 of 4 rollouts shown');
});

test('a run.json that somebody made up ends in a sentence', async () => {
  const run = mkdtempSync(join(folder, 'run-'));
  writeFileSync(join(run, 'trajectories.jsonl'), `${lines[0]}\n`);
  writeFileSync(join(run, 'run.json'), 'null');
  const { code, stderr } = await command(run);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\S*run\.json is not as a run writes it: .*\.\n$/);
});

test.each([
  [
    'trl.jsonl',
    linesOf(trlRows),
    'TRL, step 10: 6 of 6 rollouts shown, in 2 groups.',
    '1 · accuracy_reward + 1 · format',
  ],
  ['7.jsonl', linesOf(verlRows), 'verl, step 7: 4 of 4 rollouts shown, in 1 group.', 'The reward is 1 · score.'],
  [
    'run.json',
    JSON.stringify(unipoLog),
    'UNIPO, step 0: 2 of 2 rollouts shown, in 1 group.',
    'The reward is 1 · reward',
  ],
])('%s of another trainer is compared as far as it can be', async (name, content, summary, note) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  const { code, stdout, stderr } = await command(path);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(summary);
  expect(stdout).toContain(note);
  const rows = stdout.split('\n').slice(0, 3);
  expect(rows[0]).toMatch(/^rollout group +reward step tokens +trained +GRPO .* bi-level$/);
  if (name === 'trl.jsonl') expect(rows[1]).toMatch(/^ +0 +0 +1\.500 +1 +- +1\.500 +1\.500 .* - $/);
});

test('other trainers’ rollouts: --json, another step, and flags that do not fit', async () => {
  const path = join(folder, 'trl.jsonl');
  writeFileSync(path, linesOf(trlRows));
  const { stdout } = await command(path, '--json', '--iteration', '5');
  const output = JSON.parse(stdout);
  expect(output).toMatchObject({ format: 'TRL', step: 5, rollouts: [{ index: 0, group: 0, reward: 1 }] });
  expect(output.estimators[1]).toMatchObject({ short: 'Dr.GRPO', advantages: [[[1]]] });
  for (const [args, sentence] of [
    [['--iteration', '6'], 'holds no step 6; it has steps 5, 10.'],
    [['--wrong-groups'], '--wrong-groups is for the log of a run, and '],
    [['--gamma', '2'], '--gamma is 2, but must be at most 1.'],
  ] as const) {
    const { code, stderr } = await command(path, ...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  }
  writeFileSync(path, '{"question":"a"}\n');
  expect((await command(path)).stderr).toContain('trl.jsonl is of no known format: it has question.');
});
