/** How much a visitor sees without scrolling: words, and what can be pressed or filled in. */
import type { Page } from '@playwright/test';

export interface FirstScreen {
  readonly words: readonly string[];
  /** Names of buttons, links, fields and tabs. */
  readonly controls: readonly string[];
}

/** What is in sight of the window as it stands: not what is clipped, hidden, or there for screen readers only. */
export const firstScreen = (page: Page): Promise<FirstScreen> =>
  page.evaluate(() => {
    interface Box {
      readonly left: number;
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
    }
    const common = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    });
    /** What the window and everything around an element that clips leave of a box. */
    const inSight = (element: Element, box: Box): boolean => {
      let left = common(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
      for (let each: Element | null = element; each; each = each.parentElement)
        if (getComputedStyle(each).overflow !== 'visible' && each !== document.documentElement)
          left = common(left, each.getBoundingClientRect());
      return left.right - left.left > 2 && left.bottom - left.top > 2;
    };
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest('.visually-hidden, option');

    const words: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const found = node.textContent!.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
      const parent = node.parentElement!;
      if (found.length === 0 || !isShown(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if ([...range.getClientRects()].some((box) => inSight(parent, box))) words.push(...found);
    }
    const kinds = 'a[href], button, input, select, textarea, summary, [role=slider], [role=tab], [role=row][tabindex]';
    const controls = [...document.querySelectorAll<HTMLElement>(kinds)]
      .filter((each) => {
        const shown = each.matches('input.visually-hidden') ? each.closest('label')! : each;
        return isShown(shown) && inSight(shown, shown.getBoundingClientRect());
      })
      .map((each) => each.getAttribute('aria-label') ?? (each.textContent!.trim() || each.id || each.tagName));
    return { words, controls };
  });
