/**
 * Many sessions at once on one server: no answer is wrong, and a call costs the server little processor time. The
 * measure of little is the plainest request, asked in the same minute: other work on the machine slows both.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { givenRun } from '../../../src/cli/run-config';
import { entry } from '../../helpers/command-lines';
import { expectedEpisodes, oracle, type ExpectedEpisode } from './expected';
import { Client } from './served';

const sessions = 200;
const seconds = 20;
/** Processor time of a call, as a multiple of that of `GET /health`. */
const maxHealthsPerCall = 20;

test('200 sessions for 20 seconds: 0 wrong answers, and a call costs at most 20 health checks', async () => {
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
  const health = await load(server, async (untilMs) => {
    let calls = 0;
    for (const client = new Client(address); performance.now() < untilMs; calls++) await client.get('/health');
    return { calls, wrong: 0 };
  });
  const played = await load(server, (untilMs, name) => playUntil(new Client(address), name, episodes, untilMs));
  const { calls, wrong, cpuMs } = played;
  console.log(
    `${calls} calls in ${seconds} s, ${wrong} wrong, ${cpuMs.toFixed(2)} ms of the server's processor a call, ` +
      `${health.cpuMs.toFixed(2)} ms a health check`,
  );
  expect(wrong).toBe(0);
  expect(calls).toBeGreaterThan(sessions);
  // Only Linux tells the time of another process in this way.
  if (process.platform === 'linux') expect(cpuMs / health.cpuMs).toBeLessThan(maxHealthsPerCall);
}, 300_000);

interface Count {
  readonly calls: number;
  readonly wrong: number;
}

/** All clients at once. @returns what they counted, and the processor time of the server a call */
async function load(server: ChildProcess, play: (untilMs: number, name: string) => Promise<Count>) {
  const startMs = processorMs(server.pid!);
  const untilMs = performance.now() + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: sessions }, (_, i) => play(untilMs, `${i}`)));
  const calls = counts.reduce((sum, each) => sum + each.calls, 0);
  const wrong = counts.reduce((sum, each) => sum + each.wrong, 0);
  return { calls, wrong, cpuMs: (processorMs(server.pid!) - startMs) / calls };
}

/** Plays episode after episode. @param name of the client */
async function playUntil(
  client: Client,
  name: string,
  episodes: readonly ExpectedEpisode[],
  untilMs: number,
): Promise<Count> {
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
function processorMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
