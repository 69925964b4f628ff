/**
 * Makes the page installable and keeps it for use without a connection: a web manifest, and a service worker
 * (`worker/sw.ts`) that is given the list of all files of the build, with recordings and warm starts. It answers from
 * the version that it was built with, so that code and data always fit. `ui/app/new-version.ts` registers it; the
 * development server has none.
 */
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

export const offline = (): Plugin[] =>
  VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/worker',
    filename: 'sw.ts',
    registerType: 'prompt',
    injectRegister: false,
    manifest: {
      id: './',
      name: 'Agentlet',
      short_name: 'Agentlet',
      description: 'Train small tool-using agents by reinforcement learning, in the browser.',
      start_url: './',
      scope: './',
      display: 'standalone',
      background_color: '#ffffff',
      theme_color: '#ffffff',
      icons: [
        { src: 'icons/192.png', sizes: '192x192', type: 'image/png' },
        { src: 'icons/512.png', sizes: '512x512', type: 'image/png' },
        { src: 'icons/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
    includeManifestIcons: false,
    injectManifest: {
      sourcemap: false,
      // The model of the page is loaded only by those who ask for it.
      globIgnores: ['**/node_modules/**/*', 'models/**'],
      globPatterns: ['**/*.{html,js,css,wasm,svg,json,safetensors,webmanifest}', 'icons/192.png'],
    },
  });
