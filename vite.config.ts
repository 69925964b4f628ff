import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { meteredQuickJs } from './src/cli/build/metered-engine-plugin.ts';
import { sandboxWorker } from './src/cli/build/sandbox-worker-plugin.ts';
import { securityHeaders } from './src/cli/build/security-headers-plugin.ts';

export default defineConfig({
  base: './',
  plugins: [svelte({ configFile: false }), meteredQuickJs(), sandboxWorker(), securityHeaders()],
  build: { target: 'es2023', sourcemap: true },
  worker: { format: 'es', plugins: () => [meteredQuickJs()] },
  test: {
    reporters: ['default', './tests/helpers/reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // A software GPU and a browser each use every core: two files at a time, and the browser only after the rest.
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**', 'tests/attacks.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts', 'tests/attacks.test.ts'],
          globalSetup: ['tests/helpers/site.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
