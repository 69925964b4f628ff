/** How much of a text, and of a rollout's tokens, is drawn before somebody asks for all. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { cellsByStep, maxDrawnCells, drawnCells } from '../../src/presentation/token-cells';
import { tokenCells, divergence } from '../../src/share/rollout-tokens';
import { beginningOf, lineOf, maxDrawnCharacters } from '../../src/lib/format';

test('a text is drawn to its 8,192th character, and never half of a character', () => {
  expect(maxDrawnCharacters).toBe(8192);
  const whole = 'x'.repeat(8192);
  expect(beginningOf(whole)).toBe(whole);
  expect(beginningOf(`${whole}y`)).toBe(whole);
  expect(beginningOf(`${'x'.repeat(8191)}😀`)).toBe('x'.repeat(8191));
  expect(beginningOf(`${'x'.repeat(8190)}😀!`)).toBe(`${'x'.repeat(8190)}😀`);
});

test('where there is room for a line, an ellipsis stands for the rest', () => {
  expect(lineOf('short')).toBe('short');
  expect(lineOf('x'.repeat(1_000_000))).toBe(`${'x'.repeat(300)}…`);
});

const rollout = (index: number, reward: number, tokens: readonly number[]): RolloutView =>
  ({
    index,
    reward,
    steps: [
      { promptTokens: [1], tokens, lossMask: [], advantages: [], logProbs: [], entropies: [] },
      { promptTokens: [1], tokens: [3], lossMask: [], advantages: [], logProbs: [], entropies: [] },
    ],
  }) as unknown as RolloutView;
const many = Array.from({ length: 100_000 }, () => 2);

test('as many tokens are drawn, in their steps', () => {
  const cells = tokenCells(rollout(0, 1, many), [], []);
  expect(cellsByStep(cells, maxDrawnCells).map(({ length }) => length)).toEqual([maxDrawnCells]);
  expect(cellsByStep(cells, cells.length).map(({ length }) => length)).toEqual([100_001, 2]);
});

test('of rollouts that part late, the tokens about that place are drawn', () => {
  const parted = [...many.slice(0, 50_000), 5, ...many.slice(50_001)];
  const { compared, parting } = divergence([rollout(0, 1, many), rollout(1, 0, parted)], [], []);
  expect(parting).toBe(50_000);
  const { from, to } = drawnCells(compared[0], parting, 2);
  expect(to - from).toBe(maxDrawnCells / 2);
  expect(from).toBeLessThan(50_000);
  expect(to).toBeGreaterThan(50_000);
  expect(drawnCells(compared[0], 10, 2)).toEqual({ from: 0, to: maxDrawnCells / 2 });
});

test('no component draws a text of somebody else as it is', () => {
  const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.svelte') && !name.startsWith('pages/learn'),
  );
  const texts =
    /(?<!=)\{(?!text\.|\w*[wW]ords\.)[\w.]+\.(prompt|problem|question|finding|answer|note|reason|command)\}/g;
  const drawn = files.flatMap((file) =>
    (readFileSync(join('src/ui', file), 'utf8').match(texts) ?? []).map((found) => `${file}: ${found}`),
  );
  // Words of this repository's own worlds.
  expect(drawn.filter((each) => each !== 'pages/gallery/WorldCard.svelte: {card.before.prompt}')).toEqual([]);
});
