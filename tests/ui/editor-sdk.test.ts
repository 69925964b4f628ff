// @vitest-environment dom
/** What the environment editor offers and explains of the SDK, and that it knows all of it. */
import { CompletionContext } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import words from 'virtual:sdk-words';
import { afterEach, expect, it, vi } from 'vitest';
import * as sdk from '../../src/environments/sdk.js';
import { sdkCompletion, sdkTooltip, sdkWordAt } from '../../src/ui/panels/editor/sdk';

const names = (of: string) => words.filter((word) => word.of === of).map(({ name }) => name);

afterEach(() => vi.restoreAllMocks());

/**
 * The state of a text whose caret is the character `|`, and where that is. As on a slow computer, the state is made
 * before its text is parsed to the end: each look at the clock finds a second more. Then the clock stops.
 */
function caretIn(text: string): { state: EditorState; pos: number } {
  let now = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [javascript()] });
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  return { state, pos: text.indexOf('|') };
}

async function offered(text: string): Promise<string[]> {
  const { state, pos } = caretIn(text);
  const result = await sdkCompletion(new CompletionContext(state, pos, true));
  return result?.options.map(({ label, displayLabel }) => displayLabel ?? label) ?? [];
}

function explained(text: string): string | null {
  const { state, pos } = caretIn(text);
  return sdkWordAt(state, pos)?.word.signature ?? null;
}

it('the list has every export of the SDK, every method of Random, and every export and field of the guide', () => {
  expect(names('agentlet').sort()).toEqual(Object.keys(sdk).sort());
  const methods = Object.getOwnPropertyNames(sdk.Random.prototype).filter((name) => name !== 'constructor');
  expect(names('Random').sort()).toEqual(methods.sort());
  expect(names('tool')).toEqual(['name', 'description', 'arguments', 'execute']);
  expect(names('export')).toEqual(
    'meta tools tasks start reward flow context summary draw demonstrate policies'.split(' '),
  );
  expect(names('meta').sort()).toEqual(
    (
      'alphabet examples hostTools images limits options outOfDistribution rewards rowsInChat system task title ' +
      'watch words'
    ).split(' '),
  );
  for (const { name, signature } of words) expect(signature).toContain(name);
});

it('a slow computer makes the state before the text is parsed', () => {
  const { state } = caretIn('export const meta = { title: 1 };|');
  expect(syntaxTree(state).length).toBeLessThan(state.doc.length);
});

it('each place is offered what can stand there', async () => {
  expect(await offered("import { | } from 'agentlet';")).toEqual(names('agentlet'));
  expect(await offered('export const meta = {\n  ti|\n};')).toEqual(names('meta'));
  expect(await offered("export const tools = [tool({ name: 'a', des| })];")).toEqual(names('tool'));
  expect(await offered('export function tasks(rng) {\n  return rng.|\n}')).toEqual(names('Random'));
  expect(await offered('export const demonstrate = (task) => task.da|;')).toEqual(names('Task'));
  expect(await offered('export fun|')).toEqual(names('export'));
  expect(await offered('const a = str|')).toEqual(names('agentlet'));
  expect(await offered('re|')).toEqual([...names('agentlet'), ...names('export')]);
  expect(await offered("const a = 'str|';")).toEqual([]);
  expect(await offered('// str|')).toEqual([]);
  expect(await offered('const a = foo.|')).toEqual([]);
});

it('nothing is offered where a name is made, or in an object that the SDK does not read', async () => {
  for (const place of [
    'function f(str|) {}',
    'const { str| } = a;',
    'const other = {\n  ti|\n};',
    'other({ des| });',
    'const str| = 1;',
  ])
    expect([place, await offered(place)]).toEqual([place, []]);
});

it('words of the SDK are explained where they mean what it says', () => {
  expect(explained("const a = str|ing('x');")).toBe('string(description)');
  expect(explained('export const meta = { ti|tle: 1 };')).toBe('title: string');
  expect(explained('export function re|ward() {}')).toBe('reward({ task, answer, steps, state })');
  expect(explained('const a = rng.sh|uffle(b);')).toBe('shuffle(list)');
  expect(explained('const a = { ti|tle: 1 };')).toBeNull();
  expect(explained('const re|ward = 1;')).toBeNull();
});

it('the explanation stands above the whole word, and nowhere else', () => {
  const over = (text: string) => {
    const { state, pos } = caretIn(text);
    return sdkTooltip(state, pos);
  };
  expect(over("const a = str|ing('x');")).toMatchObject({ pos: 10, end: 16, above: true });
  const box = document.createElement('body');
  box.append((over("const a = str|ing('x');")!.create as unknown as () => { dom: Node })().dom);
  expect(box.innerHTML).toMatchInlineSnapshot(
    `"<div class="cm-sdk"><code>string(description)</code><p>JSON schema of a text argument.</p></div>"`,
  );
  const named = over('const a = rng.pi|ck(b);')!.create as unknown as () => { dom: HTMLElement };
  expect(named().dom.innerHTML, 'nothing is said about it').toBe('<code>pick(list)</code>');
  expect(over('const a = | 1;')).toBeNull();
  expect(over('const re|ward = 1;')).toBeNull();
});

it('functions and fields are told apart, each with the rest of its signature', async () => {
  const kinds = async (text: string) => {
    const { state, pos } = caretIn(text);
    const result = await sdkCompletion(new CompletionContext(state, pos, true));
    return result!.options.slice(0, 2).map(({ label, detail, type, info }) => [label, detail, type, typeof info]);
  };
  expect(await kinds("import { | } from 'agentlet';")).toMatchInlineSnapshot(`
    [
      [
        "Random",
        "class",
        "function",
        "string",
      ],
      [
        "ToolError",
        "class",
        "function",
        "string",
      ],
    ]
  `);
  expect(await kinds('export const meta = {\n  |\n};')).toMatchInlineSnapshot(`
    [
      [
        "title",
        ": string",
        "property",
        "string",
      ],
      [
        "task",
        ": string",
        "property",
        "string",
      ],
    ]
  `);
  expect(await kinds('export function tasks(rng) {\n  return rng.|\n}')).toMatchInlineSnapshot(`
    [
      [
        "uniform",
        "()",
        "function",
        "string",
      ],
      [
        "integer",
        "(min, max)",
        "function",
        "string",
      ],
    ]
  `);
  expect(await kinds('export |')).toMatchInlineSnapshot(`
    [
      [
        "export const meta =",
        "export",
        undefined,
        "string",
      ],
      [
        "export const tools =",
        "export",
        undefined,
        "string",
      ],
    ]
  `);
});
