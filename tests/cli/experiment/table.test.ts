import { expect, test } from 'vitest';
import { resultRow, resultsMarkdown } from '../../../src/cli/experiment/table';
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

A paper: the first one.

| Method | Success | Range | Each seed | Random weights | Warm start | Out of distribution | Range | Solved with 0, 1, 2 … calls | Out of distribution with 0, 1, 2 … calls | Sampled | Turns | Turns sampled | Reward | Tokens | Seconds | Paper |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| Naive RAG | 12.5 | 12.5 to 12.5 | 12.5 | – | – | 0.0 | 0.0 to 0.0 | 0, 1 | 0, 0, 0 | – | 2.00 | – | 0.125 | 9.0 | 10 | 13.3 |
| PPO | 75.0 | 50.0 to 100.0 | 50.0, 100.0 | 0.0 | 25.0 | 50.0 | 25.0 to 75.0 | 0, 12 | 0, 0, 8 | 25.0 → 50.0 | 2.00 | 2.00 → 2.50 | 0.750 | 9.0 | 10 | – |
| GSPO | – | – | – | 0.0 | 25.0 | – | – | – | – | 25.0 → 50.0 | – | 2.00 → 2.50 | – | – | 10 | – |

Success is greedy, on 8 held-out tasks; with fewer than 6 seeds the range of seeds stands beside the mean. Turns and tokens are means of an episode. Sampled is what rollouts of the first and of the last iteration did, at the temperature they are learned from. Solved tasks are counted by the tool calls that they took, all seeds together.
Out of distribution: Longer questions.
GSPO, seed 1, ended early: The weights are not numbers any more.

Differences from \`multi-hop\`:

- all rows: \`iterations\` 40 → 2
- PPO: \`algorithm.name\` grpo → ppo
- GSPO: \`algorithm.name\` grpo → gspo

Made by \`npm run experiment -- sample\` with engine 0.2.0, commit 0123456789ab, on a GPU, 2026-01-02.
`);
});
