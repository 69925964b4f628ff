/** The theme that is shown, and the colours that canvases get of it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withPalette, type Palette } from '../../src/ui/view/charts/palette';

let systemIsDark: boolean;
let asked: string[];
let changed: Map<string, () => void>;
const dataset: Record<string, string> = {};
beforeEach(() => {
  systemIsDark = false;
  asked = [];
  changed = new Map();
  for (const name of Object.keys(dataset)) delete dataset[name];
  vi.stubGlobal('document', { documentElement: { dataset } });
  vi.stubGlobal('addEventListener', (type: string, act: () => void) => changed.set(type, act));
  vi.stubGlobal('matchMedia', () => ({
    matches: systemIsDark,
    addEventListener: (_: string, act: () => void) => changed.set('system', act),
    removeEventListener: () => changed.delete('system'),
  }));
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(act: () => void) {
        changed.set('page', act);
      }
      observe(): void {}
      disconnect(): void {
        changed.delete('page');
      }
    },
  );
  vi.stubGlobal('getComputedStyle', ({ style }: { style: { color: string } }) => {
    asked.push(style.color);
    return { color: `computed ${style.color}` };
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('is the one that was chosen, else the system’s as it is now; paper is told which', async () => {
  vi.resetModules();
  const { preferences } = await import('../../src/ui/base/preferences.svelte');
  const shown = (theme: typeof preferences.theme, dark: boolean) => {
    preferences.theme = theme;
    systemIsDark = dark;
    changed.get('beforeprint')!();
    return [preferences.scheme, dataset.theme, dataset.drawn];
  };
  expect(shown('system', false)).toEqual(['light', undefined, 'light']);
  expect(shown('system', true)).toEqual(['dark', undefined, 'dark']);
  expect(shown('light', true)).toEqual(['light', 'light', 'light']);
  expect(shown('dark', false)).toEqual(['dark', 'dark', 'dark']);
});

test('a colour is read once, and again after a change of the theme', () => {
  const palettes: Palette[] = [];
  const leave = withPalette((palette) => palettes.push(palette))({ style: { color: '' } } as HTMLElement);
  const read = () => [palettes.at(-1)!('text'), palettes.at(-1)!('text'), palettes.at(-1)!('accent', 30)];
  const colours = ['var(--text)', 'color-mix(in srgb, var(--accent) 30%, transparent)'];
  expect(read()).toEqual([colours[0], colours[0], colours[1]].map((colour) => `computed ${colour}`));
  expect(asked).toEqual(colours);
  for (const cause of ['system', 'page']) {
    changed.get(cause)!();
    read();
  }
  expect([palettes.length, asked.length]).toEqual([3, 6]);
  leave!();
  expect([changed.has('system'), changed.has('page')]).toEqual([false, false]);
});

test('what was chosen is kept, and begins the next visit', async () => {
  const kept = new Map<string, string>();
  const localStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
  vi.stubGlobal('localStorage', localStorage);
  const visit = async () => {
    vi.resetModules();
    return (await import('../../src/ui/base/preferences.svelte')).preferences;
  };
  const first = await visit();
  const said = () => [dataset.theme, dataset.present, dataset.shortcuts];
  expect(said()).toEqual([undefined, 'off', 'on']);
  Object.assign(first, { theme: 'dark', present: true, shortcuts: false });
  expect(said()).toEqual(['dark', 'on', 'off']);
  const second = await visit();
  expect([second.theme, second.present, second.shortcuts]).toEqual(['dark', true, false]);
  Object.assign(second, { theme: 'system', present: false, shortcuts: true });
  expect(said()).toEqual([undefined, 'off', 'on']);
  const third = await visit();
  expect([third.theme, third.present, third.shortcuts]).toEqual(['system', false, true]);
});
