/** Beside the attempts at a task stands what the run's own algorithm does with them. */
import { expect, test } from 'vitest';
import { algorithmNames } from '../../src/rl/algorithms/table';
import { baselineWords } from '../../src/ui/rollouts/baseline';

test('every algorithm has a sentence, and the mean of the group is a yardstick only where it is one', () => {
  for (const name of algorithmNames())
    expect(baselineWords(name, false), name).toMatch(/^(Attempts above|The dashed line is the average\. \w)/);
  for (const name of ['ppo', 'step-ppo', 'bi-level-gae'])
    expect(baselineWords(name, false)).toContain('its critic expected');
  for (const name of ['grpo', 'rloo']) expect(baselineWords(name, false)).toContain('are encouraged');
  for (const name of ['ppo', 'reinforce', 'reinforce-pp', 'remax', undefined])
    expect(baselineWords(name, false)).not.toContain('encouraged');
});

test('equal rewards teach nothing only where groups are all there is', () => {
  expect(baselineWords('grpo', true)).toContain('nothing to learn');
  for (const name of ['ppo', 'reinforce', 'reinforce-pp', undefined])
    expect(baselineWords(name, true)).toBe('All attempts scored the same.');
});
