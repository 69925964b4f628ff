/** Many sessions at once on one server: no answer is wrong, and a call costs the server little processor time. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { givenRun } from '../../../src/cli/run-config';
import { entry } from '../../helpers/command-lines';
import { expectedEpisodes, oracle, type ExpectedEpisode } from './expected';
import { Client } from './served';

const sessions = 200;
const seconds = 20;
const maxCpuMsPerCall = 3;

test('200 sessions for 20 seconds: 0 wrong answers, at most 3 ms of processor time a call', async () => {
  const episodes = await expectedEpisodes(await givenRun('shop'), {
    split: 'validation',
    count: 64,
    script: oracle,
    replica: 0,
  });
  const server = spawn(process.execPath, [entry, 'serve', 'shop', '--port', '0', '--json'], { cwd: tmpdir() });
  onTestFinished(() => void server.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of server.stdout as AsyncIterable<Buffer>) {
    printed += chunk.toString();
    if (printed.includes('\n')) break;
  }
  const { address } = JSON.parse(printed) as { readonly address: string };
  const startMs = cpuMs(server.pid!);
  const untilMs = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: sessions }, (_, i) => playUntil(new Client(address), `${i}`, episodes, untilMs)),
  );
  const calls = counts.reduce((sum, each) => sum + each.calls, 0);
  const wrong = counts.reduce((sum, each) => sum + each.wrong, 0);
  const cost = (cpuMs(server.pid!) - startMs) / calls;
  console.log(`${calls} calls in ${seconds} s, ${wrong} wrong, ${cost.toFixed(2)} ms of the server's processor a call`);
  expect(wrong).toBe(0);
  expect(calls).toBeGreaterThan(sessions);
  // Only Linux tells the time of another process in this way.
  if (process.platform === 'linux') expect(cost).toBeLessThan(maxCpuMsPerCall);
}, 300_000);

/** Plays episode after episode. @param name of the client */
async function playUntil(client: Client, name: string, episodes: readonly ExpectedEpisode[], untilMs: number) {
  let [calls, wrong] = [0, 0];
  for (let nth = Number(name); performance.now() < untilMs; nth += sessions) {
    const { split, index, prompt, calls: expected } = episodes[nth % episodes.length];
    const sid = `${name}-${nth}`;
    await client.post('/create', { split, index }, sid);
    const { json } = await client.get('/prompt', sid);
    if ((json as unknown as { text: string }[])[0].text !== prompt) wrong++;
    for (const each of expected) {
      const { output } = await client.call(sid, each.name, each.input);
      calls++;
      if (output.blocks[0].text !== each.text || output.reward !== (each.end?.reward ?? null)) wrong++;
    }
    await client.post('/delete', {}, sid);
  }
  return { calls, wrong };
}

/** Processor time of a process and its threads. Ticks are hundredths of a second. */
function cpuMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
