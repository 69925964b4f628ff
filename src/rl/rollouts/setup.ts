/**
 * What a run needs before there is a device: its environment's description, a tokenizer for its text, the tool format
 * and the model's shape. All are functions of the config and the environment's source.
 */
import type { EnvironmentDescription } from '../../agent/env';
import { EnvironmentClient } from '../../agent/environment-client';
import { contextProblem } from '../../agent/context';
import { AgentEnvLoop } from '../../agent/env-loop';
import type { Sandbox } from '../../agent/sandbox';
import { FlowEnv } from '../../agent/flow-env';
import { ToolEnv } from '../../agent/tool-env';
import type { Sampling } from '../../agent/types';
import { plainText, quoted } from '../../lib/plain-text';
import type { ModelShape } from '../../model/shape';
import { bpeTokenizer } from '../../text/bpe-tokenizer';
import { trainBpe } from '../../text/bpe-training';
import { byteTokenizer } from '../../text/byte-tokenizer';
import { characterTokenizer } from '../../text/character-tokenizer';
import { stopTokens } from '../../text/chat-template';
import { toolFormats } from '../../text/tool-formats/by-name';
import type { ToolFormat } from '../../text/tool-formats/tool-format';
import { patchLength } from '../../text/image';
import { withImages } from '../../text/image-tokens';
import type { Tokenizer } from '../../text/tokenizer';
import { namedCharacters, unknownCharacters } from '../../text/unknown-characters';
import { wordTokenizer } from '../../text/word-tokenizer';
import type { RunConfig } from '../config/config';
import { missingRows, withoutLargeRows } from '../config/rows';

/** Longest tool result in UTF-16 units. */
export const observationLimit = 512;
/**
 * Rotary base. With the usual 10000 most pairs hardly turn within a short context, and copying by position is learned
 * several times more slowly (0.39 against 0.82 success after 260 steps of the calculator's warm start).
 */
const ropeBase = 100;
/** Tasks whose text a byte-pair tokenizer is trained on. */
const tokenizerTasks = 256;

export interface RunSetup {
  readonly config: RunConfig;
  /** The config as files carry it. */
  readonly savedConfig: RunConfig;
  readonly description: EnvironmentDescription;
  readonly client: EnvironmentClient;
  readonly tokenizer: Tokenizer;
  readonly format: ToolFormat;
  readonly shape: ModelShape;
  /** A loop with an environment of its own, so that rollouts, validation and chat never share episodes. */
  loop(): AgentEnvLoop;
}

/** Loads the environment into the sandbox and reads its description. Throws a sentence if it cannot be used. */
export async function prepareRun(config: RunConfig, source: string, sandbox: Sandbox): Promise<RunSetup> {
  const missing = missingRows(config);
  if (missing !== null) throw new Error(missing);
  await sandbox.load(source, config.environment.rows);
  const description = await new EnvironmentClient(sandbox).describe();
  const undeclared = Object.keys(config.rewards).filter((name) => !Object.hasOwn(description.rewards, name));
  if (undeclared.length > 0)
    throw new Error(
      `rewards: the environment has no reward term ${undeclared.map((name) => plainText(name, 32)).join(', ')}; ` +
        `it has ${Object.keys(description.rewards).join(', ')}.`,
    );
  for (const { name, values } of description.options) {
    const value = config.environment.options[name];
    if (value !== undefined && !values.includes(value))
      throw new Error(
        `environment.options.${name}: ${quoted(String(value))} is not one of ` +
          `${values.map((each) => plainText(String(each), 64)).join(', ')}.`,
      );
  }
  const problem = contextProblem(config.context, description.hooks ?? []);
  if (problem !== null) throw new Error(problem);
  const format = toolFormats[config.text.toolFormat];
  const text = await makeTokenizer(config, description, new EnvironmentClient(sandbox));
  const tokenizer = description.images ? withImages(text) : text;
  const unreadable = unknownCharacters(tokenizer, description.system ?? '');
  if (unreadable.length > 0)
    throw new Error(`meta.alphabet lacks characters of meta.system: ${namedCharacters(unreadable)}.`);
  const client = new EnvironmentClient(sandbox, tokenizer);
  const { callFuel } = config.rollout;
  const options = { description, sandbox, tokenizer, format, context: config.context, observationLimit, callFuel };
  const drivesItself = description.hooks?.includes('flow');
  const makeEnv = () => (drivesItself ? new FlowEnv(options) : new ToolEnv(options));
  const shape = modelShape(config.model, tokenizer.size, description.images);
  const loop = () => new AgentEnvLoop(makeEnv(), tokenizer, format);
  const savedConfig = await withoutLargeRows(config);
  return { config, savedConfig, description, client, tokenizer, format, shape, loop };
}

/** Weight of every reward term of the environment: the config's, or the environment's own. */
export function rewardWeights({ config, description }: Pick<RunSetup, 'config' | 'description'>) {
  const terms = Object.entries(description.rewards);
  return Object.fromEntries(terms.map(([name, { weight }]) => [name, config.rewards[name] ?? weight]));
}

/** Options of the run's loop. @param sampling how it differs from greedy sampling of seed 0 */
export function loopOptions(setup: Pick<RunSetup, 'config' | 'description'>, sampling: Partial<Sampling> = {}) {
  const { maxTurns, maxTokens } = setup.config.rollout;
  const greedy = { temperature: 0, topK: 0, topP: 1, maxTokens, stopTokens, seed: 0, iteration: 0 };
  return { maxTurns, rewardWeights: rewardWeights(setup), sampling: { ...greedy, ...sampling } };
}

export function modelShape(model: RunConfig['model'], vocabulary: number, images = false): ModelShape {
  const { layers, width, heads, kvHeads, mlp, mlpWidth, tied } = model;
  const seen = images && { patchLength };
  const fixed = { qkvBias: false, normEpsilon: 1e-5, ropeBase, ropeStyle: 'half', valueHead: false } as const;
  return { vocabulary, layers, width, heads, kvHeads, headSize: width / heads, mlp, mlpWidth, tied, ...fixed, ...seen };
}

/** Every character the model may read or write: the environment's and the tool format's. */
export function characters({ text }: RunConfig, { alphabet, tools }: EnvironmentDescription): string {
  return alphabet + toolFormats[text.toolFormat].alphabet(tools);
}

async function makeTokenizer(
  config: RunConfig,
  description: EnvironmentDescription,
  client: EnvironmentClient,
): Promise<Tokenizer> {
  const { text, environment } = config;
  const alphabet = characters(config, description);
  switch (text.tokenizer) {
    case 'character':
      return characterTokenizer(alphabet);
    case 'word':
      return wordTokenizer(description.words ?? [], alphabet);
    case 'byte':
      return byteTokenizer();
    case 'bpe': {
      const tasks = await client.tasks('train', 0, 0, tokenizerTasks, environment.options);
      return bpeTokenizer(trainBpe([alphabet, ...tasks.map((task) => task.prompt)], text.vocabulary));
    }
  }
}
