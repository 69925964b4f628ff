/**
 * What a run needs before there is a device: its environment's description, its model with a tokenizer, and the tool
 * format. All are functions of the config and the environment's source.
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
import type { Files } from '../../lib/stored-tensors';
import { familyOf, pretrainedModel } from '../../model/families';
import type { Model } from '../../model/model';
import type { EnvironmentText } from '../../text/environment-tokenizer';
import { toolFormats } from '../../text/tool-formats/by-name';
import type { ToolFormat } from '../../text/tool-formats/tool-format';
import { namedCharacters, unknownCharacters } from '../../text/unknown-characters';
import type { RunConfig } from '../../config/config';
import { cannotSee, missingModel } from '../../config/pretrained';
import type { Pretrained } from '../../config/pretrained-schema';
import { missingRows, withoutLargeRows } from '../../config/rows';

/** Longest tool result in UTF-16 units. */
export const observationLimit = 512;
/** Tasks whose text a byte-pair tokenizer is trained on. */
const tokenizerTasks = 256;

export interface RunSetup {
  readonly config: RunConfig;
  /** The config as files carry it. */
  readonly savedConfig: RunConfig;
  readonly description: EnvironmentDescription;
  readonly client: EnvironmentClient;
  readonly model: Model;
  readonly format: ToolFormat;
  /** A loop with an environment of its own, so that rollouts, validation and chat never share episodes. */
  loop(): AgentEnvLoop;
}

/** The files of a config's pretrained model: those that its digest names. Rejects with a sentence if there are none. */
export type OpenModel = (pretrained: Pretrained) => Promise<Files>;

/**
 * Loads the environment into the sandbox and reads its description, and what a pretrained model says of itself.
 * @throws a sentence if one of them cannot be used, or the model's files are not to be had here
 */
export async function prepareRun(
  config: RunConfig,
  source: string,
  sandbox: Sandbox,
  openModel?: OpenModel,
): Promise<RunSetup> {
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
  const { pretrained } = config.model;
  const model = pretrained
    ? await openPretrained(config, pretrained, description, openModel)
    : await makeModel(config, description, new EnvironmentClient(sandbox));
  const { tokenizer, chatFormat } = model;
  const format = chatFormat.toolFormat ?? toolFormats[config.text.toolFormat];
  const unreadable = unknownCharacters(tokenizer, description.system ?? '');
  if (unreadable.length > 0)
    throw new Error(`meta.alphabet lacks characters of meta.system: ${namedCharacters(unreadable)}.`);
  const client = new EnvironmentClient(sandbox, tokenizer);
  const { callFuel } = config.rollout;
  const text = { tokenizer, format, chatFormat, context: config.context };
  const options = { ...text, description, sandbox, observationLimit, callFuel };
  const drivesItself = description.hooks?.includes('flow');
  const makeEnv = () => (drivesItself ? new FlowEnv(options) : new ToolEnv(options));
  const loop = () => new AgentEnvLoop(makeEnv(), tokenizer, format, chatFormat);
  const savedConfig = await withoutLargeRows(config);
  return { config, savedConfig, description, client, model, format, loop };
}

/** Weight of every reward term of the environment: the config's, or the environment's own. */
export function rewardWeights({ config, description }: Pick<RunSetup, 'config' | 'description'>) {
  const terms = Object.entries(description.rewards);
  return Object.fromEntries(terms.map(([name, { weight }]) => [name, config.rewards[name] ?? weight]));
}

/** Options of the run's loop. @param sampling how it differs from greedy sampling of seed 0 */
export function loopOptions(
  setup: Pick<RunSetup, 'config' | 'description' | 'model'>,
  sampling: Partial<Sampling> = {},
) {
  const { maxTurns, maxTokens } = setup.config.rollout;
  const stopTokens = setup.model.tokenizer.special.ends;
  const greedy = { temperature: 0, topK: 0, topP: 1, maxTokens, stopTokens, seed: 0, iteration: 0 };
  return { maxTurns, rewardWeights: rewardWeights(setup), sampling: { ...greedy, ...sampling } };
}

/** What a tokenizer learns of the environment before it makes tasks. */
export function textOf({ text }: RunConfig, description: EnvironmentDescription): Omit<EnvironmentText, 'prompts'> {
  const { alphabet, tools, words = [], images = false } = description;
  return { alphabet: alphabet + toolFormats[text.toolFormat].alphabet(tools), words, images };
}

async function makeModel(
  config: RunConfig,
  description: EnvironmentDescription,
  client: EnvironmentClient,
): Promise<Model> {
  const family = familyOf(config.model);
  const environment = textOf(config, description);
  const tasks = () => client.tasks('train', 0, 0, tokenizerTasks, config.environment.options);
  const prompts = async () => (await tasks()).map(({ prompt }) => prompt);
  const tokenizer = await family.tokenizer(config.text, { ...environment, prompts });
  const network = family.network(config.model, tokenizer.size, environment.images);
  return { ...network, tokenizer, chatFormat: family.chatFormat };
}

async function openPretrained(
  { model: { context } }: RunConfig,
  pretrained: Pretrained,
  { images, tools }: EnvironmentDescription,
  openModel?: OpenModel,
): Promise<Model> {
  if (!openModel) throw new Error(missingModel(pretrained));
  if (images) throw new Error(cannotSee);
  return pretrainedModel(await openModel(pretrained), { ...pretrained, context }, tools);
}
