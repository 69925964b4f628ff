import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { bareSources } from './src/cli/build/bare-sources-plugin.ts';
import { catalog } from './src/cli/build/catalog-plugin.ts';
import { cpuKernels } from './src/cli/build/cpu-kernels-plugin.js';
import { meteredQuickJs } from './src/cli/build/metered-engine-plugin.ts';
import { offline } from './src/cli/build/offline-plugin.ts';
import { sandboxWorker } from './src/cli/build/sandbox-worker-plugin.ts';
import { sdkWords } from './src/cli/build/sdk-words-plugin.ts';
import { securityHeaders } from './src/cli/build/security-headers-plugin.ts';
import { version } from './src/cli/build/version-plugin.ts';
import { worldCards } from './src/cli/build/world-cards-plugin.ts';
import { worldScenes } from './src/cli/build/world-scenes-plugin.ts';
import { SlowestFirst } from './tests/helpers/slowest-first.ts';

const output = {
  /** Without the underscore with which a virtual module's begins: some hosts publish no such file. */
  chunkFileNames: ({ name }: { name: string }) => `assets/${name.replace(/^[_.]+/, '')}-[hash].js`,
  /** The page and its workers are built apart, but a file of the same text has the same name: it is kept once. */
  codeSplitting: { groups: [{ name: 'world-sources', test: /environments\/[^/]+\/environment\.js\?raw/ }] },
};

export default defineConfig({
  base: './',
  plugins: [
    svelte({ configFile: false }),
    meteredQuickJs(),
    cpuKernels(),
    sandboxWorker(),
    securityHeaders(),
    worldCards(),
    worldScenes(),
    catalog(),
    sdkWords(),
    version(),
    offline(),
  ],
  build: { target: 'es2023', sourcemap: true, rolldownOptions: { output } },
  worker: { format: 'es', plugins: () => [bareSources(), meteredQuickJs(), cpuKernels()], rolldownOptions: { output } },
  test: {
    reporters: ['default', './tests/helpers/reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Two files at a time: a software GPU uses every core, and a page waits more than it computes.
    maxWorkers: 2,
    // One thread each on the CPU device: threads wait for each other at every barrier, and with another file on the
    // cores that took up to 30 times as long. tests/cpu compares the bits of 1 to 4.
    env: { AGENTLET_THREADS: process.env.AGENTLET_THREADS ?? '1' },
    sequence: { sequencer: SlowestFirst },
    // `npm test` runs the first two, `npm run test:full` all four.
    projects: [
      inNode('node', ['tests/**/*.test.ts'], ['**/*.full.test.ts']),
      inBrowser('browser', ['tests/browser/**/*.test.ts'], ['**/*.full.test.ts']),
      inNode('node-full', ['tests/**/*.full.test.ts'], []),
      inBrowser('browser-full', ['tests/browser/**/*.full.test.ts'], []),
    ],
  },
});

/** Tests that run in Node: one process after another file's, so that modules load and kernels compile once. */
function inNode(name: string, include: string[], exclude: string[]): TestProjectConfiguration {
  return {
    extends: true,
    // Components that a test mounts (tests/helpers/dom) are compiled and resolved as for a browser.
    environments: { client: { resolve: { conditions: ['browser', 'svelte'] } } },
    resolve: {
      alias: {
        'vitest-environment-dom': resolve(import.meta.dirname, 'tests/helpers/dom/environment.ts'),
        // A test answers the request for it: making it opens every environment in a sandbox.
        'virtual:catalog': resolve(import.meta.dirname, 'tests/helpers/dom/catalog-url.ts'),
      },
    },
    test: { name, include, exclude: ['tests/browser/**', ...exclude], isolate: false },
  };
}

/** Tests that open the built page; files that a process runs share its browser. */
function inBrowser(name: string, include: string[], exclude: string[]): TestProjectConfiguration {
  // What a page does in a moment takes seconds where other tests run beside it.
  const expect = { poll: { timeout: 20_000 } };
  const globalSetup = ['tests/helpers/site.ts'];
  return { extends: true, test: { name, include, exclude, globalSetup, expect, isolate: false } };
}
