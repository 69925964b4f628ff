/**
 * What a person chose about the page itself, kept in this browser: theme, single-key shortcuts, and whether to
 * read how to get a GPU. Works without storage.
 */

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const themeKey = 'agentlet.theme';
const shortcutsKey = 'agentlet.shortcuts';
const gpuAdviceKey = 'agentlet.gpu-advice';

class Preferences {
  #theme = $state<Theme>(asTheme(read(themeKey)));
  #shortcuts = $state(read(shortcutsKey) !== 'off');
  #gpuAdvice = $state(read(gpuAdviceKey) !== 'off');

  constructor() {
    this.#apply();
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    write(themeKey, theme);
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
    write(shortcutsKey, on ? 'on' : 'off');
    this.#apply();
  }

  /** Whether to show what to switch on for a GPU, where there is none. */
  get gpuAdvice(): boolean {
    return this.#gpuAdvice;
  }

  set gpuAdvice(on: boolean) {
    this.#gpuAdvice = on;
    write(gpuAdviceKey, on ? 'on' : 'off');
  }

  #apply(): void {
    const { dataset } = document.documentElement;
    if (this.#theme === 'system') delete dataset.theme;
    else dataset.theme = this.#theme;
    dataset.shortcuts = this.#shortcuts ? 'on' : 'off';
  }
}

function asTheme(value: string | null): Theme {
  return themes.find((theme) => theme === value) ?? 'system';
}

// Storage throws where a person or an embedding page forbids it; then a choice lasts as long as the page.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

export const preferences = new Preferences();
