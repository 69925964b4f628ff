/** Worlds that answer every move: a beginning of their own, an end by what happened, state from call to call. */
import { describe, expect, it } from 'vitest';
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import type { EnvironmentDescription } from '../../src/agent/env';
import { ToolEnv } from '../../src/agent/tool-env';
import type { Trajectory } from '../../src/agent/types';
import { specialTokenChat } from '../../src/text/chat-template';
import { appendContext } from '../helpers/append-context';
import { Killed, PlainSandbox, type Guest } from './plain-sandbox';
import { answer, call, compact, hermes, options, say, task, tokenizer } from './scripted-run';

/** A corridor: `go` takes a step, and step 3 ends it. */
const corridor: Guest = {
  start: ({ task }) => ({ text: `at 0 of ${task.id}`, state: { at: 0 } }),
  execute: ({ state }) => {
    const at = state.at + 1;
    return { text: `at ${at}`, reward: 0.5, state: { at }, done: at === 3 };
  },
  reward: ({ answer, steps, state }) => ({
    terms: { exact: state.at, steps: steps.length },
    success: state.at === 3 && answer === undefined,
  }),
};

const description: EnvironmentDescription = {
  title: 'Corridor',
  task: 'Walk.',
  watch: 'Steps.',
  tools: [
    { name: 'go', description: 'A step.', parameters: { type: 'object', properties: { way: { type: 'string' } } } },
  ],
  rewards: {
    exact: { description: 'Where it ended.', weight: 1 },
    tool: { description: 'A step.', weight: 0.1 },
    steps: { description: 'Turns.', weight: 0 },
  },
  options: [],
  alphabet: '0123456789',
  hooks: ['start'],
  examples: [],
};

async function walk(
  scripts: number[][][],
  guest: Guest = corridor,
  format = compact,
): Promise<{ trajectories: Trajectory[]; sandbox: PlainSandbox }> {
  const sandbox = new PlainSandbox(guest);
  const env = new ToolEnv({
    chatFormat: specialTokenChat,
    description,
    sandbox,
    tokenizer,
    format,
    context: appendContext,
    observationLimit: 200,
  });
  const attempts = scripts.map((_, i) => ({ task: task(i), group: i }));
  const policy = new ScriptedPolicy(scripts, 1000);
  const sampling = { ...options.sampling, maxTokens: 200 };
  return {
    trajectories: await new AgentEnvLoop(env, tokenizer, format, specialTokenChat).run(attempts, policy, {
      ...options,
      sampling,
    }),
    sandbox,
  };
}

const go = call('on');

describe('start', () => {
  it('gives the first observation and the first state', async () => {
    const {
      trajectories: [first, second],
    } = await walk([[go, go, go], [answer('1')]]);
    expect(first.steps[0].observation.messages).toEqual([
      { role: 'user', content: '0+1' },
      { role: 'tool', content: 'at 0 of t0' },
    ]);
    expect(second.steps[0].observation.messages[1].content).toBe('at 0 of t1');
    expect(first.steps[1].observation.messages.at(-1)?.content).toBe('at 1');
  });

  it.each<[string, Guest['start'], string | undefined, RegExp]>([
    [
      'never ends',
      () => {
        throw new Killed('fuel');
      },
      'fuel',
      /used up its fuel/,
    ],
    [
      'throws',
      () => {
        throw new Error('no world');
      },
      undefined,
      /no world/,
    ],
    ['gives a number as its text', () => ({ text: 5 }), undefined, /start gave a text that is not a text/],
  ])('one that %s fails its episode before the first step, with a sentence', async (_, start, killed, sentence) => {
    const {
      trajectories: [trajectory],
      sandbox,
    } = await walk([[go]], { ...corridor, start });
    expect(trajectory).toMatchObject({ end: 'environment-failed', success: false, reward: 0, steps: [] });
    expect(trajectory.problem).toMatch(sentence);
    expect(trajectory.killed).toBe(killed);
    expect(sandbox.messages.flat().map(({ method }) => method)).toEqual(['start']);
  });

  it('draws other random numbers than the first call', async () => {
    const { sandbox } = await walk([[go, go, go]]);
    const seeds = sandbox.messages.flat().map(({ seed }) => seed);
    expect(new Set(seeds).size).toBe(seeds.length);
  });
});

describe('done', () => {
  it('ends the episode, and the reward sees the final state', async () => {
    const {
      trajectories: [trajectory],
    } = await walk([[go, go, go]]);
    expect(trajectory).toMatchObject({ end: 'done', success: true });
    expect(trajectory.answer).toBeUndefined();
    expect(trajectory.steps).toHaveLength(3);
    expect(trajectory.steps[2].rewards).toEqual({ tool: 0.5, exact: 3, steps: 3 });
    expect(trajectory.reward).toBeCloseTo(3 + 3 * 0.05, 12);
  });

  it('no further call of its turn runs', async () => {
    const block = '<tool_call>{"name":"go","arguments":{"way":"on"}}</tool_call>';
    const {
      trajectories: [trajectory],
      sandbox,
    } = await walk([[say(block.repeat(5))]], corridor, hermes);
    expect(trajectory).toMatchObject({ end: 'done', success: true });
    expect(trajectory.steps[0].toolCalls.map(({ result }) => result)).toEqual(['at 1', 'at 2', 'at 3']);
    expect(sandbox.messages.flat().map(({ method }) => method)).toEqual([
      'start',
      'execute',
      'execute',
      'execute',
      'reward',
    ]);
  });

  it('a reward that fails then fails the episode, which keeps what its tools gave', async () => {
    const {
      trajectories: [trajectory],
    } = await walk([[go, go, go]], { ...corridor, reward: () => ({ terms: { glory: 1 }, success: true }) });
    expect(trajectory).toMatchObject({ end: 'environment-failed', success: false });
    expect(trajectory.steps[2]).toMatchObject({ rewards: { tool: 0.5 }, error: 'tool-error' });
  });

  it('a script that ends while its episode goes on is told so', async () => {
    await expect(walk([[go, go]])).rejects.toThrow(/ends after turn 2, and its episode goes on/);
  });
});
