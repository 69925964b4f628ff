/** Mounts a component in Node, gives it what a visitor does, and says what it then shows. */
import { flushSync, mount, unmount, type Component } from 'svelte';
import { onTestFinished, vi } from 'vitest';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { nameOf, outline, type Html } from './outline';
import Within from './Within.svelte';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, with its own props
export function show<Props extends Record<string, any>>(
  of: Component<Props>,
  props: Props,
  page: PageState | null = null,
): Shown {
  const target = document.createElement('div');
  document.body.append(target);
  const within = mount(Within, { target, props: { of: of as never, props, page } });
  onTestFinished(async () => {
    // A part that is still being loaded cannot be, once the file's window is gone.
    await vi.dynamicImportSettled();
    void unmount(within);
    target.remove();
  });
  flushSync();
  return new Shown(target as HTMLElement as Html, within as never);
}

/** An event of its kind, with what `more` says of it. */
function eventOf(type: string, more: Record<string, unknown>): Event {
  const kind = type.startsWith('key')
    ? KeyboardEvent
    : /^(pointer|mouse|click|dblclick)/.test(type)
      ? MouseEvent
      : Event;
  const event = new kind(type, { bubbles: true, cancelable: true, ...more });
  for (const [name, value] of Object.entries(more))
    if (Reflect.get(event, name) !== value) Object.defineProperty(event, name, { value });
  return event;
}

export class Shown {
  constructor(
    readonly root: Html,
    private readonly within: { calls(name: string, ...values: unknown[]): unknown },
  ) {}

  /** Each control, and each run of words. */
  get says(): string[] {
    return outline(this.root);
  }

  /** Calls what the component exports. */
  calls(name: string, ...values: unknown[]): unknown {
    const answer = this.within.calls(name, ...values);
    flushSync();
    return answer;
  }

  find(selector: string): Html {
    const found = this.root.querySelector<Html>(selector);
    if (!found) throw new Error(`there is no ${selector}`);
    return found;
  }
  all(selector: string): Html[] {
    return [...this.root.querySelectorAll<Html>(selector)];
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
    if (!element.disabled) element.dispatchEvent(eventOf('click', { button: 0, detail: 1, ...init }));
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
    const event = eventOf(type, more);
    element.dispatchEvent(event);
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
