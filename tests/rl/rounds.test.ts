/** A visitor plays in the agent's place: the same task, tools, limits and reward as the agent, turn for turn. */
import { expect, test } from 'vitest';
import { builtInEnvironments } from '../../src/environments/built-in';
import { presetByName, presets } from '../../src/config/presets';
import type { DemonstrationTurn } from '../../src/agent/env';
import type { ToolCall, Trajectory } from '../../src/agent/types';
import type { RunConfig } from '../../src/config/config';
import { Evaluation, validationSeed } from '../../src/rl/rollouts/evaluation';
import { playRound, taughtTrajectory } from '../../src/rl/rollouts/rounds';
import { firstDemonstration } from '../../src/rl/rollouts/scripted';
import { prepareRun } from '../../src/rl/rollouts/setup';
import { emptySandbox, moduleOf, ownConfig } from '../environments/own';

/** The turns of a logged episode as a visitor makes them. */
const turnsOf = ({ steps, answer }: Trajectory): DemonstrationTurn[] =>
  steps.map(({ toolCalls }, k) =>
    k === steps.length - 1 && answer !== undefined
      ? { answer }
      : { calls: toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args })) },
  );

test.each(presets.map(({ name }) => name))('%s: a round of the oracle’s turns is its episode', async (name) => {
  // Of the seed whose chance a validation has.
  const config = { ...presetByName(name).config, seed: validationSeed };
  const sandbox = await emptySandbox();
  const setup = await prepareRun(config, builtInEnvironments[config.environment.name], sandbox);
  const played = await new Evaluation(setup, 3).runScript('oracle');
  for (const [index, episode] of played.entries()) {
    const view = await playRound(
      { config, description: setup.description, sandbox },
      { split: 'validation', index, turns: turnsOf(episode) },
    );
    const { prompt } = episode.task;
    expect(view).toMatchObject({ prompt, success: episode.success, reward: episode.reward, end: episode.end });
    const told = (calls: readonly ToolCall[]) => calls.map(({ name: tool, result }) => [tool, result]);
    expect(view.steps.map(told)).toEqual(episode.steps.map(({ toolCalls }) => told(toolCalls)));
    expect(view.problem).toBeNull();
    expect(view.scene?.words).toBeTruthy();
  }
});

test.each(presets.map(({ name }) => name))('%s: a solved round of a practice task teaches its turns', async (name) => {
  const { config } = presetByName(name);
  const sandbox = await emptySandbox();
  const setup = await prepareRun(config, builtInEnvironments[config.environment.name], sandbox);
  const tasks = await setup.client.tasks('train', 0, firstDemonstration, 4, config.environment.options);
  let solved = 0;
  for (const task of tasks.keys()) {
    // Each round that teaches is played alone, and so is what is shown here.
    const [{ turns }] = await setup.client.demonstrate([tasks[task]], 0, 'oracle');
    const run = { config, description: setup.description, sandbox };
    const view = await playRound(run, { split: 'train', index: task, turns });
    expect(view).toMatchObject({ prompt: tasks[task].prompt, problem: null });
    const taught = taughtTrajectory(setup, { task, turns: [...turns] });
    if (view.success) {
      const { success, end, steps } = await taught;
      solved++;
      expect({ success, end, calls: steps.map(({ toolCalls }) => toolCalls) }).toEqual({
        success: true,
        end: view.end,
        calls: view.steps,
      });
    } else await expect(taught).rejects.toThrow(/^The round of ".*" does not solve its task in this setup\.$/);
  }
  expect(solved).toBeGreaterThan(0);
});

test('an answer is asked for where demonstrations answer, or where there are none', async () => {
  const takes = async (config: RunConfig, source: string) => {
    const sandbox = await emptySandbox();
    const { description } = await prepareRun(config, source, sandbox);
    const round = { split: 'validation', index: 0, turns: [] } as const;
    return (await playRound({ config, description, sandbox }, round)).takesAnswer;
  };
  for (const [name, takesAnswer] of Object.entries({ calculator: true, form: false, mastermind: false, clerk: true })) {
    const { config } = presetByName(name);
    expect([name, await takes(config, builtInEnvironments[name])]).toEqual([name, takesAnswer]);
  }
  const source = moduleOf({ demonstrate: '' });
  expect(await takes(ownConfig(source), source)).toBe(true);
});

async function ownRound(source: string, turns: readonly DemonstrationTurn[]) {
  const config = ownConfig(source);
  const sandbox = await emptySandbox();
  const { description } = await prepareRun(config, source, sandbox);
  return playRound({ config, description, sandbox }, { split: 'validation', index: 0, turns });
}
const look = (thing: unknown): DemonstrationTurn => ({ calls: [{ name: 'look', arguments: { thing } as never }] });

test('what does not fit a tool is not played: a sentence says why', async () => {
  expect(await ownRound(moduleOf(), [look('axe'), look(7)])).toMatchObject({
    problem: 'look.thing must be a string.',
    end: null,
    steps: [[{ name: 'look' }]],
  });
  const unknown: DemonstrationTurn = { calls: [{ name: 'lok', arguments: {} }] };
  expect(await ownRound(moduleOf(), [unknown])).toMatchObject({ problem: 'There is no tool called lok.', steps: [] });
  const late = await ownRound(moduleOf(), [{ answer: '1' }, look('axe')]);
  expect(late).toMatchObject({ problem: 'The round is over and takes no more turns.', end: 'answer', success: false });
});

test('the limit of turns ends a round with its reward', async () => {
  const { maxTurns } = ownConfig(moduleOf()).rollout;
  const view = await ownRound(
    moduleOf(),
    Array.from({ length: maxTurns }, () => look('axe')),
  );
  expect(view).toMatchObject({ end: 'max-turns', success: false, problem: null });
  expect(view.terms.tool).toBe(maxTurns);
});

test('a tool that declines a call takes a turn; a world that breaks ends the round with a sentence', async () => {
  const declined = await ownRound(moduleOf(), [look('anvil')]);
  expect(declined).toMatchObject({ end: null, problem: null, steps: [[{ error: 'tool-error' }]] });
  const endless = moduleOf({ execute: 'execute: () => { for (;;); },' });
  const broken = await ownRound(endless, [look('axe')]);
  expect(broken).toMatchObject({ end: 'environment-failed', success: false });
  expect(broken.problem).toMatch(/fuel|limit/);
});
