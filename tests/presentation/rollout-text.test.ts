/** A rollout to take along: as text, as JSON, and the link that finds it again. */
import { expect, test } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { rolloutJson, rolloutLink, rolloutText } from '../../src/presentation/rollout-text';
import { readAddress } from '../../src/ui/base/address';

const rollout: RolloutView = {
  iteration: 25,
  index: 3,
  group: 0,
  taskId: 'task 1',
  prompt: '2*3?',
  reward: -0.5,
  advantage: 0.25,
  success: false,
  end: 'answer',
  answer: '[\n 1, 2\n]',
  steps: [
    {
      promptTokens: [1, 2],
      continues: false,
      tokens: [3],
      logProbs: [-1.5e-7],
      entropies: [0.1],
      advantages: [0.25],
      lossMask: [0, 0, 1],
      text: 'calc(2*3)',
      messages: [{ role: 'user', content: '2*3?' }],
      toolCalls: [{ name: 'calc', arguments: { text: '2*3' }, result: '6' }],
      rewards: { calls: -0.5 },
    },
  ],
};

test('the JSON is the rollout, with a line for each list of numbers', () => {
  const json = rolloutJson(rollout);
  expect(JSON.parse(json)).toEqual(rollout);
  expect(json).toContain('"lossMask": [0, 0, 1]');
  expect(json).toContain('"logProbs": [-1.5e-7]');
});

test('the text has what was said, called, given and paid', () => {
  const lines = rolloutText(rollout).split('\n');
  expect(lines[0]).toBe('iteration 25 · rollout 3');
  expect(lines).toContain('user: 2*3?');
  expect(lines).toContain('agent · turn 1: calc(2*3)');
  expect(lines.some((line) => line.startsWith('  calc(') && line.endsWith('→ 6'))).toBe(true);
  expect(lines).toContain('  calls −0.50');
});

test('a link’s rollout is the page’s; the rest is the engine’s link', () => {
  const link = rolloutLink('calculator', rollout);
  expect(link).toBe('#/lab?v=1&preset=calculator&rollout=25/3');
  expect(readAddress(link)).toEqual({ kind: 'link', link: 'v=1&preset=calculator', rollout: '25/3', plays: false });
  expect(readAddress('#/lab?v=1&rollout=25%2F3&seed=2')).toMatchObject({ link: 'v=1&seed=2', rollout: '25/3' });
  expect(readAddress('#/lab?v=1&rollout=%00&seed=2')).toMatchObject({ link: 'v=1&seed=2', rollout: null });
  expect(readAddress('#/lab?v=1')).toEqual({ kind: 'link', link: 'v=1', rollout: null, plays: false });
});
