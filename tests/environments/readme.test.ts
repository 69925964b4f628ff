/** The examples of the authors' page are sound as they stand there. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawRollouts } from '../../src/rl/diagnostics/drawn-rollouts';
import { scriptedTrajectories } from '../../src/rl/rollouts/scripted';
import { prepareRun } from '../../src/rl/rollouts/setup';
import { check, emptySandbox, ownConfig } from './own';

const page = readFileSync('src/environments/README.md', 'utf8');

test.each([1, 2, 3])('the example can be trained, with %d doors', async (doors) => {
  const source = /```js\n([^]*?)```/.exec(page)![1];
  const report = await check(source, (config) => ({
    ...config,
    environment: { ...config.environment, options: { doors } },
  }));
  expect(report).toMatchObject({ title: 'Corridors', tasks: 32, solved: 32 });
  expect(report.lines.filter(({ kind }) => kind === 'problem')).toEqual([]);
});

test('the example of a drawing draws the example', async () => {
  const blocks = [...page.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
  const source = `${blocks[0]}\n${blocks.find((code) => code.includes('export function draw('))}`;
  const config = ownConfig(source);
  const sandbox = await emptySandbox();
  const setup = await prepareRun(config, source, sandbox);
  const tasks = await setup.client.tasks('validation', 0, 0, 3, {});
  const played = await scriptedTrajectories(setup, tasks, 'oracle');
  const rollouts = played.map((each, index) => ({ ...each, iteration: 0, index, taskId: each.task.id }));
  const drawings = await drawRollouts({ config, description: setup.description, sandbox }, rollouts);
  expect(drawings).toEqual(
    played.map(({ steps }) => ({ scenes: expect.objectContaining({ length: steps.length + 1 }) })),
  );
});
