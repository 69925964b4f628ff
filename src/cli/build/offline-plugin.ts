/**
 * Makes the page installable and keeps it for use without a connection: a web manifest, and a service worker that
 * holds every file of the build, with recordings and warm starts. It answers from the version that it was built with,
 * so that code and data always fit. `ui/shell/new-version.ts` registers it; the development server has none.
 */
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

export const offline = (): Plugin[] =>
  VitePWA({
    strategies: 'generateSW',
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
    workbox: {
      // One file: the page's policy, as a header, would refuse the address of a second script.
      inlineWorkboxRuntime: true,
      sourcemap: false,
      globPatterns: ['**/*.{html,js,css,wasm,svg,json,safetensors,webmanifest}', 'icons/192.png'],
      // No other address is the page: all of its addresses are behind the hash.
      navigateFallback: null,
      ignoreURLParametersMatching: [/./],
      // The first visit's page is served by it, too; a newer one waits until the page lets it (`SKIP_WAITING`).
      clientsClaim: true,
      cleanupOutdatedCaches: true,
    },
  });
