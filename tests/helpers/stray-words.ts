/** Words on the page that are in no catalogue, when it is built with the words of `tests/ui/translations/en-XA.ts`. */
import type { Page } from '@playwright/test';

/**
 * One line for each text, and each attribute that is read out or shown, with a letter outside of ⟦ ⟧. Only what is in
 * sight counts; the page's name, and numbers with their units, do not. @param allowed selectors of elements in which
 * other words may stand
 */
export const strayWords = (page: Page, allowed: readonly string[]): Promise<string[]> =>
  page.evaluate((selector) => {
    const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'data-head'];
    const numbers = /\d[\d.,]*(e[+−-]?\d+)?( ?([kMG]B|[KM]|m?s|min|h))?(\/s)?/g;
    const found = new Set<string>();
    /** A translated string may span elements. */
    let depth = 0;
    const outside = (words: string) => {
      let rest = '';
      for (const sign of words) {
        if (sign === '⟦') depth++;
        else if (sign === '⟧') depth--;
        else if (depth === 0) rest += sign;
      }
      return rest.replace('Agentlet', '').replace(numbers, '').trim();
    };
    const check = (words: string, element: Element, place: string) => {
      const rest = outside(words);
      if (/\p{L}/u.test(rest) && element.checkVisibility() && !element.closest(selector))
        found.add(
          `${place} of ${element.parentElement?.className} > ${element.localName}.${element.className}: ${rest}`,
        );
    };
    const walk = (root: Element | ShadowRoot) => {
      for (const node of root.childNodes) {
        if (node instanceof Text && root instanceof Element) check(node.data, root, 'text');
        if (!(node instanceof Element) || /^(script|style|noscript)$/.test(node.localName)) continue;
        walk(node);
        if (node.shadowRoot) walk(node.shadowRoot);
      }
    };
    walk(document.body);
    if (depth !== 0) found.add('a translated string was cut');
    for (const element of document.querySelectorAll('body *'))
      for (const attribute of attributes) {
        depth = 0;
        check(element.getAttribute(attribute) ?? '', element, attribute);
      }
    depth = 0;
    check(document.title, document.documentElement, 'title of the page');
    return [...found];
  }, allowed.join(', '));
