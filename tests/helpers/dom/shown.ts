/** Mounts a component in Node, gives it what a visitor does, and says what it then shows. */
import { flushSync, mount, unmount, type Component } from 'svelte';
import { onTestFinished, vi } from 'vitest';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import type { Html } from './elements';
import type { DomEvent, Node } from './nodes';
import { nameOf, outline } from './outline';
import Within from './Within.svelte';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, with its own props
export function show<Props extends Record<string, any>>(
  of: Component<Props>,
  props: Props,
  page: PageState | null = null,
): Shown {
  const target = document.createElement('div');
  document.body.append(target);
  const within = mount(Within, { target, props: { of: of as never, props, page } }) as Record<string, never>;
  onTestFinished(() => {
    void unmount(within);
    target.remove();
  });
  flushSync();
  return new Shown(target as unknown as Html, within as never);
}

/** What is loaded when it is opened may take its time. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 10_000 });

const EventOf = (): typeof DomEvent => globalThis.Event as unknown as typeof DomEvent;

export class Shown {
  constructor(
    readonly root: Html,
    private readonly within: { calls(name: string, ...values: unknown[]): unknown },
  ) {}

  /** Each control, and each run of words. */
  get says(): string[] {
    return outline(this.root as unknown as Node);
  }

  /** Calls what the component exports. */
  calls(name: string, ...values: unknown[]): unknown {
    const answer = this.within.calls(name, ...values);
    flushSync();
    return answer;
  }

  find(selector: string): Html {
    const found = this.root.querySelector(selector) as Html | null;
    if (!found) throw new Error(`there is no ${selector}`);
    return found;
  }
  all(selector: string): Html[] {
    return this.root.querySelectorAll(selector) as Html[];
  }

  /** The control of that name: all of it, or its beginning. */
  control(name: string): Html {
    const controls = this.all('button, a, input, select, textarea, summary, [role="tab"], [role="option"]');
    const found =
      controls.find((each) => nameOf(each) === name) ?? controls.find((each) => nameOf(each).startsWith(name));
    if (!found) throw new Error(`there is no control “${name}”, but ${controls.map(nameOf).join(', ')}`);
    return found;
  }

  press(name: string, init: Record<string, unknown> = {}): void {
    this.click(this.control(name), init);
  }
  click(element: Html, init: Record<string, unknown> = {}): void {
    element.focus();
    element.click(init);
    flushSync();
  }

  /** Writes into a field, or chooses by value. */
  write(name: string, value: string): void {
    const field = this.control(name);
    field.value = value;
    for (const type of ['input', 'change']) this.tell(field, type);
  }

  /** @returns whether the page took the key for itself */
  key(element: Html, key: string, more: Record<string, unknown> = {}): boolean {
    return this.tell(element, 'keydown', { key, ctrlKey: false, metaKey: false, altKey: false, ...more });
  }

  /** @returns whether the page kept the browser from what it does by itself */
  tell(element: Html | Window, type: string, more: Record<string, unknown> = {}): boolean {
    const event = new (EventOf())(type, { bubbles: true, ...more });
    (element as Html).dispatchEvent(event);
    flushSync();
    return event.defaultPrevented;
  }

  /** Lets what was promised come, and shows it. */
  async settled(): Promise<void> {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    flushSync();
  }
}
