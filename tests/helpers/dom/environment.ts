/** The environment of tests that mount components: the globals of a window, put away after the file. */
import type { Environment } from 'vitest/runtime';

export default {
  name: 'dom',
  viteEnvironment: 'client',
  async setup(global: typeof globalThis) {
    const { globalsOfWindow } = await import('./window');
    const before = new Map<string, PropertyDescriptor | undefined>();
    for (const [name, value] of Object.entries(globalsOfWindow())) {
      before.set(name, Object.getOwnPropertyDescriptor(global, name));
      Object.defineProperty(global, name, { value, configurable: true, writable: true });
    }
    return {
      teardown() {
        for (const [name, descriptor] of before)
          if (descriptor) Object.defineProperty(global, name, descriptor);
          else delete (global as Record<string, unknown>)[name];
      },
    };
  },
} satisfies Environment;
