/**
 * Plays scripts of actions through `AgentEnvLoop`, `ToolEnv` and the test calculator, one episode a script; task i is
 * `${i}+1`.
 */
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import type { FlowOptions } from '../../src/agent/flow';
import { ToolEnv } from '../../src/agent/tool-env';
import type { Sampling, Task, Trajectory } from '../../src/agent/types';
import { byteTokenizer } from '../../src/text/byte-tokenizer';
import { specialTokenChat, stopTokens } from '../../src/text/chat-template';
import { special } from '../../src/text/tokenizer';
import { toolFormats } from '../../src/text/tool-formats/by-name';
import type { ToolFormat } from '../../src/text/tool-formats/tool-format';
import { appendContext } from '../helpers/append-context';
import { calculator, calculatorDescription, PlainSandbox } from './plain-sandbox';

export const tokenizer = byteTokenizer();
export const { compact, hermes } = toolFormats;
export const call = (expression: string) => [special['<call>'], ...tokenizer.encode(expression), special['<end>']];
export const answer = (text: string) => [special['<answer>'], ...tokenizer.encode(text), special['<end>']];
export const say = (text: string) => [...tokenizer.encode(text), special['<end>']];
export const show = (ids: readonly number[]) => ids.map((id) => tokenizer.label(id)).join('');
export const task = (a: number): Task => ({ id: `t${a}`, prompt: `${a}+1`, data: { answer: a + 1 } });

export const sampling: Sampling = {
  temperature: 1,
  topK: 0,
  topP: 1,
  maxTokens: 24,
  stopTokens,
  seed: 7,
  iteration: 3,
};
export const options: FlowOptions = { sampling, maxTurns: 4, rewardWeights: { exact: 1, tool: 0.1, steps: 0 } };

export interface Setup {
  readonly format?: ToolFormat;
  readonly context?: number;
  readonly flow?: Partial<FlowOptions>;
  readonly description?: typeof calculatorDescription;
  readonly onSandbox?: (sandbox: PlainSandbox) => void;
}

/** Runs one scripted episode per script; task i is `${i}+1`. */
export async function run(
  scripts: number[][][],
  { format = compact, context = 1000, flow = {}, description = calculatorDescription, onSandbox }: Setup = {},
): Promise<{ trajectories: Trajectory[]; sandbox: PlainSandbox }> {
  const sandbox = new PlainSandbox(calculator);
  onSandbox?.(sandbox);
  const env = new ToolEnv({
    chatFormat: specialTokenChat,
    description,
    sandbox,
    tokenizer,
    format,
    context: appendContext,
    observationLimit: 200,
  });
  const loop = new AgentEnvLoop(env, tokenizer, format, specialTokenChat);
  const attempts = scripts.map((_, i) => ({ task: task(i), group: i }));
  return {
    trajectories: await loop.run(attempts, new ScriptedPolicy(scripts, context), { ...options, ...flow }),
    sandbox,
  };
}
