/** Reads the HTML that Svelte writes for a component's static parts. */
import { DomComment, DomText, type Node } from './nodes';

const voids = new Set(['input', 'br', 'hr', 'img', 'link', 'meta', 'source', 'col']);
const token =
  /<!--([\s\S]*?)-->|<\/([\w:-]+)>|<([\w:-]+)((?:\s+[^\s=>/]+(?:="[^"]*"|='[^']*'|=[^\s>]+)?)*)\s*(\/?)>|([^<]+)/g;
const attribute = /([^\s=]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?/g;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" };
const plain = (text: string): string => text.replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole);

export function parse(text: string): Node[] {
  const root = document.createDocumentFragment() as unknown as Node;
  let at = root;
  let svg = 0;
  for (const [, comment, end, name, attributes = '', closed, words] of text.matchAll(token)) {
    if (words !== undefined) at.appendChild(new DomText(plain(words)));
    else if (comment !== undefined) at.appendChild(new DomComment(comment));
    else if (end !== undefined) {
      at = at.parentNode!;
      if (end === 'svg') svg--;
    } else {
      if (name === 'svg') svg++;
      const space = svg > 0 ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml';
      const element = document.createElementNS(space, name) as Element;
      for (const [, key, ...values] of attributes.matchAll(attribute))
        element.setAttribute(key, plain(values.find((value) => value !== undefined) ?? ''));
      at.appendChild(element as unknown as Node);
      if (!voids.has(name) && closed === '') at = element as unknown as Node;
      else if (name === 'svg') svg--;
    }
  }
  return root.childNodes;
}
