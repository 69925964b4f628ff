/** How long the charts take for an update of a long run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Rolldown } from 'vite';
import type { drawFrames } from './charts-entry.svelte';
import { atMost, quantile, type Row } from './row';
import { type Visits } from './visit';

const points = 50_000;
const frames = 120;

export async function charts(visits: Visits): Promise<Row[]> {
  const { script, style } = await bundle();
  const page = await visits.open('#/', { bypassCSP: true });
  await page.evaluate(() => document.body.replaceChildren());
  await page.addStyleTag({ content: style });
  await page.addScriptTag({ content: script });
  const recording = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../public/recordings/calculator.json'), 'utf8'),
  );
  const { updateMs, gapMs } = await page.evaluate(
    ({ recording, points, frames }) =>
      (globalThis as unknown as { audit: { drawFrames: typeof drawFrames } }).audit.drawFrames(
        recording,
        points,
        frames,
      ),
    { recording, points, frames },
  );
  await page.context().close();
  const what = `4 charts of ${points / 1000}k points`;
  return [
    atMost(`${what}: an update, p50`, quantile(updateMs, 0.5), 3, ' ms'),
    atMost(`${what}: an update, p95`, quantile(updateMs, 0.95), 8, ' ms'),
    atMost(`${what}: between two frames, p95`, quantile(gapMs, 0.95), 25, ' ms'),
  ];
}

async function bundle(): Promise<{ script: string; style: string }> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [svelte({ configFile: false, compilerOptions: { css: 'external' } })],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'charts-entry.svelte.ts'), formats: ['iife'], name: 'audit' },
    },
  })) as Rolldown.RolldownOutput[];
  const { output } = built[0];
  const style = output.find(({ fileName }) => fileName.endsWith('.css'));
  return { script: output[0].code, style: style?.type === 'asset' ? String(style.source) : '' };
}
