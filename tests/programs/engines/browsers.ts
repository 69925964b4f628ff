/** Opens an address in a browser of this machine, without a window and without a driver, and ends it again. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM_FLAGS, findChromium } from '../../../src/cli/chromium';

export interface Browser {
  readonly name: 'Chromium' | 'Firefox';
  readonly executable: string;
  readonly flags: (profile: string) => readonly string[];
}

/** The browsers found: Firefox is the variable FIREFOX, else where distributions put it. */
export function installedBrowsers(): Browser[] {
  const chromium = findChromium();
  const firefox = [
    process.env.FIREFOX,
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ].find((path) => path !== undefined && existsSync(path));
  return [
    ...(chromium ? [{ name: 'Chromium', executable: chromium, flags: chromiumFlags } as const] : []),
    ...(firefox
      ? [
          {
            name: 'Firefox',
            executable: firefox,
            flags: (profile: string) => ['--headless', '--no-remote', '--profile', profile],
          } as const,
        ]
      : []),
  ];
}

// A debugging port keeps a headless Chromium open after the page has loaded.
const chromiumFlags = (profile: string) => [
  ...CHROMIUM_FLAGS,
  '--remote-debugging-port=0',
  `--user-data-dir=${profile}`,
];

/** Runs `until` while the browser is open at the address. Rejects with a sentence if the browser ends before. */
export async function withBrowser<T>({ name, executable, flags }: Browser, url: string, until: Promise<T>): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'agentlet-browser-'));
  const child = spawn(executable, [...flags(profile), url], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, HOME: profile },
  });
  const ended = new Promise<never>((_, reject) => {
    child.on('error', reject);
    child.on('exit', (code) =>
      reject(new Error(`${name} (${executable}) ended with ${code} before it had run the items.`)),
    );
  });
  try {
    return await Promise.race([until, ended]);
  } finally {
    ended.catch(() => {});
    // The whole group, since browsers are many processes.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
