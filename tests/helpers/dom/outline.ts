/**
 * What a part of the page says and offers, a line each: its words, and its controls with their names and states. Long
 * lines are cut.
 */

type Control = HTMLElement &
  HTMLInputElement &
  Pick<HTMLSelectElement, 'options'> &
  Pick<HTMLDialogElement, 'open' | 'showModal'>;

/** An element with what controls have; a test may give it a height and files. */
export type Html = Omit<Control, 'clientHeight' | 'files'> & { clientHeight: number; files: unknown };

const inline = new Set(['span', 'b', 'i', 'em', 'strong', 'code', 'kbd', 'small', 'label', 'output', 'br']);
const tones = ['good', 'bad', 'warn', 'warning', 'muted'];

const maxLength = 96;
/** More choices are counted. */
const maxChoices = 6;

export const outline = (root: Node): string[] =>
  linesOf(root).map((line) => (line.length > maxLength ? `${line.slice(0, maxLength)}…` : line));

function linesOf(root: Node): string[] {
  const lines: string[] = [];
  let words = '';
  const end = (): void => {
    const line = words.replace(/\s+/g, ' ').trim();
    words = '';
    if (line !== '') lines.push(line);
  };
  const see = (node: Node): void => {
    if (node.nodeType === 3) words += node.textContent;
    if (node.nodeType !== 1) return;
    const element = node as Html;
    if (isHidden(element)) return;
    const control = controlLine(element);
    if (control !== null) {
      end();
      lines.push(control);
      return;
    }
    if (element.localName === 'tr') {
      end();
      lines.push([...element.children].map((cell) => linesOf(cell).join(' ')).join(' | '));
      return;
    }
    const isInline = inline.has(element.localName);
    if (!isInline) end();
    const from = lines.length;
    for (const child of element.childNodes) see(child);
    if (isInline) return;
    end();
    const label = element.getAttribute('aria-label');
    if (label !== null) lines.splice(from, 0, `${element.getAttribute('role') ?? element.localName} "${clean(label)}"`);
    const tone = tones.find((each) => element.classList.contains(each));
    if (tone && tone !== 'muted')
      lines.splice(from, lines.length, ...lines.slice(from).map((each) => `${tone}: ${each}`));
    if (/^h\d$/.test(element.localName) && lines.length > from) lines[from] = `# ${lines[from]}`;
  };
  for (const child of root.childNodes) see(child);
  end();
  return lines;
}

function isHidden(element: Html): boolean {
  if (element.hidden || element.getAttribute('aria-hidden') === 'true') return true;
  if (element.localName === 'dialog' && !element.open) return true;
  const fold = element.parentElement as Html | null;
  return fold?.localName === 'details' && !fold.open && element.localName !== 'summary';
}

/** The line of a control; null for what is none. */
function controlLine(element: Html): string | null {
  const role = roleOf(element);
  if (role === null) return null;
  const value = valueOf(element);
  const states = [
    ...(element.disabled || element.getAttribute('aria-disabled') === 'true' ? ['disabled'] : []),
    ...['pressed', 'selected', 'expanded', 'current', 'invalid'].flatMap((name) => {
      const state = element.getAttribute(`aria-${name}`);
      return state === null || state === 'false' ? [] : [name];
    }),
    ...(element.checked ? ['checked'] : []),
    ...(element.localName === 'summary' && (element.parentElement as Html).open ? ['expanded'] : []),
    ...(element.classList.contains('primary') ? ['primary'] : []),
  ];
  const to = element.localName === 'a' ? ` → ${element.getAttribute('href')}` : '';
  const named = `${role} "${nameOf(element)}"${value === null ? '' : `: ${value}`}${to}`;
  return [named, ...states].join(', ');
}

const roles: Record<string, string> = { button: 'button', summary: 'fold', select: 'choice', textarea: 'field' };

function roleOf(element: Html): string | null {
  const role = element.getAttribute('role');
  if (role && ['tab', 'option', 'slider', 'img'].includes(role)) return role;
  if (element.localName === 'a') return 'link';
  if (element.localName === 'progress') return 'progress';
  if (element.localName === 'input')
    return ['radio', 'checkbox', 'range', 'file'].includes(element.type) ? element.type : 'field';
  return roles[element.localName] ?? null;
}

function valueOf(element: Html): string | null {
  const { localName, type } = element;
  if (localName === 'select') {
    const choices = [...element.options].map((each) => clean(each.textContent) + (each.disabled ? ' (disabled)' : ''));
    const all = choices.length > maxChoices ? String(choices.length) : choices.join(' | ');
    return `${clean([...element.options].find((each) => each.selected)?.textContent ?? '')} of ${all}`;
  }
  if (localName === 'progress') return `${element.value}/${element.getAttribute('max')}`;
  if (element.getAttribute('role') === 'slider') return clean(element.getAttribute('aria-valuetext') ?? '');
  if (localName === 'textarea' || (localName === 'input' && !['radio', 'checkbox', 'file'].includes(type)))
    return element.value || (element.getAttribute('placeholder') ? `(${element.getAttribute('placeholder')})` : '');
  return null;
}

/** Its spaces are plain ones: those that break no line read alike. */
const clean = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The name that a screen reader says. */
export function nameOf(element: Html): string {
  const label = element.getAttribute('aria-label');
  if (label !== null) return clean(label);
  const of = element.getAttribute('aria-labelledby');
  if (of !== null)
    return clean(
      of
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
  const around = element.closest('label');
  const own = ['input', 'select', 'textarea', 'progress'].includes(element.localName);
  if (!own) return clean(linesOf(element).join(' '));
  const named = (around ?? (element.id ? labelFor(element.id) : null)) as Html | null;
  return clean(named ? wordsOf(named) : '');
}

const labelFor = (id: string): unknown => document.querySelector(`label[for="${id}"]`);

/** Without what its controls say. */
function wordsOf(node: Node): string {
  if (node.nodeType === 3) return node.textContent ?? '';
  if (node.nodeType !== 1 || ['select', 'textarea'].includes((node as Html).localName)) return '';
  return [...node.childNodes].map(wordsOf).join('');
}
