import { describe, expect, it } from 'vitest';
import { demonstrationTrajectories, ScriptedPolicy, type DemonstrationOptions } from '../../src/agent/demonstrations';
import type { Demonstration } from '../../src/agent/env';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import { EnvironmentClient } from '../../src/agent/environment-client';
import { ToolEnv } from '../../src/agent/tool-env';
import { characterTokenizer } from '../../src/text/character-tokenizer';
import { specialTokenChat, stopTokens } from '../../src/text/chat-template';
import { toolFormats } from '../../src/text/tool-formats/by-name';
import { appendContext } from '../helpers/append-context';
import { calculator, calculatorDescription, PlainSandbox } from './plain-sandbox';

const format = toolFormats.compact;
const tools = calculatorDescription.tools;
const tokenizer = characterTokenizer(calculatorDescription.alphabet + format.alphabet(tools));
const sandbox = new PlainSandbox(calculator);
const loop = new AgentEnvLoop(
  new ToolEnv({
    chatFormat: specialTokenChat,
    description: calculatorDescription,
    sandbox,
    tokenizer,
    format,
    context: appendContext,
    observationLimit: 100,
  }),
  tokenizer,
  format,
  specialTokenChat,
);
const options: DemonstrationOptions = {
  sampling: { temperature: 1, topK: 0, topP: 1, maxTokens: 16, stopTokens, seed: 1, iteration: 0 },
  maxTurns: 4,
  rewardWeights: { exact: 1, tool: 0, steps: 0 },
  tokenizer,
  format,
  tools,
  contextLength: 96,
};
const show = (ids: readonly number[]) => ids.map((id) => tokenizer.label(id)).join('');

async function demonstrations(count: number): Promise<Demonstration[]> {
  const client = new EnvironmentClient(sandbox);
  return client.demonstrate(await client.tasks('train', 1, 40, count, {}), 1);
}

describe('demonstrations', () => {
  it("run through the environment's own tools and end solved", async () => {
    const trajectories = await demonstrationTrajectories(await demonstrations(20), loop, options);
    expect(trajectories.every(({ success, end, reward }) => success && end === 'answer' && reward === 1)).toBe(true);
    expect(trajectories.map(({ group }) => group)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    const { steps } = trajectories[2];
    expect(show([...steps[1].prompt, ...steps[1].action.tokens])).toBe(
      '<user>42+1<end><assistant><call>42+1<end><tool>43<end><assistant><answer>43<end>',
    );
    expect(steps[0].action.logProbs).toEqual(steps[0].action.tokens.map(() => 0));
  });

  it('have the token rows that a rollout of the same actions has', async () => {
    const demos = await demonstrations(3);
    const trajectories = await demonstrationTrajectories(demos, loop, options);
    const sampled = new ScriptedPolicy(
      trajectories.map(({ steps }) => steps.map(({ action }) => action.tokens)),
      options.contextLength,
    );
    const rollouts = await loop.run(
      demos.map(({ task }, group) => ({ task, group })),
      sampled,
      options,
    );
    expect(rollouts).toEqual(trajectories);
  });

  it('may fail: a wrong answer is a trajectory like any other', async () => {
    const [demo] = await demonstrations(1);
    const [trajectory] = await demonstrationTrajectories([{ ...demo, turns: [{ answer: '0' }] }], loop, options);
    expect(trajectory).toMatchObject({ success: false, end: 'answer', reward: 0 });
  });

  it.each<[string, Demonstration['turns'], RegExp]>([
    [
      'is longer than a turn',
      [{ answer: '12345678901234567890' }],
      /takes 22 tokens in one turn, and a turn may have 16/,
    ],
    ['has characters the tokenizer lacks', [{ answer: '½' }], /read back as/],
    ['leaves out the argument', [{ calls: [{ name: 'calc', arguments: {} }] }, { answer: '1' }], /read back as/],
  ])('are refused with a sentence if one %s', async (_, turns, message) => {
    const [{ task }] = await demonstrations(1);
    await expect((async () => demonstrationTrajectories([{ task, turns }], loop, options))()).rejects.toThrow(message);
  });
});
