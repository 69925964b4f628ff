/** Context rules: what the next prompt shows, that sampled tokens stay as sampled, and what a rule can get wrong. */
import { describe, expect, it } from 'vitest';
import type { ContextOptions } from '../../src/agent/context';
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import { ToolEnv } from '../../src/agent/tool-env';
import type { Trajectory } from '../../src/agent/types';
import { specialTokenChat } from '../../src/text/chat-template';
import { calculator, calculatorDescription, PlainSandbox, type Guest } from './plain-sandbox';
import { answer, call, compact, options, show, task, tokenizer } from './scripted-run';

const script = [call('0+1'), call('2+3'), call('5+5'), answer('1')];

async function play(context: Partial<ContextOptions>, guest: Guest = {}, maxTurns = 6): Promise<Trajectory> {
  const description = { ...calculatorDescription, hooks: Object.keys(guest) as ('context' | 'summary')[] };
  const env = new ToolEnv({
    chatFormat: specialTokenChat,
    description,
    sandbox: new PlainSandbox({ ...calculator, ...guest }),
    tokenizer,
    format: compact,
    context: { rule: 'auto', exchanges: 1, budget: 0, ...context },
    observationLimit: 200,
  });
  const policy = new ScriptedPolicy([script], 1000, (text) => answer(text));
  const [trajectory] = await new AgentEnvLoop(env, tokenizer, compact, specialTokenChat).run(
    [{ task: task(0), group: 0 }],
    policy,
    {
      ...options,
      maxTurns,
    },
  );
  return trajectory;
}

const prompts = ({ steps }: Trajectory): string[] => steps.map(({ prompt }) => show(prompt));

describe('rules', () => {
  it('append: each prompt extends the one before', async () => {
    const shown = prompts(await play({ rule: 'append' }));
    expect(shown[3]).toBe(
      '<user>0+1<end><assistant><call>0+1<end><tool>1<end><assistant><call>2+3<end><tool>5<end>' +
        '<assistant><call>5+5<end><tool>10<end><assistant>',
    );
  });

  it('window: the question and the last exchanges', async () => {
    const shown = prompts(await play({ rule: 'window', exchanges: 1 }));
    expect(shown[3]).toBe('<user>0+1<end><assistant><call>5+5<end><tool>10<end><assistant>');
    expect(prompts(await play({ rule: 'window', exchanges: 2 }))[3]).toBe(
      '<user>0+1<end><assistant><call>2+3<end><tool>5<end><assistant><call>5+5<end><tool>10<end><assistant>',
    );
  });

  it('summary: the question and what the environment makes of the rest', async () => {
    const summary: Guest['summary'] = ({ messages, state }) =>
      state ? `${messages.length}:${state.calls}:${messages.at(-1).content}` : '';
    const shown = prompts(await play({ rule: 'summary' }, { summary }));
    expect(shown[0]).toBe('<user>0+1<end><assistant>');
    expect(shown[2]).toBe('<user>0+1<end><tool>5:2:5<end><assistant>');
  });

  it('environment: what its context returns, also without being asked to', async () => {
    const context: Guest['context'] = ({ messages }) => [
      { role: 'user', content: '9' },
      ...messages.filter(({ role }: { role: string }) => role === 'assistant').slice(-1),
    ];
    for (const rule of ['environment', 'auto'] as const)
      expect(prompts(await play({ rule }, { context }))[2]).toBe('<user>9<end><assistant><call>2+3<end><assistant>');
  });

  it('policy-summary: one more step asks for a summary, which stands for all before it', async () => {
    const summary: Guest['summary'] = ({ messages }) => String(messages.length);
    const trajectory = await play({ rule: 'policy-summary', budget: 20 }, { summary });
    expect(prompts(trajectory)).toEqual([
      '<user>0+1<end><assistant>',
      '<user>0+1<end><assistant><call>0+1<end><tool>1<end><assistant>',
      '<user>0+1<end><assistant><call>0+1<end><tool>1<end><assistant><call>2+3<end><tool>5<end>' +
        '<user>summary<end><assistant>',
      '<user>0+1<end><assistant><answer>5<end><assistant>',
      '<user>0+1<end><assistant><answer>5<end><assistant><call>5+5<end><tool>10<end><assistant>',
    ]);
    expect(trajectory.steps.map(({ observation }) => observation.summary !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(trajectory).toMatchObject({ end: 'answer', success: true });
    expect(trajectory.steps[2]).toMatchObject({ toolCalls: [], rewards: {} });
  });

  it('a summary is asked for only where there is more than one exchange to sum up', async () => {
    const trajectory = await play({ rule: 'policy-summary', budget: 1 }, {}, 12);
    expect(trajectory.steps.map(({ observation }) => observation.summary !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('what a context can get wrong ends its episode with a sentence', () => {
  it.each<[string, Guest['context'], RegExp]>([
    ['no list', () => 'all', /context gave something else than expected: the messages must be an array/],
    ['no message', () => [], /there must be at least one message/],
    ['a role of its own', () => [{ role: 'judge', content: 'x' }], /a message is \{ role/],
    ['an agent’s message of its own', () => [{ role: 'assistant', content: '<answer>1' }], /a message is \{ role/],
    ['a step that was not taken', () => [{ role: 'assistant', step: 7 }], /the agent has taken no step 7/],
  ])('%s', async (_, context, sentence) => {
    const trajectory = await play({ rule: 'environment' }, { context });
    expect(trajectory).toMatchObject({ end: 'environment-failed', success: false, steps: [] });
    expect(trajectory.problem).toMatch(sentence);
  });

  it('a context that fails later fails the step before it', async () => {
    const context: Guest['context'] = ({ messages }) => (messages.length > 2 ? 5 : messages);
    const trajectory = await play({ rule: 'environment' }, { context });
    expect(trajectory.end).toBe('environment-failed');
    expect(trajectory.steps).toHaveLength(1);
    expect(trajectory.steps[0].problem).toMatch(/the messages must be an array/);
  });

  it('a summary that is no text, under either rule', async () => {
    const summary = (() => 5) as unknown as Guest['summary'];
    for (const rule of ['summary', 'policy-summary'] as const) {
      const { end, steps, problem } = await play({ rule, budget: 20 }, { summary });
      expect(end, rule).toBe('environment-failed');
      expect(steps.at(-1)?.problem ?? problem, rule).toBe('summary returned no text.');
    }
  });
});
