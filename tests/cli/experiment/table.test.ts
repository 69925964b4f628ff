import { expect, test } from 'vitest';
import { resultRow, resultsMarkdown } from '../../../src/cli/experiment/table';
import type { Results } from '../../../src/share/results';
import { sampleResults } from '../../helpers/results';

test('a row has means and intervals of the seeds that ended', () => {
  const [rag, ppo, gspo] = sampleResults.rows;
  for (const row of [rag, ppo, gspo]) {
    const { name, title, paper, changes } = row;
    expect(resultRow({ name, title, paper, changes }, row.seeds)).toEqual(row);
  }
  const half = resultRow(ppo, [ppo.seeds[0], gspo.seeds[0]]);
  expect(half.inDistribution).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
  expect(half.seeds.length).toBe(2);
});

test('the Markdown says all that is known', () => {
  expect(resultsMarkdown(sampleResults)).toBe(`# A sample

Which is better?

PPO is better.

A paper: the first one.

| Method | Success | Over seeds | Each seed | Difference in tasks of 8 | Random weights | Warm start | Out of distribution | Over seeds | Solved with 0, 1, 2 … calls | Out of distribution with 0, 1, 2 … calls | Sampled | Peak of sampled | Area under sampled | Iterations to 75.0 in practice | Turns | Turns sampled | Reward | Tokens | Seconds | Paper |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| Naive RAG | 12.5 | – | – | – | – | – | 0.0 | – | 0, 1 | 0, 0, 0 | – | – | – | – | 2.00 | – | 0.125 | 9.0 | 10 | 13.3 |
| PPO | 75.0 | 50.0 to 100.0 (range) | 50.0, 100.0 | – | 0.0 | 25.0 | 50.0 | 25.0 to 75.0 (range) | 0, 12 | 0, 0, 8 | 25.0 → 50.0 | 50.0 at 2 | 37.5 | never, never | 2.00 | 2.00 → 2.50 | 0.750 | 9.0 | 10 | – |
| GSPO | – | – | – | – | 0.0 | 25.0 | – | – | – | – | 25.0 → 50.0 | 50.0 at 2 | 37.5 | never | – | 2.00 → 2.50 | – | – | 10 | – |

Success is greedy, on 8 held-out tasks. Over seeds is the range of fewer than 6 seeds, and a 95 % t interval \
of the mean of more. A difference is the number of tasks that a row solved more or fewer than the row it \
names, one number for each seed. Turns and tokens are means of an episode; prompt tokens are those of all its \
prompts together. Sampled is what rollouts of the first and of the last iteration did, at the temperature \
they are learned from; its peak is the highest mean over seeds, and the iteration of that; the area under it \
is its mean over iterations. Solved tasks are counted by the tool calls that they took, all seeds together.
Out of distribution: Longer questions.
GSPO, seed 1, ended early: The weights are not numbers any more.

Differences from \`multi-hop\`:

- all rows: \`iterations\` 30 → 2
- PPO: \`algorithm.name\` grpo → ppo
- GSPO: \`algorithm.name\` grpo → gspo

Made by \`npm run experiment -- sample\` with engine 0.2.0, commit 0123456789ab, on a GPU, 2026-01-02.
`);
});

test('only 6 and more seeds have a 95 % interval, of the mean and of the paired difference', () => {
  const [rag, ppo] = sampleResults.rows;
  const row = (name: string, shares: readonly number[]) => ({
    ...ppo,
    name,
    title: name.toUpperCase(),
    reference: 'grpo',
    seeds: shares.map((success, i) => {
      const [{ end, ...seed }] = ppo.seeds;
      return { ...seed, seed: i + 1, end: { ...end!, inDistribution: { ...end!.inDistribution, success } } };
    }),
  });
  const grpo = row('grpo', [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
  const lines = (rows: Results['rows']) => resultsMarkdown({ ...sampleResults, rows }).split('\n');
  const cells = (rows: Results['rows'], title: string) => {
    const found = lines(rows).find((line) => line.startsWith(`| ${title} |`))!;
    return found.split(' | ').slice(1, 5);
  };
  const ppoSix = row('ppo', [0.5, 0.625, 0.5, 0.625, 0.5, 0.625]);
  expect(cells([rag, grpo, ppoSix], 'PPO')).toEqual([
    '56.3',
    '49.1 to 63.4 (95 %)',
    '50.0, 62.5, 50.0, 62.5, 50.0, 62.5',
    'GRPO: 0, +1, 0, +1, 0, +1; −0.1 to +1.1 (95 %)',
  ]);
  const failed = { ...ppoSix, seeds: [...ppoSix.seeds.slice(1), { ...ppoSix.seeds[0], end: null, failure: 'Why.' }] };
  expect(cells([rag, grpo, failed], 'PPO')[1], 'five of six seeds finished').toBe('50.0 to 62.5 (range)');
  expect(lines([rag, grpo, failed]).slice(0, -8).join()).not.toContain('(95 %)');
  expect(cells([rag, grpo], 'Naive RAG')).toEqual(['12.5', '–', '–', '–']);
});

/** A column below its head; null if the table has none of that name. */
function column(rows: Results['rows'], name: string): string[] | null {
  const table = resultsMarkdown({ ...sampleResults, rows })
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const at = table[0].split(' | ').indexOf(name);
  return at < 0 ? null : table.slice(2).map((line) => line.split(' | ')[at]);
}

test('updates are printed where rows differ in them', () => {
  const [, ppo] = sampleResults.rows;
  const other = { ...ppo, name: 'other', updates: 40 };
  expect(column([{ ...ppo, updates: 40 }, other], 'Updates')).toBeNull();
  expect(column([{ ...ppo, updates: 20 }, other], 'Updates')).toEqual(['20', '40']);
  const older = { ...ppo, changes: [{ path: 'algorithm.miniBatches', from: 2, to: 1 }] };
  expect(column([ppo, older], 'Updates'), 'an older file has its settings only').toEqual(['–', 'another number']);
});

test('prompt tokens are printed where rows differ in what a prompt shows', () => {
  const [, ppo] = sampleResults.rows;
  const reads = (promptTokens: number) => ({
    ...ppo,
    seeds: ppo.seeds.map(({ end, ...seed }) => ({
      ...seed,
      end: { ...end!, inDistribution: { ...end!.inDistribution, promptTokens } },
    })),
  });
  const window = { ...reads(120.4), changes: [{ path: 'context.rule', from: 'auto', to: 'window' }] };
  expect(column([reads(300), ppo], 'Prompt tokens')).toBeNull();
  expect(column([reads(300), window, ppo], 'Prompt tokens')).toEqual(['300', '120', '–']);
});
