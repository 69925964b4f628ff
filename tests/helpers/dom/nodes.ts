/**
 * As much of a document as components need to be mounted in Node: a tree, attributes, events that bubble, and focus.
 * Nothing is laid out: a test gives an element the place or size that it asks for.
 */
import { first, matches } from './select';

export type Init = Record<string, unknown>;

export class DomEvent {
  defaultPrevented = false;
  cancelBubble = false;
  target: Target | null = null;
  currentTarget: Target | null = null;
  timeStamp = performance.now();
  path: Target[] = [];
  constructor(
    readonly type: string,
    { bubbles = false, ...more }: Init = {},
  ) {
    this.bubbles = bubbles === true;
    Object.assign(this, more);
  }
  readonly bubbles: boolean;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
  stopPropagation(): void {
    this.cancelBubble = true;
  }
  composedPath(): readonly Target[] {
    return this.path;
  }
}

type Listener = ((event: DomEvent) => void) | { handleEvent(event: DomEvent): void };
interface Heard {
  readonly type: string;
  readonly listener: Listener;
  readonly capture: boolean;
  readonly once: boolean;
}

export class Target {
  #heard: Heard[] = [];

  addEventListener(type: string, listener: Listener | null, options?: boolean | { capture?: boolean; once?: boolean }) {
    const { capture = false, once = false } = typeof options === 'object' ? options : { capture: options };
    const isThere = this.#heard.some(
      (one) => one.type === type && one.listener === listener && one.capture === capture,
    );
    if (listener && !isThere) this.#heard.push({ type, listener, capture, once });
  }

  removeEventListener(type: string, listener: Listener | null, options?: boolean | { capture?: boolean }) {
    const { capture = false } = typeof options === 'object' ? options : { capture: options };
    this.#heard = this.#heard.filter(
      (one) => one.type !== type || one.listener !== listener || one.capture !== capture,
    );
  }

  /** Where an event goes on to. */
  get above(): Target | null {
    return null;
  }

  dispatchEvent(event: DomEvent): boolean {
    event.target = this;
    event.path = [];
    event.path.push(this);
    for (let at = this.above; at; at = at.above) event.path.push(at);
    for (const at of event.path.toReversed()) at.#hear(event, true);
    for (const at of event.bubbles ? event.path : [this]) at.#hear(event, false);
    return !event.defaultPrevented;
  }

  #hear(event: DomEvent, capture: boolean): void {
    if (event.cancelBubble) return;
    for (const one of this.#heard.filter((each) => each.type === event.type && each.capture === capture)) {
      event.currentTarget = this;
      if (one.once) this.removeEventListener(one.type, one.listener, { capture });
      if (typeof one.listener === 'function') one.listener.call(this, event);
      else one.listener.handleEvent(event);
    }
  }
}

interface Links {
  parent: Node | null;
  first: Node | null;
  last: Node | null;
  previous: Node | null;
  next: Node | null;
}

export class Node extends Target {
  readonly nodeType: number = 0;
  readonly nodeName: string = '';
  /** The tree; read through getters, as in a browser. */
  links: Links = { parent: null, first: null, last: null, previous: null, next: null };
  ownerDocument: Document = globalThis.document;

  get parentNode(): Node | null {
    return this.links.parent;
  }
  get parentElement(): DomElement | null {
    return this.links.parent instanceof DomElement ? this.links.parent : null;
  }
  get firstChild(): Node | null {
    return this.links.first;
  }
  get nextSibling(): Node | null {
    return this.links.next;
  }
  get lastChild(): Node | null {
    return this.links.last;
  }
  get childNodes(): Node[] {
    const all: Node[] = [];
    for (let at = this.links.first; at; at = at.links.next) all.push(at);
    return all;
  }
  get isConnected(): boolean {
    return this.nodeType === 9 || (this.links.parent?.isConnected ?? false);
  }
  override get above(): Target | null {
    return this.links.parent ?? (this.nodeType === 9 ? (globalThis.window as unknown as Target) : null);
  }

  get textContent(): string {
    return this.childNodes.map((child) => (child.nodeType === 8 ? '' : child.textContent)).join('');
  }
  set textContent(text: string) {
    this.replaceChildren(...(text === '' ? [] : [text]));
  }
  get nodeValue(): string | null {
    return null;
  }

  insertBefore(node: Node, before: Node | null): Node {
    if (node.nodeType === 11) {
      for (const child of node.childNodes) this.insertBefore(child, before);
      return node;
    }
    if (node === before) return node;
    node.remove();
    const previous = before ? before.links.previous : this.links.last;
    Object.assign(node.links, { parent: this, previous, next: before });
    if (previous) previous.links.next = node;
    else this.links.first = node;
    if (before) before.links.previous = node;
    else this.links.last = node;
    return node;
  }
  appendChild(node: Node): Node {
    return this.insertBefore(node, null);
  }
  append(...nodes: (Node | string)[]): void {
    for (const node of nodes) this.insertBefore(nodeOf(node), null);
  }
  before(...nodes: (Node | string)[]): void {
    for (const node of nodes) this.links.parent?.insertBefore(nodeOf(node), this);
  }
  after(...nodes: (Node | string)[]): void {
    const next = this.links.next;
    for (const node of nodes) this.links.parent?.insertBefore(nodeOf(node), next);
  }
  replaceWith(...nodes: (Node | string)[]): void {
    this.before(...nodes);
    this.remove();
  }
  replaceChildren(...nodes: (Node | string)[]): void {
    for (const child of this.childNodes) child.remove();
    this.append(...nodes);
  }
  removeChild(node: Node): Node {
    node.remove();
    return node;
  }
  remove(): void {
    const { parent, previous, next } = this.links;
    if (!parent) return;
    const page = document as unknown as DomDocument;
    if (page.focused && this.contains(page.focused)) page.focused = null;
    if (previous) previous.links.next = next;
    else parent.links.first = next;
    if (next) next.links.previous = previous;
    else parent.links.last = previous;
    Object.assign(this.links, { parent: null, previous: null, next: null });
  }
  contains(node: unknown): boolean {
    for (let at = node as Node | null; at; at = at.links.parent) if (at === this) return true;
    return false;
  }
  cloneNode(deep = false): Node {
    const clone = this.copy();
    if (deep) for (const child of this.childNodes) clone.appendChild(child.cloneNode(true));
    return clone;
  }
  compareDocumentPosition(other: Node): number {
    const order = [...walk(document as unknown as Node)];
    return order.indexOf(other) > order.indexOf(this) ? 4 : 2;
  }
  protected copy(): Node {
    return new DomFragment();
  }

  querySelector(selector: string): DomElement | null {
    return first(this, selector);
  }
  querySelectorAll(selector: string): DomElement[] {
    return elementsIn(this).filter((element) => matches(element, selector));
  }
}

export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of node.childNodes) yield* walk(child);
}

export const elementsIn = (node: Node): DomElement[] =>
  [...walk(node)].filter((each): each is DomElement => each instanceof DomElement && each !== node);

const nodeOf = (node: Node | string): Node => (typeof node === 'string' ? new DomText(node) : node);

export class DomText extends Node {
  override readonly nodeType: number = 3;
  override readonly nodeName: string = '#text';
  constructor(public data = '') {
    super();
  }
  override get nodeValue(): string {
    return this.data;
  }
  override set nodeValue(value: unknown) {
    this.data = String(value ?? '');
  }
  override get textContent(): string {
    return this.data;
  }
  override set textContent(value: string) {
    this.data = value;
  }
  protected override copy(): Node {
    return new DomText(this.data);
  }
}

export class DomComment extends DomText {
  override readonly nodeType = 8;
  override readonly nodeName = '#comment';
  protected override copy(): Node {
    return new DomComment(this.data);
  }
}

export class DomFragment extends Node {
  override readonly nodeType = 11;
  override readonly nodeName = '#document-fragment';
}

export class DomElement extends Node {
  override readonly nodeType = 1;
  override readonly nodeName: string;
  readonly attributes = new Map<string, string>();
  constructor(
    readonly localName: string,
    readonly namespaceURI: string,
  ) {
    super();
    this.nodeName = namespaceURI.endsWith('xhtml') ? localName.toUpperCase() : localName;
  }

  get tagName(): string {
    return this.nodeName;
  }
  get children(): DomElement[] {
    return this.childNodes.filter((child): child is DomElement => child instanceof DomElement);
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }
  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }
  get id(): string {
    return this.getAttribute('id') ?? '';
  }
  set id(value: string) {
    this.setAttribute('id', value);
  }
  get className(): string {
    return this.getAttribute('class') ?? '';
  }
  set className(value: string) {
    this.setAttribute('class', value);
  }
  get classList() {
    const all = (): Set<string> => new Set(this.className.split(/\s+/).filter(Boolean));
    const toggle = (name: string, on = !all().has(name)): void => {
      const names = all();
      if (on) names.add(name);
      else names.delete(name);
      this.className = [...names].join(' ');
    };
    return {
      contains: (name: string) => all().has(name),
      add: (name: string) => toggle(name, true),
      remove: (name: string) => toggle(name, false),
      toggle,
    };
  }
  matches(selector: string): boolean {
    return matches(this, selector);
  }
  closest(selector: string): DomElement | null {
    return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null);
  }
  protected override copy(): Node {
    const copy = (document as unknown as DomDocument).createElementNS(this.namespaceURI, this.localName);
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    return copy;
  }
}

/** What the document of `page.ts` offers beside the tree. */
export interface DomDocument extends Node {
  focused: DomElement | null;
  createElementNS(namespace: string, name: string): DomElement;
}
