/**
 * What a person chose about the page itself, kept in this browser: theme, large type for a room, single-key shortcuts.
 * Works without storage.
 */
import { readStored, writeStored } from './stored';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const themeKey = 'agentlet.theme';
const presentKey = 'agentlet.present';
const shortcutsKey = 'agentlet.shortcuts';

class Preferences {
  #theme = $state<Theme>(asTheme(readStored(themeKey)));
  #present = $state(readStored(presentKey) === 'on');
  #shortcuts = $state(readStored(shortcutsKey) !== 'off');

  constructor() {
    this.#apply();
    // Canvases are not drawn again for paper, which is light.
    addEventListener('beforeprint', () => (document.documentElement.dataset.drawn = this.scheme));
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    writeStored(themeKey, theme);
    this.#apply();
  }

  /** The theme that is shown: where the system decides, what it has now. */
  get scheme(): 'light' | 'dark' {
    if (this.#theme !== 'system') return this.#theme;
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }

  /**
   * For a room that reads along: larger type, and only what there is to look at. `data-present` on <html> tells the
   * styles.
   */
  get present(): boolean {
    return this.#present;
  }

  set present(on: boolean) {
    this.#present = on;
    writeStored(presentKey, on ? 'on' : 'off');
    this.#apply();
  }

  /**
   * Whether keys without a modifier do something (WCAG 2.1.4). `data-shortcuts` on <html> tells the parts of the page.
   */
  get shortcuts(): boolean {
    return this.#shortcuts;
  }

  set shortcuts(on: boolean) {
    this.#shortcuts = on;
    writeStored(shortcutsKey, on ? 'on' : 'off');
    this.#apply();
  }

  #apply(): void {
    const { dataset } = document.documentElement;
    if (this.#theme === 'system') delete dataset.theme;
    else dataset.theme = this.#theme;
    dataset.present = this.#present ? 'on' : 'off';
    dataset.shortcuts = this.#shortcuts ? 'on' : 'off';
  }
}

function asTheme(value: string | null): Theme {
  return themes.find((theme) => theme === value) ?? 'system';
}

export const preferences = new Preferences();
