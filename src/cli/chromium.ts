/** Finds Chromium and its SwiftShader driver, and lists the flags for WebGPU without a window or a GPU. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const INSTALLED = [
  '/usr/bin/chromium',
  '/opt/google/chrome/chrome',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** WebGPU on the software adapter, and no traffic of the browser's own. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
];

/**
 * Path of a Chromium: the variable CHROMIUM, else an installed one, else the one Playwright downloaded; null if there
 * is none.
 */
export function findChromium(): string | null {
  const chosen = process.env.CHROMIUM;
  if (chosen) {
    if (!existsSync(chosen))
      throw new Error(
        `CHROMIUM names ${chosen}, which does not exist: give the path of a Chromium, or unset the variable.`,
      );
    return chosen;
  }
  const installed = INSTALLED.find((path) => existsSync(path) && !isSnapStub(path));
  return installed ?? playwrightChromium();
}

function playwrightChromium(): string | null {
  try {
    const path = (
      createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test')
    ).chromium.executablePath();
    return existsSync(path) ? path : null;
  } catch {
    return null; // An install without development dependencies has no Playwright.
  }
}

/** Ubuntu's `chromium` only forwards to a snap, which neither containers nor Playwright can run. */
function isSnapStub(path: string): boolean {
  if (!path.startsWith('/usr/bin/')) return false;
  const head = readFileSync(path).subarray(0, 4096).toString('latin1');
  return head.startsWith('#!') && head.includes('/snap/bin');
}

/** Path of the SwiftShader Vulkan driver file that a Chromium carries, or null. */
export function swiftshaderDriver(): string | null {
  const chromium = findChromium();
  const folders = [...(chromium ? [dirname(chromium)] : []), '/usr/lib/chromium', '/opt/google/chrome'];
  return folders.map((folder) => join(folder, 'vk_swiftshader_icd.json')).find((path) => existsSync(path)) ?? null;
}
