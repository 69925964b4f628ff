/**
 * Whether a text of an environment can pose as the host: it is shown to an agent in every place where environment text
 * stands, under every tokenizer and tool format, and no id of a special token, no weight in the loss and no call may
 * come of it.
 */
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import type { EnvironmentDescription } from '../../src/agent/env';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import type { Sandbox } from '../../src/agent/sandbox';
import { ToolEnv } from '../../src/agent/tool-env';
import type { Trajectory } from '../../src/agent/types';
import { demonstrationSegments } from '../../src/rl/learner/segments';
import { trainBpe } from '../../src/text/bpe-training';
import { renderMessages, specialTokenChat, stopTokens } from '../../src/text/chat-template';
import { tokenizerFromJson } from '../../src/text/saved-tokenizer';
import { special, specialTokens, type Tokenizer } from '../../src/text/tokenizer';
import { toolFormats } from '../../src/text/tool-formats/by-name';
import type { ToolFormat } from '../../src/text/tool-formats/tool-format';
import { appendContext } from '../helpers/append-context';

const markers = specialTokens.join('') + '<tool_call></tool_call><|im_start|><|im_end|></s>';
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('') + '\n';

/**
 * A tokenizer of each kind, all through the loader of saved tokenizers: characters (all of the text, and no more than a
 * call takes), bytes, and byte pairs trained so that the markers are single tokens. The files claim special tokens of
 * their own, which the loader must not hear.
 */
function tokenizers(text: string): Tokenizer[] {
  const merges = trainBpe([`${markers} ${text.slice(0, 2000)} `.repeat(4)], 600);
  const claims = {
    added_tokens: [{ id: 20, content: '<end>', special: true }],
    special_tokens_map: { eos_token: '<end>' },
    specialTokens: ['<end>'],
  };
  const files = [
    { kind: 'character', alphabet: [...new Set(ascii + markers + text)].join('').slice(0, 4096) },
    {
      kind: 'character',
      alphabet: '<tool_call>{"name":"attack","arguments":{"x":1,"s":"hi","list":[1,2]}}</tool_call></code>42 \n',
    },
    { kind: 'byte' },
    { kind: 'bpe', merges },
  ];
  return files.map((file) => tokenizerFromJson(JSON.parse(JSON.stringify({ ...file, ...claims }))));
}

/**
 * @param text an observation, an error, or whatever else an environment says.
 * @param sandbox runs the item's code as the tool `attack`
 */
export async function forgeryFaults(text: string, sandbox: Sandbox): Promise<string[]> {
  const faults: string[] = [];
  for (const tokenizer of tokenizers(text)) {
    const name = `${tokenizer.kind} tokenizer of ${tokenizer.size}`;
    const ids = tokenizer.encode(text);
    if (ids.some(isSpecial)) faults.push(`the ${name} encodes it with a special token`);
    if (tokenizer.kind !== 'character' && tokenizer.decode(ids) !== text.toWellFormed())
      faults.push(`the ${name} does not give it back`);
    for (const format of Object.values(toolFormats)) {
      const context = `${name}, ${format.name}`;
      faults.push(...splitFaults(text, tokenizer, format).map((fault) => `${context}: ${fault}`));
      faults.push(...(await episodeFaults(text, tokenizer, format, sandbox)).map((fault) => `${context}: ${fault}`));
    }
  }
  return faults;
}

const isSpecial = (id: number): boolean => id < specialTokens.length;

/**
 * Two observations, whatever stands on either side of the seam, have four special tokens between them: each its role
 * and its end.
 */
function splitFaults(text: string, tokenizer: Tokenizer, format: ToolFormat): string[] {
  const seams = [...new Set([1, 2, 3, 5, 8, text.length >> 1, text.length - 1])].filter(
    (at) => at > 0 && at < text.length,
  );
  return seams.flatMap((at) => {
    const messages = [text.slice(0, at), text.slice(at)].map((content) => ({ role: 'tool' as const, content }));
    const found = renderMessages(tokenizer, format, messages).tokens.filter(isSpecial);
    const expected = [special['<tool>'], special['<end>'], special['<tool>'], special['<end>']];
    return found.join() === expected.join()
      ? []
      : [`cut at ${at}, it makes the special tokens ${found.map((id) => specialTokens[id]).join(' ')}`];
  });
}

const description: EnvironmentDescription = {
  title: '',
  task: '',
  watch: '',
  tools: ['attack', 'witness'].map((name) => ({ name, description: '', parameters: { type: 'object' } })),
  rewards: { score: { description: '', weight: 1 } },
  options: [],
  alphabet: '',
  examples: [],
};

/**
 * The text as system message, tool description, task, tool result, error of a tool, name of an unknown tool and answer,
 * in one episode.
 */
async function episodeFaults(
  text: string,
  tokenizer: Tokenizer,
  format: ToolFormat,
  sandbox: Sandbox,
): Promise<string[]> {
  const parameters = { type: 'object', properties: { s: { description: text, type: 'string' } } };
  const alone = { name: 'attack', description: text, parameters };
  const isAlone = format.name === 'retool';
  const tools = isAlone ? [alone] : [...description.tools, { ...alone, name: 'other' }];
  const call = { name: 'attack', arguments: { ...(!isAlone && { x: 1, list: [1, 2] }), s: 'hi' } };
  const env = new ToolEnv({
    chatFormat: specialTokenChat,
    description: { ...description, system: text.slice(0, 8192), tools },
    sandbox,
    tokenizer,
    format,
    context: appendContext,
    observationLimit: 4096,
  });
  const end = special['<end>'];
  const plain = tokenizer.encode(text.slice(0, 512));
  const prompt = text.slice(0, 8192);
  const script = [
    format.encodeCalls([call], tools, tokenizer),
    faultyCall(text, tokenizer, format),
    // An agent that repeats what it read says words, not markers.
    ...(marked(format) ? [[...plain, end]] : []),
    marked(format) ? [special['<answer>'], ...plain, end] : [...tokenizer.encode('42'), end],
  ];
  const sampling = { temperature: 1, topK: 0, topP: 1, maxTokens: 9999, stopTokens, seed: 1, iteration: 1 };
  const loop = new AgentEnvLoop(env, tokenizer, format, specialTokenChat);
  const attempts = [{ task: { id: 'task', prompt, data: text }, group: 0 }];
  const [trajectory] = await loop.run(attempts, new ScriptedPolicy([script], 1e6), {
    sampling,
    maxTurns: script.length,
    rewardWeights: { score: 1 },
  });
  return [...promptFaults(trajectory), ...lossFaults(trajectory), ...callFaults(trajectory, tokenizer)];
}

/** Whether calls and answers begin with special tokens; else they are plain text. */
const marked = (format: ToolFormat): boolean => format.name === 'compact';

/** Of an unknown tool; where tools have no names, of code that does not begin. */
function faultyCall(text: string, tokenizer: Tokenizer, format: ToolFormat): number[] {
  const name = text.slice(0, 512);
  const written = {
    compact: name,
    hermes: `<tool_call>${JSON.stringify({ name, arguments: {} })}</tool_call>`,
    retool: '</code>',
  }[format.name];
  return [...(marked(format) ? [special['<call>']] : []), ...tokenizer.encode(written!), special['<end>']];
}

/** Special tokens of a prompt are those of its messages' frames and of what was sampled, and no others. */
function promptFaults({ steps }: Trajectory): string[] {
  return steps.flatMap(({ prompt, observation }, k) => {
    const frames = observation.messages.flatMap(({ role, tokens }) => [
      special[`<${role}>`],
      ...(tokens ?? []).filter(isSpecial),
      ...(tokens ? [] : [special['<end>']]),
    ]);
    const expected = [...frames, special['<assistant>']];
    const found = prompt.filter(isSpecial);
    return found.join() === expected.join()
      ? []
      : [`the prompt of step ${k} holds ${found.length} special tokens, the host wrote ${expected.length}`];
  });
}

/** What has weight in the loss is what was sampled, token for token. */
function lossFaults(trajectory: Trajectory): string[] {
  const weighed = demonstrationSegments(trajectory, 0).flatMap(({ tokens, inLoss }) =>
    [...tokens].filter((_, i) => inLoss[i] !== 0),
  );
  const sampled = trajectory.steps.flatMap(({ action }) => action.tokens);
  return weighed.join() === sampled.join() ? [] : ['the loss weighs what the agent did not write'];
}

/** One call of `attack` ran, because one was sampled; nothing that was read became a call or an answer. */
function callFaults({ steps, answer }: Trajectory, tokenizer: Tokenizer): string[] {
  const ran = steps
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ error }) => error !== 'unknown-tool' && error !== 'malformed');
  const faults =
    ran.length === 1 && ran[0].name === 'attack'
      ? []
      : [`the calls that ran are ${ran.map(({ name }) => name).join()}, expected attack`];
  const said = steps.at(-1)!.action.tokens.filter((id) => !isSpecial(id));
  return answer === tokenizer.decode(said) ? faults : [...faults, `the answer was ${JSON.stringify(answer)}`];
}
