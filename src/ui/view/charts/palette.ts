/** Design tokens as colours for a canvas, resolved by an element: only it knows light-dark() and color-mix(). */
import type { Attachment } from 'svelte/attachments';

export type Palette = (token: string, sharePercent?: number) => string;

/** For an element inside the themed page: calls `use` now and whenever the theme may have changed. */
export function withPalette(use: (palette: Palette) => void): Attachment<HTMLElement> {
  return (probe) => {
    const reread = (): void => use(readPalette(probe));
    reread();
    return onThemeChange(reread);
  };
}

/** @param probe its inline colour is used as scratch space */
function readPalette(probe: HTMLElement): Palette {
  const cache = new Map<string, string>();
  return (token, sharePercent = 100) => {
    const key = `${token} ${sharePercent}`;
    let colour = cache.get(key);
    if (colour === undefined) {
      probe.style.color =
        sharePercent === 100 ? `var(--${token})` : `color-mix(in srgb, var(--${token}) ${sharePercent}%, transparent)`;
      colour = getComputedStyle(probe).color;
      cache.set(key, colour);
    }
    return colour;
  };
}

/** Calls back when the theme may have changed: the system's scheme, or an attribute of the root element. */
export function onThemeChange(changed: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
  scheme.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    scheme.removeEventListener('change', changed);
  };
}
