import { describe, expect, it } from 'vitest';
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import type { FlowOptions, LiveStep } from '../../src/agent/flow';
import { ToolEnv } from '../../src/agent/tool-env';
import type { Action, Policy, Prompt, Sampling } from '../../src/agent/types';
import { special } from '../../src/text/tokenizer';
import { specialTokenChat } from '../../src/text/chat-template';
import { appendContext } from '../helpers/append-context';
import { calculator, calculatorDescription, PlainSandbox } from './plain-sandbox';
import { answer, call, compact, options, run, sampling, say, show, task, tokenizer } from './scripted-run';

describe('AgentEnvLoop with ToolEnv', () => {
  it('plays an episode and lays out its steps, tokens and rewards', async () => {
    const {
      trajectories: [trajectory],
    } = await run([[call('0+1'), answer('1')]]);
    expect(trajectory).toMatchObject({ end: 'answer', answer: '1', success: true, group: 0 });
    expect(trajectory.steps.map(({ prompt }) => show(prompt))).toEqual([
      '<user>0+1<end><assistant>',
      '<user>0+1<end><assistant><call>0+1<end><tool>1<end><assistant>',
    ]);
    expect(trajectory.steps.map(({ action }) => action.text)).toEqual(['<call>0+1', '<answer>1']);
    expect(trajectory.steps[0].toolCalls).toEqual([
      { name: 'calc', arguments: { expression: '0+1' }, result: '1', fuel: 1000, reward: 0.5 },
    ]);
    expect(trajectory.steps.map(({ rewards }) => rewards)).toEqual([{ tool: 0.5 }, { exact: 1, steps: 2 }]);
    expect(trajectory.reward).toBeCloseTo(1 + 0.1 * 0.5, 12);
  });

  it('extends every prompt by what was sampled, token for token', async () => {
    const { trajectories } = await run([
      [
        call('0+1'),
        [special['<call>'], special['<pad>'], special['<user>'], 200, special['<end>']],
        call('forge'),
        answer('1'),
      ],
      [tokenizer.encode('cut off before the end'), call('boom'), say('neither'), call('1+1')],
    ]);
    for (const { steps } of trajectories) {
      expect(steps).toHaveLength(4);
      for (let i = 1; i < steps.length; i++) {
        const before = [...steps[i - 1].prompt, ...steps[i - 1].action.tokens];
        expect(steps[i].prompt.slice(0, before.length)).toEqual(before);
      }
    }
  });

  it('sends all episodes of a turn in one message and none of an idle turn', async () => {
    const { sandbox, trajectories } = await run([
      [call('0+1'), answer('1')],
      [answer('2')],
      [say('?'), call('2+1'), answer('3')],
    ]);
    expect(trajectories.map(({ success }) => success)).toEqual([true, true, true]);
    expect(sandbox.messages.map((message) => message.map(({ episode, method }) => `${episode} ${method}`))).toEqual([
      ['0 execute', '1 reward'],
      ['0 reward', '2 execute'],
      ['2 reward'],
    ]);
    const { sandbox: idle } = await run([[say('?'), answer('1')]]);
    expect(idle.messages).toHaveLength(1);
  });

  it('carries the state of an episode and gives every request its own seed', async () => {
    const { sandbox } = await run([
      [call('1+1'), call('2+2'), answer('1')],
      [call('1+1'), call('2+2'), answer('1')],
    ]);
    const executes = sandbox.messages.flat().filter(({ method }) => method === 'execute');
    expect(executes.map(({ args }) => (args as { state: unknown }).state)).toEqual([
      null,
      null,
      { calls: 1 },
      { calls: 1 },
    ]);
    const seeds = sandbox.messages.flat().map(({ seed }) => seed);
    expect(new Set(seeds).size).toBe(seeds.length);
    const { sandbox: again } = await run([
      [call('1+1'), call('2+2'), answer('1')],
      [call('1+1'), call('2+2'), answer('1')],
    ]);
    expect(again.messages).toEqual(sandbox.messages);
  });

  it('tells the reward function every step, and of no answer where there was none', async () => {
    const { sandbox, trajectories } = await run(
      [
        [call('boom'), answer('1')],
        [say('?'), say('?')],
      ],
      { flow: { maxTurns: 2 } },
    );
    const [scored, stopped] = sandbox.messages
      .flat()
      .filter(({ method }) => method === 'reward')
      .map(({ args }) => args as { answer?: string; steps: { toolCalls: unknown[]; error?: string }[] });
    expect(scored.steps.map(({ toolCalls, error }) => [toolCalls.length, error])).toEqual([
      [1, 'tool-error'],
      [0, undefined],
    ]);
    expect('answer' in stopped).toBe(false);
    expect(stopped.steps.map(({ error }) => error)).toEqual(['no-answer', 'no-answer']);
    expect(trajectories[1]).toMatchObject({ end: 'max-turns', success: false, reward: 0 });
    expect(trajectories[1].steps[1].rewards).toEqual({ exact: 0, steps: 2 });
  });

  it('adds the outcome of a stopped episode to the rewards its last step has', async () => {
    const {
      trajectories: [trajectory],
    } = await run([[call('0+1')]], { flow: { maxTurns: 1 } });
    expect(trajectory.steps[0].rewards).toEqual({ tool: 0.5, exact: 0, steps: 1 });
    expect(trajectory.end).toBe('max-turns');
  });
});

describe('limits and hooks', () => {
  it('stops a row whose next action might pass the context, and only that row', async () => {
    // First prompt 6 + call 7 + result 5 + header 1 = 19 tokens in turn 2: with a budget of 24 it needs 43.
    const scripts = [[call('10*10'), answer('1')], [answer('2')]];
    const { trajectories: full } = await run(scripts, { context: 42 });
    expect(full.map(({ end }) => end)).toEqual(['context-full', 'answer']);
    expect(full[0].steps[0].rewards).toEqual({ tool: 0.5, exact: 0, steps: 1 });
    const { trajectories: fits } = await run(scripts, { context: 43 });
    expect(fits.map(({ end }) => end)).toEqual(['answer', 'answer']);
  });

  it('gives an episode whose first prompt does not fit no step and no reward', async () => {
    const {
      trajectories: [trajectory],
      sandbox,
    } = await run([[answer('1')]], { context: 29 });
    expect(trajectory).toMatchObject({ end: 'context-full', steps: [], reward: 0, success: false });
    expect(sandbox.messages).toHaveLength(0);
  });

  it('runs more attempts than slots in waves, each with a seed of its own', async () => {
    const seeds = new Set<number>();
    const policy: Policy = {
      contextLength: 100,
      slots: 2,
      sample(prompts: readonly Prompt[], { seed }: Sampling): Promise<Action[]> {
        expect(prompts.length).toBeLessThanOrEqual(2);
        expect(prompts.every(({ slot }, i) => slot === i)).toBe(true);
        seeds.add(seed);
        return Promise.resolve(
          prompts.map(() => ({
            tokens: answer('3'),
            logProbs: [-1, -1, -1],
            entropies: [1, 1, 1],
            text: '',
            stop: 'stop',
          })),
        );
      },
    };
    const env = new ToolEnv({
      chatFormat: specialTokenChat,
      description: calculatorDescription,
      sandbox: new PlainSandbox(calculator),
      tokenizer,
      format: compact,
      context: appendContext,
      observationLimit: 200,
    });
    const live: LiveStep[] = [];
    const attempts = [0, 1, 2, 3, 4].map((a) => ({ task: task(a), group: a }));
    const trajectories = await new AgentEnvLoop(env, tokenizer, compact, specialTokenChat).run(attempts, policy, {
      ...options,
      onTurn: (steps) => live.push(...steps),
    });
    expect(trajectories.map(({ group, success }) => [group, success])).toEqual([
      [0, false],
      [1, false],
      [2, true],
      [3, false],
      [4, false],
    ]);
    expect(live.map(({ attempt, task: { id } }) => `${attempt} ${id}`)).toEqual([
      '0 t0',
      '1 t1',
      '2 t2',
      '3 t3',
      '4 t4',
    ]);
    expect(seeds.size).toBe(3);
    expect(seeds.has(sampling.seed)).toBe(true);
  });

  it('samples one half of many episodes while the other half is in the environment', async () => {
    const scripts = Array.from({ length: 70 }, (_, i) => [call(`${i}+1`), answer(String(i + 1))]);
    let enter = () => {};
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const sandbox = new PlainSandbox(calculator);
    const callGuest = sandbox.call.bind(sandbox);
    sandbox.call = (requests) => {
      enter();
      return callGuest(requests);
    };
    const env = new ToolEnv({
      chatFormat: specialTokenChat,
      description: calculatorDescription,
      sandbox,
      tokenizer,
      format: compact,
      context: appendContext,
      observationLimit: 200,
    });
    const scripted = new ScriptedPolicy(scripts, 1000);
    const firstSlots: number[] = [];
    const policy: Policy = {
      contextLength: scripted.contextLength,
      slots: scripted.slots,
      async sample(prompts, given) {
        firstSlots.push(prompts[0].slot);
        if (prompts[0].slot > 0) await entered;
        return scripted.sample(prompts, given);
      },
    };
    const attempts = scripts.map((_, i) => ({ task: task(i), group: i }));
    const trajectories = await new AgentEnvLoop(env, tokenizer, compact, specialTokenChat).run(
      attempts,
      policy,
      options,
    );
    expect(firstSlots).toEqual([0, 35, 0, 35]);
    expect(trajectories.map(({ group, success }) => [group, success])).toEqual(scripts.map((_, i) => [i, true]));
  });

  it('lets no half work on when the other has failed', async () => {
    const scripts = Array.from({ length: 70 }, () => [call('1+1'), call('1+1'), answer('2')]);
    let calls = 0;
    let failed = false;
    const beforeSubmit = () => {
      failed ||= ++calls === 4;
      return failed ? Promise.reject(new Error('stopped')) : Promise.resolve();
    };
    let sentAfter = 0;
    const onSandbox = (sandbox: PlainSandbox) => {
      const callGuest = sandbox.call.bind(sandbox);
      sandbox.call = (requests) => {
        if (failed) sentAfter++;
        return callGuest(requests);
      };
    };
    await expect(run(scripts, { flow: { beforeSubmit }, onSandbox })).rejects.toThrow('stopped');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sentAfter).toBe(0);
  });

  it('waits for `beforeSubmit` before sampling and batches, stops when it throws, reports time once', async () => {
    const order: string[] = [];
    const times: Parameters<NonNullable<FlowOptions['onTime']>>[0][] = [];
    const flow = {
      beforeSubmit: () => Promise.resolve(void order.push('between')),
      onTurn: () => void order.push('turn'),
      onTime: (time: (typeof times)[number]) => void times.push(time),
    };
    await run([[call('0+1'), answer('1')]], { flow });
    expect(order).toEqual(['between', 'between', 'turn', 'between', 'between', 'turn']);
    expect(times).toHaveLength(1);
    expect(times[0].policyMs >= 0 && times[0].environmentMs > 0).toBe(true);
    await expect(
      run([[answer('1')]], { flow: { beforeSubmit: () => Promise.reject(new Error('stopped')) } }),
    ).rejects.toThrow('stopped');
  });

  it('acts in at most 32 episodes between two calls of `beforeSubmit`, as in one batch, and counts ends', async () => {
    const scripts = Array.from({ length: 70 }, (_, i) =>
      i % 2 === 0 ? [call(`${i}+1`), answer(String(i + 1))] : [call('1+1'), call('1+1'), call('1+1'), call('1+1')],
    );
    const batches: number[] = [];
    const ended: number[] = [];
    let sent = 0;
    let sandboxSoFar = () => 0;
    const { trajectories, sandbox } = await run(scripts, {
      flow: {
        beforeSubmit: async () => {
          batches.push(sandboxSoFar() - sent);
          sent = sandboxSoFar();
        },
        onEnded: (count) => ended.push(count),
      },
      onSandbox: (made) => (sandboxSoFar = () => made.messages.flat().length),
    });
    batches.push(sandbox.messages.flat().length - sent);
    expect(Math.max(...batches)).toBe(32);
    expect(Math.max(...sandbox.messages.map((message) => message.length))).toBe(32);
    expect(trajectories.map(({ end }) => end)).toEqual(scripts.map((_, i) => (i % 2 === 0 ? 'answer' : 'max-turns')));
    expect(ended).toEqual([0, 0, 0, 0, 16, 32, 34, 35, 35, 35, 35, 52, 70, 70]);
    for (const i of [0, 1, 40, 69]) {
      const sentFor = sandbox.messages.flat().filter(({ episode }) => episode === i);
      expect(sentFor.map(({ method }) => method)).toEqual(
        i % 2 === 0 ? ['execute', 'reward'] : ['execute', 'execute', 'execute', 'execute', 'reward'],
      );
    }
  });

  it('refuses a reward term without a weight', async () => {
    await expect(run([[answer('1')]], { flow: { rewardWeights: { exact: 1 } } })).rejects.toThrow(
      /"steps" has no weight/,
    );
  });
});
