/** A window of happy-dom, and what it lacks: a layout that a test may set, canvases, and a store. */
import { Window } from 'happy-dom';

/** Sees nothing by itself; a test tells it. */
class Observer {
  readonly seen = new Set<unknown>();
  constructor(readonly tell: (entries: readonly object[]) => void) {}
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

/** Of a canvas: takes every call and draws nothing. */
function getContext(this: HTMLCanvasElement): unknown {
  const own: Record<string, unknown> = { canvas: this, measureText: () => ({ width: 10 }) };
  return new Proxy(own, { get: (_, name: string) => own[name] ?? (() => undefined) });
}

/** Of a list: happy-dom’s `:checked` knows boxes only, and Svelte asks it for the chosen option. */
const chosenOr = (querySelector: (this: unknown, selector: string) => unknown) =>
  function (this: HTMLSelectElement, selector: string): unknown {
    return selector === ':checked' ? this.options[this.selectedIndex] : querySelector.call(this, selector);
  };

/** Sizes of an element without a layout; a test may write others. */
const sizes = { clientWidth: 800, clientHeight: 400, offsetHeight: 0, offsetLeft: 0, scrollHeight: 0 };

const constructors = [
  'Node',
  'Element',
  'HTMLElement',
  'HTMLInputElement',
  'HTMLMediaElement',
  'Text',
  'Comment',
  'MutationObserver',
  'Event',
  'CustomEvent',
  'KeyboardEvent',
  'MouseEvent',
  'InputEvent',
  'DragEvent',
] satisfies (keyof Window)[];
const functions = ['addEventListener', 'removeEventListener', 'dispatchEvent', 'getComputedStyle'] as const;

export function globalsOfWindow(): Record<string, unknown> {
  const window = new Window({ url: 'http://here/#/lab' });
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(window.HTMLElement.prototype, name, { value, writable: true });
  Object.defineProperty(window.HTMLInputElement.prototype, 'files', { value: null, writable: true });
  Object.assign(window.HTMLElement.prototype, {
    scrollIntoView: () => undefined,
    scrollTo(this: HTMLElement, { top }: { top: number }) {
      this.scrollTop = top;
    },
  });
  Object.assign(window.HTMLCanvasElement.prototype, { getContext });
  Object.assign(window.HTMLSelectElement.prototype, {
    querySelector: chosenOr(window.Element.prototype.querySelector),
  });
  // A test may say that the page is narrow.
  Object.assign(window, { matchMedia: (query: string) => globalThis.matchMedia(query) });
  const { document, location, history } = window;
  const bound = functions.map((name) => [name, (window[name] as () => unknown).bind(window)]);
  return {
    window,
    document,
    location,
    history,
    ...Object.fromEntries(constructors.map((name) => [name, window[name]])),
    ...Object.fromEntries(bound),
    ResizeObserver: SeesSize,
    IntersectionObserver: SeesPlace,
    matchMedia: () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }),
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
  };
}
