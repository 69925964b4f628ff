/** `serve` as a process: it says where it is, answers, and ends when it is told to. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entry, flagsOf, runIn } from '../../helpers/command-lines';
import { own } from './own-world';
import { TestSocket } from './replay';

const patienceMs = 120_000;

test(
  'every flag: the address is printed, clients are answered, SIGTERM ends it with status 0',
  { timeout: patienceMs },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentlet-serve-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const rowsTool = 'export const tasks = (rng, split, options, rows) => ({ prompt: rng.pick(rows).word });';
    writeFileSync(join(folder, 'own.js'), own().replace(/export const tasks = .*;/, rowsTool));
    writeFileSync(
      join(folder, 'rows.jsonl'),
      ['a', 'b', 'c', 'd'].map((word) => `${JSON.stringify({ word })}\n`).join(''),
    );
    const flags =
      'serve own.js --preset calculator --set turns=3 --seed 2 --rows rows.jsonl --port 0 --tasks 8 --token secret ' +
      '--step-rewards --json';
    expect(flagsOf('serve').filter((flag) => !flags.split(' ').includes(flag))).toEqual([]);
    const server = spawn(process.execPath, [entry, ...flags.split(' ')], { cwd: folder });
    onTestFinished(() => void server.kill('SIGKILL'));
    let printed = '';
    for await (const chunk of server.stdout as AsyncIterable<Buffer>) {
      printed += chunk.toString();
      if (printed.includes('\n')) break;
    }
    const about = JSON.parse(printed) as {
      readonly address: string;
      readonly world: string;
      readonly splits: object[];
    };
    expect(about).toMatchObject({
      world: 'own',
      splits: [
        { name: 'train', count: 8 },
        { name: 'validation', count: 8 },
      ],
    });
    const key = { 'X-API-Key': 'secret' };
    expect((await fetch(`${about.address}/tools`)).status).toBe(401);
    expect((await fetch(`${about.address}/tools`, { headers: key })).status).toBe(200);
    const socket = await TestSocket.open(`${about.address}/ws`, key);
    expect(await socket.ask({ type: 'reset' })).toMatchObject({ type: 'observation' });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
);

test.each([
  ['calculator', '--port', '70000', '--port is 70000, but ports end at 65535.'],
  ['calculater', '--port', '0', 'There is no preset called "calculater"'],
])('serve %s %s %s is refused', (subject, flag, value, sentence) => {
  const { status, stderr } = runIn(tmpdir(), 'serve', [subject, flag, value]);
  expect(status).toBe(1);
  expect(stderr).toContain(sentence);
});
