/** `chat <run | preset>`: an agent answers what is typed, one line at a time, with live tool calls. */
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { zeroCredit } from '../algorithms/credit';
import type { Trajectory } from '../agent/types';
import { templateWords, tokenLines } from '../presentation/template-words';
import { readTemplate } from '../rl/diagnostics/template-reading';
import { rolloutView } from '../rl/rollouts/view';
import { tokenCells } from '../share/rollout-tokens';
import { vocabularyOf } from '../text/tokenizer';
import { askedAbout } from '../config/rows';
import { Trainer } from '../rl/trainer';
import { readCheckpointHead, restoreCheckpoint } from '../rl/checkpoint';
import type { ChatEvent } from '../rl/rollouts/chat';
import { ChatSession } from '../run/chat-session';
import { escaped, plainText } from '../lib/plain-text';
import { parseCommand, type CommandSpec } from './args';
import { deviceChoice, deviceFlag, openDevice, openSandbox, orCpu } from './engine';
import { quietHooks } from './recorded-start';
import { openHostTools, toolsFlag } from './host-tools/tools';
import { modelFlag, modelHooks, modelOfRun } from './model-folder';
import { checkpointPath, readCheckpointFile } from './read-file';
import { readRows } from './rows-file';
import { givenRun, runPositional } from './run-config';
import { print, say } from './terminal';

const flags = {
  device: deviceFlag,
  tools: toolsFlag,
  model: modelFlag,
  rows: { kind: 'text', help: 'JSON lines or CSV that questions are about, in worlds that take some', value: 'FILE' },
  tokens: {
    kind: 'flag',
    help: 'list the tokens with their ids, and what a pretrained model’s own chat template would write otherwise',
  },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'chat',
  positionals: `<run folder | checkpoint.safetensors | ${runPositional.replace(/^<|>$/g, '')}> [message]`,
  count: { min: 1, max: 2 },
  flags,
  more: () =>
    'A run answers as it was saved, a preset as after its warm start. Without a message, lines of standard input\n' +
    'are asked one after the other; an empty line or Ctrl-D ends.',
};

const maxShownCharacters = 2000;
const shown = (text: string): string => plainText(text, maxShownCharacters);

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const [subject, message] = parsed.positionals;
  const rows = parsed.flags.rows === undefined ? null : readRows(parsed.flags.rows);
  const trainer = await agentOf(subject, parsed.flags);
  const onEpisode = parsed.flags.tokens ? (episode: Trajectory) => printTokens(episode, trainer) : () => undefined;
  const chat = new ChatSession(trainer.device, trainer, () => Promise.resolve());
  const { title, rowsInChat } = trainer.setup.description;
  try {
    if (rows !== null && !rowsInChat) throw new Error(`${shown(title)} is not asked about rows: leave out --rows.`);
    const answer = async (question: string) =>
      onEpisode(await ask(chat, rows === null ? question : askedAbout(question, rows)));
    if (message === undefined) await converse(trainer, answer);
    else await answer(message);
  } finally {
    await chat.close();
    trainer.destroy();
    trainer.device.destroy();
  }
  return 0;
}

/** The agent of a checkpoint, or that of a warm start. */
async function agentOf(
  subject: string,
  { device: asked, tools, model: modelPath }: { device?: string; tools?: string; model?: string },
): Promise<Trainer> {
  const path = /\.(m?js|json)$/.test(subject) ? null : checkpointPath(subject);
  if (path === null) {
    const host = await openHostTools(tools);
    const { config, source, model } = await givenRun(subject, { model: modelPath }, host);
    const device = await openDevice(asked === undefined ? orCpu(config.device) : deviceChoice(asked));
    const hooks = { ...quietHooks, ...modelHooks(model) };
    const trainer = await Trainer.create(device, await openSandbox(host), config, source, hooks);
    await trainer.warmStart();
    return trainer;
  }
  const file = readCheckpointFile(path);
  const { config, source } = readCheckpointHead(file);
  const hooks = { ...quietHooks, ...modelHooks(await modelOfRun(config, modelPath)) };
  const device = await openDevice(asked === undefined ? orCpu(config.device) : deviceChoice(asked));
  const sandbox = await openSandbox(await openHostTools(tools, dirname(path)));
  const trainer = await Trainer.create(device, sandbox, config, source, hooks);
  restoreCheckpoint(trainer, file);
  return trainer;
}

async function converse({ setup, progress }: Trainer, answer: (question: string) => Promise<void>): Promise<void> {
  const { title, examples } = setup.description;
  say(`${shown(title)}, after iteration ${progress.iteration}. Ask, for example: ${examples.map(shown).join('   ')}\n`);
  const lines = createInterface({ input: process.stdin });
  const invite = () => process.stdin.isTTY && say('> ');
  invite();
  for await (const line of lines) {
    if (line.trim() === '') break;
    await answer(line.trim());
    invite();
  }
  lines.close();
}

function ask(chat: ChatSession, message: string): Promise<Trajectory> {
  return chat.ask(message, (event) => {
    const text = lineOf(event);
    if (text !== null) print(`${text}\n`);
  });
}

function printTokens(episode: Trajectory, { setup: { model, config } }: Trainer): void {
  const place = { iteration: 0, index: 0 };
  const view = rolloutView(episode, place, zeroCredit(episode), config.algorithm.lossMask);
  const vocabulary = vocabularyOf(model.tokenizer);
  const reading = readTemplate(view, model.chatFormat);
  const lines = tokenLines(tokenCells(view, vocabulary, model.tokenizer.special.ids), reading, vocabulary);
  for (const line of [...lines, templateWords(reading) ?? []].flat()) print(`${escaped(line)}\n`);
}

function lineOf(event: ChatEvent): string | null {
  switch (event.type) {
    case 'seen':
      return event.text === '' ? null : `  ${shown(event.text)}`;
    case 'text':
      return null;
    case 'tool':
      return `  ${event.call.name} ${shown(JSON.stringify(event.call.arguments))} → ${shown(event.call.result)}`;
    case 'done': {
      const verdict = event.solved === null ? '' : event.solved ? '  (right)' : '  (wrong)';
      const silence = event.end === 'done' ? 'The last call ended the episode.' : 'No answer.';
      return (event.answer === null ? silence : shown(event.answer)) + verdict;
    }
  }
}
