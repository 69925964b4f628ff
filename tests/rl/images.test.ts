/** The whole loop with images: what only a picture shows is learned by imitation and by reinforcement. */
import { expect, test } from 'vitest';
import type { EnvironmentDescription } from '../../src/agent/env';
import { quietHooks } from '../../src/cli/recorded-start';
import { saveCheckpoint, restoreCheckpoint } from '../../src/rl/checkpoint';
import { continues } from '../../src/algorithms/episodes/prefix';
import { Trainer } from '../../src/rl/trainer';
import { special } from '../../src/text/tokenizer';
import { PlainSandbox, type Guest } from '../agent/plain-sandbox';
import { testDevice } from '../helpers/devices';
import { lessonConfig } from '../helpers/lessons';

const description: EnvironmentDescription = {
  title: 'Colours',
  task: 'Name the colour.',
  watch: 'Success.',
  images: true,
  hooks: ['start'],
  tools: [
    {
      name: 'turn',
      description: 'the other side',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    },
  ],
  rewards: { right: { description: 'It was the colour.', weight: 1 } },
  options: [],
  alphabet: 'ab.',
  examples: [],
};

const side = (index: number, turned: number) => (((index * 7 + turned * 3) >> 1) & 1 ? 'a' : 'b');
/** A noisy picture, reddish for `a`, bluish for `b`. */
const shown = (index: number, turned: number) => ({
  width: 8,
  height: 8,
  pixels: Array.from({ length: 192 }, (_, i) => {
    const bright = i % 3 === (side(index, turned) === 'a' ? 0 : 2);
    return (bright ? 170 : 20) + ((index * 31 + turned * 17 + i * 13) % 60);
  }),
});

/** The picture's other side tells the colour; the first one misleads. Demonstrations guess. */
const colours: Guest = {
  describe: () => description,
  tasks: ({ start, count }) =>
    Array.from({ length: count }, (_, i) => ({ id: `t${start + i}`, prompt: '.', data: { index: start + i } })),
  start: ({ task }) => ({ image: shown(task.data.index, 0) }),
  execute: ({ task }) => ({ text: '.', image: shown(task.data.index, 1) }),
  reward: ({ task, answer }) => {
    const right = answer === side(task.data.index, 1);
    return { terms: { right: right ? 1 : 0 }, success: right };
  },
  demonstrate: ({ task }) => [
    { calls: [{ name: 'turn', arguments: {} }] },
    { answer: (task.data.index * 5) % 7 < 4 ? 'a' : 'b' },
  ],
};

const config = {
  ...lessonConfig,
  model: { ...lessonConfig.model, context: 64 },
  rollout: { ...lessonConfig.rollout, maxTokens: 6 },
  optimizer: { ...lessonConfig.optimizer, learningRate: 5e-3 },
};
const create = async () => Trainer.create(await testDevice(), new PlainSandbox(colours), config, '', quietHooks);

test('a colour that only a picture shows is learned', { timeout: 120_000 }, async () => {
  const trainer = await create();
  await trainer.warmStart();
  const curve: number[] = [];
  while (curve.length < 40 && !(curve.at(-1)! >= 0.95)) {
    const { metrics, trajectories, rollouts } = await trainer.iterate();
    curve.push(metrics.success);
    if (curve.length > 1) continue;
    const two = trajectories.find(({ steps }) => steps.length === 2)!;
    expect(two.steps.map(({ images = [] }) => images.length)).toEqual([1, 2]);
    expect(continues(two.steps[0], two.steps[1]), 'one segment').toBe(true);
    const [view] = rollouts[trajectories.indexOf(two)].steps;
    expect(view.messages.at(-1)!.images).toHaveLength(1);
    expect(view.toolCalls[0].image).toMatchObject({ width: 8, height: 8 });
    const { tokenizer } = trainer.setup.model;
    const at = view.promptTokens.indexOf(tokenizer.image!);
    expect(view.promptTokens[at + 1]).toBe(special['<end>']);
    expect(view.lossMask[at], 'an image is masked').toBe(0);
  }
  expect(curve[0], 'guesses').toBeLessThan(0.75);
  expect(curve.at(-1), curve.map((value) => value.toFixed(2)).join(' ')).toBeGreaterThanOrEqual(0.95);
  trainer.destroy();
});

test('a run that is saved, loaded and continued has the same bits', { timeout: 120_000 }, async () => {
  const first = await create();
  await first.warmStart();
  await first.iterate();
  const file = await saveCheckpoint(first.device, first, '');
  const expected = (await first.iterate()).rollouts;
  const second = await create();
  restoreCheckpoint(second, file);
  expect((await second.iterate()).rollouts).toEqual(expected);
  for (const each of [first, second]) each.destroy();
});
