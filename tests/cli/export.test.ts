/** Rollouts and demonstrations as other trainers read them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import type { ReplayData } from '../../src/presentation/replay/data';
import { demonstrationRecord } from '../../src/rl/rollouts/chat-records';
import { runCommand } from '../helpers/command';
import { serve } from './serve/served';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

interface Line {
  readonly messages: readonly { role: string; content: string; tool_calls?: unknown }[];
  readonly prompt: readonly object[];
  readonly completion: readonly { role: string }[];
  readonly reward: number;
  readonly tools: readonly { type: string; function: { name: string; parameters: object } }[];
}
const linesOf = (file: string) =>
  readFileSync(at(file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

test('demonstrations are chats whose calls have results, and end with the answer', async () => {
  const { code, stderr } = await runCommand(
    'export',
    'calculator',
    '--to',
    'sft',
    '--tasks',
    '8',
    '--policy',
    'oracle',
    '--out',
    at('a'),
  );
  expect(code, stderr).toBe(0);
  const lines = linesOf('a');
  expect(lines.length, 'the oracle solves all').toBe(8);
  for (const { messages, tools } of lines) {
    expect(tools).toEqual([expect.objectContaining({ type: 'function' })]);
    expect(tools[0].function.name).toBe('calc');
    const roles = messages.map(({ role }) => role).join(' ');
    expect(roles).toMatch(/^(system )?user( assistant tool)* assistant$/);
    for (const [k, { tool_calls: calls }] of messages.entries()) {
      if (!calls) continue;
      expect(calls).toEqual([
        { type: 'function', function: { name: 'calc', arguments: { expression: expect.any(String) as string } } },
      ]);
      expect(messages[k + 1]).toMatchObject({ role: 'tool', name: 'calc' });
    }
  }
});

test('every rollout of a run has its reward, and those that failed are not imitated', async () => {
  const args = ['--iterations', '1', '--device', 'cpu', '--set', 'rollout.tasks=2', '--out', at('run')];
  expect((await runCommand('train', 'bandit', ...args)).code).toBe(0);
  expect((await runCommand('export', at('run'), '--to', 'jsonl', '--out', at('b'))).code).toBe(0);
  const rollouts = readFileSync(at('run/trajectories.jsonl'), 'utf8').trimEnd().split('\n');
  const lines = linesOf('b');
  expect(lines.map(({ reward }) => reward)).toEqual(
    rollouts.map((line) => (JSON.parse(line) as { reward: number }).reward),
  );
  for (const { prompt, completion } of lines) {
    expect(prompt.at(-1)).toMatchObject({ role: 'user' });
    expect(completion.at(-1)).toMatchObject({ role: 'assistant' });
  }
  const { stderr } = await runCommand('export', at('run'), '--to', 'sft', '--out', at('c'));
  const solved = rollouts.filter((line) => (JSON.parse(line) as { success: boolean }).success).length;
  expect(stderr).toContain(`Wrote ${solved} of ${rollouts.length} episodes to `);
});

test('the folder of a run becomes a page with its curve, its rollouts and drawings of them', async () => {
  const made = await runCommand('export', at('run'), '--to', 'html', '--out', at('replay.html'));
  expect(made.code, made.stderr).toBe(0);
  const page = readFileSync(at('replay.html'), 'utf8');
  const data = JSON.parse(/<script type="application\/json" id="run">(.*?)<\/script>/s.exec(page)![1]) as ReplayData;
  const metrics = readFileSync(at('run/metrics.jsonl'), 'utf8').trimEnd().split('\n');
  expect(data.points).toHaveLength(metrics.length);
  expect(page.match(/<article /g)!.length).toBeGreaterThan(0);
  expect(Object.keys(data.drawings).length).toBeGreaterThan(0);
  expect(page, 'the terminal knows no address of a page').not.toContain('<a ');
});

test('a page that replays is made of runs only', async () => {
  const { code, stderr } = await runCommand('export', 'bandit', '--to', 'html', '--out', at('none.html'));
  expect(code).toBe(1);
  expect(stderr).toContain('--to html is for the folder of a run, and bandit is none.');
});

test('an episode with a failed call is not imitated', () => {
  const call = { name: 'calc', arguments: {}, result: '2', fuel: 1 };
  const step = { text: '', messages: [{ role: 'user' as const, content: '1+1' }], toolCalls: [call], rewards: {} };
  const rollout = { taskId: 'a', iteration: 1, group: 0, reward: 1, success: true, end: 'answer' as const };
  const record = (changes: object) =>
    demonstrationRecord({ ...rollout, steps: [{ ...step, ...changes }] } as never, null, []);
  expect(record({})).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }] });
  expect(record({ toolCalls: [{ ...call, error: 'tool-error' }] })).toBeNull();
  expect(record({ error: 'unreadable' })).toBeNull();
});

test('a recipe for Ray has the world, the tasks that it serves, and the settings of its preset', async () => {
  const { code, stderr } = await runCommand('export', 'bandit', '--to', 'ray', '--tasks', '4', '--out', at('ray'));
  expect(code, stderr).toBe(0);
  const read = (name: string) => readFileSync(at(`ray/${name}`), 'utf8');
  const rows = linesOf('ray/rows.jsonl') as unknown as { task_index: number; id: string }[];
  const served = await serve(at('ray/world.json'));
  onTestFinished(() => served.close());
  const { json } = await served.client.post('/task_range', { split: 'train', start: 0, stop: 4 });
  const specs = (json as { readonly tasks: readonly { id: string; index: number }[] }).tasks;
  expect(rows.map(({ task_index: index, id }) => ({ index, id }))).toEqual(
    specs.map(({ index, id }) => ({ index, id })),
  );
  const { rollout } = presetByName('bandit').config;
  expect(JSON.parse(read('config.json'))).toMatchObject({
    address: 'http://127.0.0.1:8080',
    grpo: { num_generations: rollout.group, max_tool_calling_iterations: rollout.maxTurns },
  });
  for (const script of ['launch.sh', 'serve.sh']) execFileSync('bash', ['-n', at(`ray/${script}`)]);
});

test('the recipe does not wait for a server that has ended', async () => {
  const { code } = await runCommand('export', 'bandit', '--to', 'ray', '--tasks', '2', '--out', at('ended'));
  expect(code).toBe(0);
  // Nobody answers, whatever else runs on this machine.
  writeFileSync(at('curl'), '#!/bin/bash\nexit 7\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, AGENTLET: 'false' };
  const { status, stderr } = spawnSync('bash', [at('ended/launch.sh')], { env, encoding: 'utf8', timeout: 30_000 });
  expect(status, stderr).toBe(1);
  expect(stderr).toBe('The server ended before it answered: what it said stands above.\n');
});

test.each([
  [['calculator'], 'Say what to write with --to: sft, jsonl, html, ray, model.'],
  [['calculator', '--to', 'stf'], '--to cannot be "stf"; it takes sft, jsonl, html, ray, model. Did you mean sft?'],
  [['calculator', '--to', 'sft', '--out', join(import.meta.dirname, 'export.test.ts')], 'exists already: name another'],
])('export %o says what is wrong', async (args, sentence) => {
  const { code, stderr } = await runCommand('export', ...args);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
});
