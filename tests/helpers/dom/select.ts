/** The selectors that the page uses: names, classes, ids, attributes, `:checked` and `:not(…)`, and descent. */
import { elementsIn, type DomElement, type Node } from './nodes';

const part = /^(?:(\*|[\w-]+)|\.([\w-]+)|#([\w-]+)|\[([\w-]+)(?:([$^]?)="?([^"\]]*)"?)?\]|:(checked)|:not\(([^)]*)\))/;

export function matches(element: DomElement, selector: string): boolean {
  return selector.split(',').some((each) => fits(element, each.trim().split(/\s+/)));
}

export function first(node: Node, selector: string): DomElement | null {
  return elementsIn(node).find((element) => matches(element, selector)) ?? null;
}

/** Whether the last of these fits the element, and those before it some that it is in. */
function fits(element: DomElement, parts: readonly string[]): boolean {
  if (!fitsAlone(element, parts.at(-1)!)) return false;
  const rest = parts.slice(0, -1);
  if (rest.length === 0) return true;
  for (let at = element.parentElement; at; at = at.parentElement) if (fits(at, rest)) return true;
  return false;
}

function fitsAlone(element: DomElement, selector: string): boolean {
  for (let left = selector; left !== '';) {
    const found = part.exec(left);
    if (!found) throw new Error(`cannot read the selector ${selector}`);
    const [whole, name, inClass, id, attribute, end, value, checked, not] = found;
    if (name && name !== '*' && element.localName !== name) return false;
    if (inClass && !element.classList.contains(inClass)) return false;
    if (id && element.id !== id) return false;
    if (attribute && !element.hasAttribute(attribute)) return false;
    const own = attribute ? (element.getAttribute(attribute) ?? '') : '';
    if (
      value !== undefined &&
      !(end === '$' ? own.endsWith(value) : end === '^' ? own.startsWith(value) : own === value)
    )
      return false;
    if (checked && !isChosen(element as DomElement & Chosen)) return false;
    if (not && matches(element, not)) return false;
    left = left.slice(whole.length);
  }
  return true;
}

interface Chosen {
  readonly checked: boolean;
  readonly selected: boolean;
}
const isChosen = (element: DomElement & Chosen): boolean =>
  element.localName === 'option' ? element.selected : element.checked;
