/** Where the template of a pretrained model would write a rollout otherwise than it was sampled. */
import { beforeAll, expect, test } from 'vitest';
import { ScriptedPolicy } from '../../src/agent/demonstrations';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import { ToolEnv } from '../../src/agent/tool-env';
import { zeroCredit } from '../../src/algorithms/credit';
import { bytesInMemory, type ByteSource } from '../../src/lib/byte-source';
import { templateWords, tokenLines } from '../../src/presentation/template-words';
import { readTemplate } from '../../src/rl/diagnostics/template-reading';
import { rolloutView, type RolloutView } from '../../src/rl/rollouts/view';
import { tokenCells } from '../../src/share/rollout-tokens';
import { specialTokenChat, type ChatFormat } from '../../src/text/chat-template';
import { pretrainedText, type PretrainedText } from '../../src/text/pretrained/pretrained-text';
import { vocabularyOf } from '../../src/text/tokenizer';
import { calculator, calculatorDescription, PlainSandbox } from '../agent/plain-sandbox';
import { options, sampling, task } from '../agent/scripted-run';
import { appendContext } from '../helpers/append-context';
import { qwenFile } from '../helpers/qwen-tokenizer';

let model: PretrainedText;
let chatFormat: ChatFormat;
let vocabulary: string[];
beforeAll(async () => {
  const generation = bytesInMemory(new TextEncoder().encode(JSON.stringify({ eos_token_id: [151645, 151643] })));
  const files = new Map<string, ByteSource>([
    ['tokenizer.json', bytesInMemory(qwenFile('tokenizer.json'))],
    ['tokenizer_config.json', bytesInMemory(qwenFile('tokenizer_config.json'))],
    ['generation_config.json', generation],
  ]);
  model = await pretrainedText(files);
  chatFormat = model.chatFormat(calculatorDescription.tools);
  vocabulary = vocabularyOf(model.tokenizer);
});

const ids = (text: string) => [...model.tokenizer.markup.encode(text)];
const call = '<tool_call>\n{"name": "calc", "arguments": {"expression": "1+1"}}\n</tool_call>';

/** An episode in which the agent writes these turns. */
async function played(...turns: string[]): Promise<RolloutView> {
  const { tokenizer } = model;
  const format = chatFormat.toolFormat!;
  const env = new ToolEnv({
    description: calculatorDescription,
    format,
    tokenizer,
    chatFormat,
    sandbox: new PlainSandbox(calculator),
    context: appendContext,
    observationLimit: 100,
  });
  const loop = new AgentEnvLoop(env, tokenizer, format, chatFormat);
  const [trajectory] = await loop.run([{ task: task(1), group: 0 }], new ScriptedPolicy([turns.map(ids)], 4000), {
    ...options,
    sampling: { ...sampling, maxTokens: 99, stopTokens: tokenizer.special.ends },
  });
  return rolloutView(trajectory, { iteration: 1, index: 0 }, zeroCredit(trajectory), true);
}

const cellsOf = (rollout: RolloutView) => tokenCells(rollout, vocabulary, model.tokenizer.special.ids);
/** What is written otherwise, and how. */
function rewritings(rollout: RolloutView): [before: string, after: string][] {
  const cells = cellsOf(rollout);
  const text = (tokens: readonly number[]) => tokens.map((id) => vocabulary[id]).join('');
  return readTemplate(rollout, chatFormat)!.rewritings.map(({ at, count, instead }) => [
    text(cells.slice(at, at + count).map(({ id }) => id)),
    text(instead),
  ]);
}

test('Qwen3’s template leaves out the empty thoughts of earlier turns, and nothing else', async () => {
  const thoughts: [string, string] = ['<think>\n\n</think>\n\n', ''];
  expect(rewritings(await played(`${call}<|im_end|>`, '2<|im_end|>'))).toEqual([thoughts]);
  expect(rewritings(await played('2<|im_end|>'))).toEqual([]);
});

test('a call with other spaces is written otherwise', async () => {
  const found = rewritings(await played(`${call.replaceAll('": ', '":')}<|im_end|>`, '2<|im_end|>'));
  expect(found.slice(1)).not.toEqual([]);
  for (const [before, after] of found.slice(1)) expect(after.replaceAll(' ', '')).toBe(before.replaceAll(' ', ''));
});

test('its tokens are lines, with their ids and what the template does', async () => {
  const rollout = await played(`${call}<|im_end|>`, '2<|im_end|>');
  const reading = readTemplate(rollout, chatFormat)!;
  const lines = tokenLines(cellsOf(rollout), reading, vocabulary);
  const think = lines.findIndex((line) => line.includes('<think>'));
  expect(lines[0]).toBe('turn 1');
  expect(lines[1]).toBe('    151644  <|im_start|>');
  expect(lines[think]).toMatch(/^ {4}151667 {2}<think> {2}~ the template leaves out these \d tokens$/);
  expect(lines[think + 1]).toMatch(/ {2}~$/);
  expect(lines.filter((line) => line.startsWith('  > ')).length).toBe(rollout.steps.flatMap((s) => s.tokens).length);
  expect(templateWords(reading)).toMatch(/would differ in 1 place, which is marked\. It is trained on as it was/);
});

test('a template that refuses is quoted, and a model without one has no reading', async () => {
  const rollout = await played('2<|im_end|>');
  const refusing = {
    ...chatFormat,
    rerender: () => {
      throw new Error('Roles must alternate.');
    },
  };
  expect(templateWords(readTemplate(rollout, refusing))).toBe(
    'The model’s chat template does not render the conversation again: Roles must alternate.',
  );
  expect(readTemplate(rollout, specialTokenChat)).toBeNull();
  expect(templateWords(null)).toBeNull();
});
