/**
 * A Firefox without a window that runs scripts in a page: Marionette, which every Firefox has, spoken directly, so that
 * no driver is needed.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const startMs = 60_000;
/** WebGPU, also on a software adapter, and no pages or traffic of the browser's own. */
const preferences = {
  'dom.webgpu.enabled': true,
  'gfx.webgpu.ignore-blocklist': true,
  'marionette.port': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
};

export interface Firefox {
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. @returns what it returns, as JSON */
  run<T>(body: string): Promise<T>;
  close(): Promise<void>;
}

export async function openFirefox(executable: string): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'agentlet-firefox-'));
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(executable, ['--headless', '--no-remote', '--marionette', '--profile', profile, 'about:blank'], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, HOME: profile },
  });
  const close = async () => {
    // The whole group, since browsers are many processes.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const command = await dial(await activePort(join(profile, 'MarionetteActivePort')));
    await command('WebDriver:NewSession', {});
    return {
      open: async (url) => void (await command('WebDriver:Navigate', { url })),
      run: async <T>(body: string) =>
        ((await command('WebDriver:ExecuteScript', { script: body, args: [] })) as { value: T }).value,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Firefox writes the port into its profile once it listens. */
async function activePort(file: string): Promise<number> {
  for (const endMs = Date.now() + startMs; Date.now() < endMs; await sleep(100)) {
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (port > 0) return port;
  }
  throw new Error(`Firefox did not listen within ${startMs / 1000} s.`);
}

/** One command at a time: `LENGTH:[0, id, name, parameters]` there, `LENGTH:[1, id, error, result]` back. */
async function dial(port: number): Promise<(name: string, parameters: object) => Promise<unknown>> {
  const socket = connect(port, '127.0.0.1');
  const messages = messagesOf(socket);
  await messages.next(); // What Firefox says of itself.
  let id = 0;
  return async (name, parameters) => {
    const text = JSON.stringify([0, ++id, name, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const { value, done } = await messages.next();
    if (done) throw new Error(`Firefox ended during ${name}.`);
    const [, , error, result] = value as [number, number, { message: string } | null, unknown];
    if (error) throw new Error(`${name}: ${error.message}`);
    return result;
  };
}

async function* messagesOf(socket: Socket): AsyncGenerator<unknown, undefined> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    for (;;) {
      const colon = bytes.indexOf(':');
      const end = colon + 1 + Number(bytes.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || bytes.length < end) break;
      yield JSON.parse(bytes.subarray(colon + 1, end).toString());
      bytes = bytes.subarray(end);
    }
  }
  return undefined;
}
