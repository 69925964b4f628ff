/** What a stranger's environment gets when it imports `agentlet/search`. */
import { beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../src/agent/sandbox';
import { openLocal, probe, runProbe } from '../sandbox/open';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openLocal(
    probe(
      'return JSON.stringify(search(args.passages, args.query, args.count));',
      `import { search } from 'agentlet/search'; import { tool } from 'agentlet';`,
    ),
  );
});

async function search(passages: string[], query: string, count = 10): Promise<string[]> {
  const verdict = await runProbe(sandbox, { passages, query, count });
  if (verdict.kind !== 'value') throw new Error(JSON.stringify(verdict));
  return JSON.parse((verdict.value as { text: string }).text) as string[];
}

test('what shares no word with the query is left out; a word matches itself in any case, and no other', async () => {
  expect(await search(['bara lives in deno', 'baran was here', 'a Bara b', 'xbara'], 'bara')).toEqual([
    'a Bara b',
    'bara lives in deno',
  ]);
});

test('a rare word weighs more than a common one, and more words more than one', async () => {
  const passages = ['common a b', 'common c d', 'rare e f', 'common rare g', 'common h i'];
  expect(await search(passages, 'common rare', 3)).toEqual(['common rare g', 'rare e f', 'common a b']);
});

test('short passages come before long ones, and equals in their order', async () => {
  expect(await search(['it is a long one', 'it second', 'it third', 'it fourth'], 'it')).toEqual([
    'it second',
    'it third',
    'it fourth',
    'it is a long one',
  ]);
});

test.each(['', ' ', '   ', 'constructor', '__proto__', 'toString', 'absent'])('%j finds nothing', async (query) => {
  expect(await search(['bara lives in deno'], query)).toEqual([]);
});

test('words that objects have from birth are words like others', async () => {
  const passages = ['constructor a', '__proto__ b', 'hasOwnProperty c'];
  for (const [i, word] of ['constructor', '__proto__', 'hasownproperty'].entries())
    expect(await search(passages, word)).toEqual([passages[i]]);
});

test('no passages, no results', async () => {
  expect(await search([], 'bara')).toEqual([]);
});
