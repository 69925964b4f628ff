/** Elements with the properties that controls have: values, ticks, options, dialogs, folds, focus and clicks. */
import { DomElement, DomEvent, elementsIn, type DomDocument, type Node } from './nodes';
import { parse } from './parse';

const html = 'http://www.w3.org/1999/xhtml';

export class Html extends DomElement {
  #value: string | null = null;
  #checked: boolean | null = null;
  #selected = false;
  /** Of a list: nothing is chosen. */
  #none = false;
  content = this.localName === 'template' ? document.createDocumentFragment() : null;
  clientWidth = 800;
  clientHeight = 400;
  offsetHeight = 0;
  offsetLeft = 0;
  scrollTop = 0;
  scrollLeft = 0;
  scrollHeight = 0;
  files: unknown = null;
  selectionStart: number | null = null;
  selectionEnd: number | null = null;
  /** Where it is on the screen; a test may say so. */
  place = { left: 0, top: 0, width: 0, height: 0 };

  constructor(name: string, space = html) {
    super(name, space);
  }

  set innerHTML(text: string) {
    (this.content ?? this).replaceChildren(...(parse(text) as never[]));
  }
  get style() {
    const read = () =>
      new Map((this.getAttribute('style') ?? '').split(';').flatMap((each) => (each.trim() ? [pair(each)] : [])));
    const write = (all: Map<string, string>) =>
      this.setAttribute('style', [...all].map(([name, value]) => `${name}: ${value}`).join('; '));
    const set = (name: string, value: unknown) => write(read().set(name, String(value)));
    return {
      setProperty: set,
      getPropertyValue: (name: string) => read().get(name) ?? '',
      removeProperty: (name: string) => {
        const all = read();
        all.delete(name);
        write(all);
      },
      set cssText(text: string) {
        write(new Map(text.split(';').flatMap((each) => (each.trim() ? [pair(each)] : []))));
      },
    };
  }
  get dataset(): Record<string, string | undefined> {
    return Object.fromEntries(
      [...this.attributes].flatMap(([name, value]) => (name.startsWith('data-') ? [[name.slice(5), value]] : [])),
    );
  }

  get type(): string {
    return this.getAttribute('type') ?? '';
  }
  set type(type: string) {
    this.setAttribute('type', type);
  }
  get disabled(): boolean {
    return this.hasAttribute('disabled');
  }
  set disabled(on: boolean) {
    this.#flag('disabled', on);
  }
  get hidden(): boolean {
    return this.hasAttribute('hidden');
  }
  set hidden(on: boolean) {
    this.#flag('hidden', on);
  }
  get open(): boolean {
    return this.hasAttribute('open');
  }
  set open(on: boolean) {
    if (on === this.open) return;
    this.#flag('open', on);
    if (this.localName === 'details') this.dispatchEvent(new DomEvent('toggle'));
  }
  get readOnly(): boolean {
    return this.hasAttribute('readonly');
  }
  set readOnly(on: boolean) {
    this.#flag('readonly', on);
  }
  get checked(): boolean {
    return this.#checked ?? this.hasAttribute('checked');
  }
  set checked(on: boolean) {
    this.#checked = on;
    if (on && this.type === 'radio')
      for (const other of elementsIn(document as unknown as Node) as Html[])
        if (other !== this && other.type === 'radio' && groupOf(other) === groupOf(this)) other.#checked = false;
  }
  get options(): Html[] {
    return elementsIn(this).filter(({ localName }) => localName === 'option') as Html[];
  }
  /** The chosen one of a list, or without a list whether it was chosen. */
  get selected(): boolean {
    const select = this.closest('select') as Html | null;
    if (!select) return this.#selected;
    const { options } = select;
    if (select.#none && !options.some((each) => each.#selected)) return false;
    const chosen = options.findLast((each) => each.#selected) ?? options.find((each) => each.hasAttribute('selected'));
    return this === (chosen ?? options[0]);
  }
  set selected(on: boolean) {
    if (on) for (const each of (this.closest('select') as Html | null)?.options ?? []) each.#selected = false;
    this.#selected = on;
  }
  get selectedIndex(): number {
    return this.options.findIndex((each) => each.selected);
  }
  set selectedIndex(at: number) {
    this.#none = at === -1;
    for (const [i, each] of this.options.entries()) each.#selected = i === at;
  }
  get value(): string {
    if (this.localName === 'select') return this.options.find((each) => each.selected)?.value ?? '';
    if (this.localName === 'option') return this.getAttribute('value') ?? this.textContent;
    return this.#value ?? this.getAttribute('value') ?? '';
  }
  set value(value: unknown) {
    if (this.localName === 'option') this.setAttribute('value', value);
    else if (this.localName === 'select')
      this.selectedIndex = this.options.findIndex((each) => each.value === String(value));
    else this.#value = String(value);
  }
  get valueAsNumber(): number {
    return this.value === '' ? NaN : Number(this.value);
  }
  get defaultValue(): string {
    return this.getAttribute('value') ?? '';
  }

  #flag(name: string, on: boolean): void {
    if (on) this.setAttribute(name, '');
    else this.removeAttribute(name);
  }

  setSelectionRange(from: number, to: number): void {
    this.selectionStart = from;
    this.selectionEnd = to;
  }
  select(): void {
    this.setSelectionRange(0, this.value.length);
  }
  showModal(): void {
    this.open = true;
  }
  close(): void {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new DomEvent('close'));
  }
  /** Of a canvas: takes every call and draws nothing. */
  getContext(): unknown {
    return new Proxy({ canvas: this, measureText: () => ({ width: 10 }) } as Record<string, unknown>, {
      get: (held, name: string) => held[name] ?? (() => undefined),
    });
  }
  getBoundingClientRect() {
    return this.place;
  }
  /** Noted by a test that asks what was brought into sight. */
  static broughtIntoSight: Html[] = [];
  scrollIntoView(): void {
    Html.broughtIntoSight.push(this);
  }
  scrollTo({ top }: { top: number }): void {
    this.scrollTop = top;
  }

  focus(): void {
    const page = document as unknown as DomDocument;
    const before = page.focused;
    if (before === this || this.disabled || !this.isConnected) return;
    this.leave();
    page.focused = this;
    this.dispatchEvent(new DomEvent('focus', { relatedTarget: before }));
    this.dispatchEvent(new DomEvent('focusin', { bubbles: true, relatedTarget: before }));
  }
  blur(): void {
    if ((document as unknown as DomDocument).focused === this) this.leave();
  }
  private leave(to: Html | null = null): void {
    const page = document as unknown as DomDocument;
    const before = page.focused;
    page.focused = null;
    before?.dispatchEvent(new DomEvent('blur', { relatedTarget: to }));
    before?.dispatchEvent(new DomEvent('focusout', { bubbles: true, relatedTarget: to }));
  }

  /** As by a visitor, with what the browser then does by itself. */
  click(init: Record<string, unknown> = {}): void {
    if (this.disabled) return;
    if (this.type === 'radio') this.checked = true;
    else if (this.type === 'checkbox') this.checked = !this.checked;
    const goesOn = this.dispatchEvent(new DomEvent('click', { bubbles: true, button: 0, detail: 1, ...init }));
    if (!goesOn) return;
    if (this.type === 'radio' || this.type === 'checkbox')
      for (const type of ['input', 'change']) this.dispatchEvent(new DomEvent(type, { bubbles: true }));
    const fold = this.localName === 'summary' ? (this.parentElement as Html) : null;
    if (fold) fold.open = !fold.open;
    if (this.localName === 'button' && this.type !== 'button')
      this.closest('form')?.dispatchEvent(new DomEvent('submit', { bubbles: true }));
  }
}

const pair = (each: string): [string, string] => {
  const at = each.indexOf(':');
  return [each.slice(0, at).trim(), each.slice(at + 1).trim()];
};

/** Radio buttons of one question: of one name, or, as Svelte binds them, of one fieldset. */
const groupOf = (radio: Html): unknown => radio.getAttribute('name') ?? radio.closest('fieldset') ?? radio;
