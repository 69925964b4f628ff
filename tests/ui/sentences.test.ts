/** What the page says is in the `text.ts` of each folder, where it can be read in one go. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type AST } from 'svelte/compiler';
import { expect, test } from 'vitest';

const ui = join(import.meta.dirname, '../../src/ui');

/** The product's name, and a command. */
const names = ['Agentlet', 'npm run experiment -- bandit --publish'];
const spokenAttributes = ['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'placeholder', 'title'];

test('no template holds a sentence of its own', () => {
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svelte'));
  expect(files.length).toBeGreaterThan(40);
  const found = files.flatMap((file) =>
    sentencesOf(readFileSync(join(ui, file), 'utf8')).map((sentence) => `${file}: ${sentence}`),
  );
  expect(found).toEqual([]);
});

test('a sentence is found in text, in an attribute and in an expression', () => {
  const template =
    `<p class="a b" title="One tip">Some text {ready ? 'in two words' : say('a key')} ` + `<b>{text.more}</b></p>`;
  expect(sentencesOf(template)).toEqual(['One tip', 'Some text', 'in two words', 'a key']);
});

function sentencesOf(source: string): string[] {
  const found: string[] = [];
  const { fragment } = parse(source, { modern: true });
  visit(fragment, (node) => {
    if (node.type === 'Text' && /\p{L}{2}/u.test(withoutEntities(node.raw!))) found.push(node.raw!.trim());
    if (node.type === 'Literal' && typeof node.value === 'string' && /\p{L} +\p{L}/u.test(node.value))
      found.push(node.value);
    // Of an element's attributes, only what is spoken is a sentence.
    return node.type !== 'Attribute' || spokenAttributes.includes(node.name!);
  });
  return found.filter((sentence) => !names.includes(sentence));
}

const withoutEntities = (text: string): string => text.replace(/&\w+;/g, '');

interface Node {
  readonly type: string;
  readonly raw?: string;
  readonly name?: string;
  readonly value?: unknown;
}

/** Calls `enter` with each node, and goes into those for which it returns true. */
function visit(value: AST.Fragment | object, enter: (node: Node) => boolean): void {
  if ('type' in value && typeof value.type === 'string' && !enter(value as Node)) return;
  for (const child of Object.values(value)) if (child && typeof child === 'object') visit(child as object, enter);
}
