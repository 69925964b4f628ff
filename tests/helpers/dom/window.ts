/** A window with an empty document, and what else components ask of a browser. */
import { Html } from './elements';
import { DomComment, DomElement, DomEvent, DomFragment, DomText, elementsIn, Node, Target } from './nodes';

class Page extends Node {
  override readonly nodeType = 9;
  override readonly nodeName = '#document';
  focused: DomElement | null = null;
  title = 'Agentlet';
  readonly readyState = 'complete';
  readonly visibilityState = 'visible';
  readonly baseURI = 'http://here/';
  documentElement!: DomElement;
  head!: DomElement;
  body!: DomElement;

  get activeElement(): DomElement {
    return this.focused ?? this.body;
  }
  createElement(name: string): DomElement {
    return new Html(name);
  }
  createElementNS(space: string, name: string): DomElement {
    return new Html(name, space);
  }
  createTextNode(text: string): DomText {
    return new DomText(text);
  }
  createComment(text: string): DomComment {
    return new DomComment(text);
  }
  createDocumentFragment(): DomFragment {
    return new DomFragment();
  }
  importNode(node: Node, deep: boolean): Node {
    return node.cloneNode(deep);
  }
  getElementById(id: string): DomElement | null {
    return elementsIn(this).find((element) => element.id === id) ?? null;
  }
}

/** Sees nothing by itself; a test tells it. */
class Observer {
  static readonly all = new Set<Observer>();
  readonly seen = new Set<unknown>();
  constructor(readonly tell: (entries: readonly object[]) => void) {
    Observer.all.add(this);
  }
  observe(element: unknown): void {
    this.seen.add(element);
  }
  unobserve(element: unknown): void {
    this.seen.delete(element);
  }
  disconnect(): void {
    this.seen.clear();
  }
}
export class SeesPlace extends Observer {}
export class SeesSize extends Observer {}

/** Nothing can be stored, as in some private windows. */
function refuses() {
  const request: { error: Error; onerror?: () => void } = { error: new Error('There is no storage.') };
  queueMicrotask(() => request.onerror?.());
  return request;
}

export function globalsOfWindow(): Record<string, unknown> {
  const page = new Page();
  const window = new Target();
  // Elements are made with a document in sight.
  Object.assign(window, { matchMedia: (query: string) => globalThis.matchMedia(query) });
  Object.assign(globalThis, { document: page, window });
  page.documentElement = new Html('html');
  page.head = new Html('head');
  page.body = new Html('body');
  page.appendChild(page.documentElement);
  page.documentElement.append(page.head, page.body);
  for (const one of [page.documentElement, page.head, page.body]) one.ownerDocument = page as never;
  const listens = {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    dispatchEvent: window.dispatchEvent.bind(window),
  };
  return {
    window,
    document: page,
    Node,
    Element: DomElement,
    HTMLElement: Html,
    HTMLInputElement: Html,
    HTMLMediaElement: class {},
    Text: DomText,
    Comment: DomComment,
    Event: DomEvent,
    CustomEvent: DomEvent,
    MutationObserver: Observer,
    ResizeObserver: SeesSize,
    IntersectionObserver: SeesPlace,
    matchMedia: () => ({ matches: false, ...listens }),
    getComputedStyle: () => ({ getPropertyValue: () => '' }),
    requestAnimationFrame: (act: (ms: number) => void) => setTimeout(() => act(performance.now())),
    cancelAnimationFrame: (id: number) => clearTimeout(id),
    scrollTo: () => undefined,
    devicePixelRatio: 1,
    isSecureContext: true,
    innerHeight: 900,
    Path2D: class {
      constructor() {
        return new Proxy(this, { get: () => () => undefined });
      }
    },
    FileSystemDirectoryHandle: class {},
    indexedDB: { open: refuses },
    navigator: { userAgent: 'Node', maxTouchPoints: 0 },
    location: { hash: '#/lab', href: 'http://here/#/lab' },
    history: { replaceState: () => undefined },
    ...listens,
  };
}
