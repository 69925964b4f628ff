/** A part of the page alone in a page of its own, with more data than the page would hold. */
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { cpuKernels } from '../../../src/cli/build/cpu-kernels-plugin.js';
import { meteredQuickJs } from '../../../src/cli/build/metered-engine-plugin';
import { sandboxWorker } from '../../../src/cli/build/sandbox-worker-plugin';
import type { Visits } from './visit';

/** @param entry file beside this one that mounts the part; the page calls its exports as `audit` */
export async function openPart(visits: Visits, entry: string): Promise<Page> {
  const { script, style } = await bundle(entry);
  const page = await visits.open('#/', { bypassCSP: true });
  await page.evaluate(() => document.body.replaceChildren());
  await page.addStyleTag({ content: style });
  await page.addScriptTag({ content: script });
  return page;
}

async function bundle(entry: string): Promise<{ script: string; style: string }> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      svelte({ configFile: false, compilerOptions: { css: 'external' } }),
      meteredQuickJs(),
      cpuKernels(),
      sandboxWorker(),
    ],
    worker: { format: 'es', plugins: () => [meteredQuickJs(), cpuKernels()] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, entry), formats: ['iife'], name: 'audit' },
    },
  })) as Rolldown.RolldownOutput[];
  const { output } = built[0];
  const style = output.find(({ fileName }) => fileName.endsWith('.css'));
  return { script: output[0].code, style: style?.type === 'asset' ? String(style.source) : '' };
}
