/** What host tools may give, what is recorded of them, and what a sandbox with them passes on. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Sandbox, SandboxRequest } from '../../../src/agent/sandbox';
import { CallRecord, recordName } from '../../../src/cli/host-tools/record';
import { HostSandbox } from '../../../src/cli/host-tools/sandbox';
import { HostTools, openHostTools, type HostTool } from '../../../src/cli/host-tools/tools';
import type { Json } from '../../../src/lib/json';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-host-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

class ToolError extends Error {}

const request = (tool: string, args: Json = {}, seed = 1): SandboxRequest => {
  return { episode: 0, seed, method: 'execute', args: { task: { id: 'a' }, tool, arguments: args, state: null } };
};
const live = (tool: HostTool, record = new CallRecord(), patienceMs?: number) =>
  new HostTools(record, { tool }, 'tools.mjs', patienceMs);

test('a call is made once, also while it is being answered, and is asked with task, state and arguments', async () => {
  const made: unknown[] = [];
  const tools = live(async (args, { task, state }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    made.push([args, task, state]);
    return { text: String(made.length), state: { n: made.length } };
  });
  const ask = (seed?: number) => tools.answer(request('tool', { q: 1 }, seed));
  const answers = await Promise.all([ask(1), ask(1)]);
  // Alone: which of two different calls is made first is not promised.
  answers.push(await ask(2), await ask());
  expect(made).toEqual([1, 2].map(() => [{ q: 1 }, { id: 'a' }, null]));
  expect(answers.map((verdict) => 'value' in verdict && verdict.value)).toEqual(
    [1, 1, 2, 1].map((n) => ({ text: String(n), state: { n } })),
  );
});

test('a ToolError is told and recorded; other errors, silence and what is no JSON end the run', async () => {
  const record = new CallRecord();
  record.keepIn(folder);
  const fails = (tool: HostTool, patienceMs?: number) => live(tool, record, patienceMs).answer(request('tool'));
  const thrown = (error: Error) => () => {
    throw error;
  };
  await expect(fails(thrown(new Error('no route')))).rejects.toThrow('The host’s tool tool({}) failed: no route');
  await expect(fails(() => new Promise(() => undefined), 10)).rejects.toThrow('gave no answer within 0.01 seconds');
  await expect(fails(() => undefined)).rejects.toThrow('it gave no value');
  await expect(fails(() => 'a'.repeat(70_000))).rejects.toThrow('65536 is the most');
  await expect(fails(() => JSON.parse('['.repeat(40) + ']'.repeat(40)) as Json)).rejects.toThrow('deeper than 32');
  expect(await fails(thrown(new ToolError('not today')))).toEqual({
    kind: 'error',
    message: 'not today',
    refused: true,
    fuel: 0,
  });
  const lines = readFileSync(join(folder, recordName), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as Json)).toEqual([
    {
      key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      tool: 'tool',
      arguments: {},
      answer: { refused: 'not today' },
    },
  ]);
  const replayed = await openHostTools(undefined, folder);
  expect(await replayed!.answer(request('tool'))).toMatchObject({ message: 'not today' });
});

test.each([
  ['{"key":"a"}', 'line 1 is not as a run writes it'],
  ['not JSON', 'line 1 is not JSON'],
])('a record that holds %s is refused', async (line, sentence) => {
  const file = join(folder, 'broken.jsonl');
  writeFileSync(file, `${line}\n`);
  await expect(openHostTools(file)).rejects.toThrow(sentence);
});

test('calls of the host leave the sandbox, all others keep their order inside', async () => {
  const inside: string[] = [];
  const described = { hooks: [], tools: [{ name: 'own' }], hostTools: [{ name: 'tool' }] };
  const inner: Sandbox = {
    load: () => Promise.resolve(),
    call: (requests) =>
      Promise.resolve(
        requests.map(({ method, seed }) => {
          inside.push(`${method} ${seed}`);
          return { kind: 'value' as const, value: method === 'describe' ? described : `inside ${seed}`, fuel: 3 };
        }),
      ),
    dispose: () => undefined,
  };
  const sandbox = new HostSandbox(
    inner,
    live(() => 'outside'),
  );
  const [about] = await sandbox.call([{ episode: 0, seed: 0, method: 'describe', args: null }]);
  expect(about).toMatchObject({ value: { hooks: [], tools: [{ name: 'own' }, { name: 'tool' }] } });
  const verdicts = await sandbox.call([request('own', {}, 1), request('tool', {}, 2), request('own', {}, 3)]);
  expect(verdicts.map((verdict) => 'value' in verdict && verdict.value)).toEqual(['inside 1', 'outside', 'inside 3']);
  expect(inside).toEqual(['describe 0', 'execute 1', 'execute 3']);
  described.hooks = ['flow'] as never;
  await expect(sandbox.call([{ episode: 0, seed: 0, method: 'describe', args: null }])).rejects.toThrow(
    'an environment with a flow has no meta.hostTools',
  );
});
