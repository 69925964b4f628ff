/**
 * Reads the run that a command is given: a preset, an environment's module, a file of settings or a link, and flags on
 * top. A misspelt name or an invalid value is an error.
 */
import { basename, dirname, join } from 'node:path';
import type { EnvironmentDescription } from '../agent/env';
import { EnvironmentClient } from '../agent/environment-client';
import { builtInEnvironments } from '../environments/built-in';
import { didYouMean } from '../lib/nearest';
import { plainText } from '../lib/plain-text';
import { inEnvironment } from '../config/in-environment';
import { configProblems, parseConfig, type RunConfig } from '../config/config';
import { adapterFields, configFields } from '../config/fields';
import { environmentSource } from '../config/environment-source';
import { forPretrained, withPretrained } from '../config/for-pretrained';
import type { OpenedModel } from '../config/open-model';
import { readPretrained, requireModel } from '../config/pretrained';
import type { Pretrained } from '../config/pretrained-schema';
import { presetByName, presets } from '../config/presets';
import { baseFor, engineDifference } from '../config/run-link';
import { decodeLink } from '../share/link';
import { deviceFlag, openSandbox } from './engine';
import type { HostTools } from './host-tools/tools';
import {
  isObject,
  setting,
  settingFromFlag,
  settingFromText,
  settingsFromObject,
  valuesOf,
  withSettings,
  type Setting,
} from './settings';
import { openModelFolder } from './model-folder';
import { readJson, readText } from './read-file';
import { rowsFlag, withGivenRows } from './rows-file';
import { fileOf, withPlace } from './source-place';
import { say } from './terminal';

/** Flags of every command that takes a run. */
export const runFlags = {
  preset: { kind: 'text', help: 'preset to start from, for a file that names none', value: 'NAME' },
  set: {
    kind: 'texts',
    help: 'any field of the config, like lr=3e-4 or rewards.correct=2; may be given often',
    value: 'FIELD=VALUE',
  },
  seed: { kind: 'integer', help: 'seed of the run', min: 0 },
  iterations: { kind: 'integer', help: 'RL iterations', min: 1 },
  scratch: { kind: 'flag', help: 'start from random weights, without the warm start' },
  device: deviceFlag,
  rows: rowsFlag,
} as const;

export const runPositional = '<preset | env.js | config.json | link>';

export interface RunFlags {
  readonly preset?: string;
  readonly set?: readonly string[];
  readonly seed?: number;
  readonly iterations?: number;
  readonly scratch?: boolean;
  readonly device?: string;
  readonly rows?: string;
  readonly model?: string;
}

export interface GivenRun {
  readonly config: RunConfig;
  /** JavaScript of its environment. */
  readonly source: string;
  /** How that is called in messages. */
  readonly file: string;
  readonly description: EnvironmentDescription;
  /** The preset that it varies; null for another environment than the preset's and for a file without a preset. */
  readonly preset: string | null;
  /** The preset, else the environment. */
  readonly name: string;
  /** The pretrained model that is given. */
  readonly model: OpenedModel | null;
}

/** The contents of a file or a link. */
interface Contents {
  /** A complete config. */
  readonly whole?: RunConfig;
  readonly preset?: string;
  readonly settings: readonly Setting[];
  /** Without rewards and options that the environment decides. */
  readonly open?: boolean;
  /** The pretrained model that it names. */
  readonly pretrained?: Pretrained;
}

/** The default preset of an environment that is not built in. */
const standard = presets[0].name;

/** @param host tools that the environment is given @throws a sentence if it cannot be run */
export async function givenRun(
  subject: string,
  flags: RunFlags = {},
  host: HostTools | null = null,
): Promise<GivenRun> {
  const contents = await read(subject);
  if (contents.open && host?.isLive)
    throw new Error(
      "--tools is refused for a link: it carries a stranger's code, which would say what your tools are asked. " +
        'Save its environment as a file, read it, and train that file.',
    );
  const { whole, preset: named } = contents;
  if (flags.preset !== undefined && (whole || named !== undefined))
    throw new Error(
      `--preset is for a file that names no preset. ${plainText(subject, 64)} ` +
        `${named ? `is ${named}` : 'is a whole config'}.`,
    );
  const more = flagSettings(flags);
  const own = whole ? settingsFromObject({ environment: whole.environment }, subject) : contents.settings;
  const environment = lastEnvironment([...own, ...more]);
  const model = await openModelFolder(flags.model);
  const preset = presetByName(flags.preset ?? named ?? presetOf(environment, subject));
  const { name = preset.config.environment.name, source } = environment;
  const file = fileOf(subject, { name, source });
  const description = await describe(
    environmentSource({ ...preset.config, environment: { name, options: {}, source } }),
    file,
    host,
  );
  const lent = baseFor({ name, source }, preset.config);
  const isOwn = lent === preset.config;
  const start = isOwn || contents.open ? lent : withMeta(lent, description, (flags.preset ?? named) === undefined);
  const base = withModel(whole ?? start, contents, model);
  const config = await withGivenRows(
    parseConfig(withSettings(whole ? base : withSettings(base, contents.settings), more)),
    flags.rows,
  );
  checkNames(config, description);
  const variation = !whole && isOwn ? preset.name : null;
  return {
    config,
    source: environmentSource(config),
    file,
    description,
    preset: variation,
    name: variation ?? config.environment.name,
    model,
  };
}

/** The config with the pretrained model that its link names, or that is given. @throws a sentence if these differ */
function withModel(config: RunConfig, { whole, pretrained }: Contents, model: OpenedModel | null): RunConfig {
  const named = pretrained ? withPretrained(config, pretrained) : config;
  if (!model) return named;
  if (!whole && !pretrained) return forPretrained(named, model);
  requireModel(named, model);
  return named;
}

/** Presets and all fields, for `--help`. */
export function settingsHelp(): string {
  const rows = [
    ...fieldRows(),
    ['environment.options.NAME', 'opt.NAME', 'an option of the environment'],
    ['rewards.NAME', 'reward.NAME', 'weight of a reward term of the environment, from -10 to 10'],
  ];
  const [paths, keys] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return [
    'Presets:',
    ...presets.map(({ name, title }) => `  ${name.padEnd(paths)}  ${title}`),
    '',
    'Fields for --set and for files, and their keys in links:',
    ...rows.flatMap(([path, key, help], i) => {
      const [group, before] = [rows[i], rows[i - 1]].map((row) => row?.[0].split('.')[0]);
      return [...(group === before ? [] : ['']), `  ${path.padEnd(paths)}  ${key.padEnd(keys)}  ${help}`];
    }),
  ].join('\n');
}

function fieldRows(): string[][] {
  return [...configFields(), ...adapterFields()].map((field) => {
    const unit = field.unit === undefined ? '' : ` ${field.unit}`;
    return [field.path, field.key, `${field.help} Takes ${valuesOf(field)}${unit}.`];
  });
}

function read(subject: string): Contents | Promise<Contents> {
  if (/\.m?js$/.test(subject)) return { settings: environmentSettings(subject, subject) };
  if (subject.endsWith('.json')) return readConfigFile(subject);
  if (subject.includes('=')) return readLink(subject);
  const names = presets.map(({ name }) => name);
  if (names.includes(subject)) return { preset: subject, settings: [] };
  if (Object.hasOwn(builtInEnvironments, subject)) return { settings: [setting('environment.name', subject, subject)] };
  throw new Error(
    `There is no preset called "${plainText(subject, 32)}"; ` +
      `there is ${names.join(', ')}.${didYouMean(subject, names)} ` +
      'A file must end in .js (an environment) or .json (settings), and a link has an = in it.',
  );
}

/** An environment's module, named after its file. */
function environmentSettings(path: string, where: string): Setting[] {
  const name = basename(path)
    .replace(/\.m?js$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 32);
  return [setting('environment.name', name || 'own', where), setting('environment.source', readText(path), where)];
}

/** A run.json and a recording have the config under `config`. */
function readConfigFile(path: string): Contents {
  const value = readJson(path);
  const found = isObject(value) && 'config' in value ? value.config : value;
  if (!isObject(found))
    throw new Error(`${path} holds no run config: it must be an object, like {"preset": "${standard}", "seed": 3}.`);
  if (configProblems(found).length === 0) return { whole: parseConfig(found), settings: [] };
  const { preset, environment, ...rest } = found;
  if (preset !== undefined && typeof preset !== 'string')
    throw new Error(`${path}: preset must be the name of a preset.`);
  const { file, ...named } = isObject(environment) ? environment : {};
  if (file !== undefined && typeof file !== 'string')
    throw new Error(`${path}: environment.file must be the path of a module.`);
  const settings = [
    ...(file === undefined ? [] : environmentSettings(join(dirname(path), file), path)),
    ...settingsFromObject({ ...rest, environment: named }, path),
  ];
  return { preset, settings };
}

/** Strict, unlike the page: an invalid link is an error, not another run. */
async function readLink(text: string): Promise<Contents> {
  const link = await decodeLink(text);
  const problems = [...(link.problem === null ? [] : [link.problem]), ...link.notices];
  if (problems.length > 0) throw new Error(`This link cannot be opened. ${problems.join(' ')}`);
  for (const notice of engineDifference(link)) say(`${notice}\n`);
  const settings = Object.entries(link.scalars).map(([key, value]) => settingFromText(key, value, 'The link'));
  const { source, rows, rowsDigest, rounds } = link;
  const carried = Object.entries({
    'environment.source': source,
    'environment.rows': rows,
    'environment.rowsDigest': rowsDigest,
    'warmStart.rounds': rounds,
  }).flatMap(([path, value]) => (value === null ? [] : [setting(path, value, 'The link')]));
  const pretrained = link.pretrained === null ? undefined : readPretrained(link.pretrained);
  if (typeof pretrained === 'string') throw new Error(`This link cannot be opened. ${pretrained}`);
  return { preset: link.preset ?? standard, settings: [...settings, ...carried], open: true, pretrained };
}

function flagSettings({ set = [], seed, iterations, scratch, device }: RunFlags): Setting[] {
  return [
    ...set.map(settingFromFlag),
    ...(seed === undefined ? [] : [setting('seed', seed, '--seed')]),
    ...(iterations === undefined ? [] : [setting('iterations', iterations, '--iterations')]),
    ...(device === undefined ? [] : [setting('device', device, '--device')]),
    ...(scratch ? [setting('warmStart.demonstrations', 0, '--scratch')] : []),
  ];
}

function lastEnvironment(settings: readonly Setting[]): { name?: string; source?: string } {
  const text = (path: string) => {
    const value = settings.findLast((each) => each.path === path)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return { name: text('environment.name'), source: text('environment.source') };
}

/** The preset to start from if none is named. */
function presetOf({ name, source }: { name?: string; source?: string }, subject: string): string {
  if (name === undefined && source === undefined)
    throw new Error(
      `${subject} names neither a preset nor an environment. Add "preset": "${standard}" or give --preset ${standard}.`,
    );
  const own = source === undefined ? presets.find(({ config }) => config.environment.name === name) : undefined;
  return own?.name ?? standard;
}

async function describe(source: string, file: string, host: HostTools | null): Promise<EnvironmentDescription> {
  const sandbox = await openSandbox(host);
  try {
    await sandbox.load(source);
    return await new EnvironmentClient(sandbox).describe();
  } catch (error) {
    throw new Error(withPlace((error as Error).message, source, file), { cause: error });
  } finally {
    sandbox.dispose();
  }
}

/**
 * Adds the weights, options and limits that the environment declares.
 * @param withText also the tokenizer that its text needs
 */
function withMeta(config: RunConfig, description: EnvironmentDescription, withText: boolean): RunConfig {
  const tokenizer = description.words === undefined ? 'character' : 'word';
  const own = inEnvironment(config, description);
  return withText ? { ...own, text: { ...own.text, tokenizer } } : own;
}

/** @throws a sentence if the environment does not have a reward term, an option or an option's value of the config */
export function checkNames({ rewards, environment }: RunConfig, description: EnvironmentDescription): void {
  const strange = (what: string, path: string, given: object, known: readonly string[]): void => {
    const stranger = Object.keys(given).find((name) => !known.includes(name));
    if (stranger === undefined) return;
    const has = known.length === 0 ? 'none' : known.join(', ');
    throw new Error(
      `${path}.${stranger}: the environment has no such ${what}; it has ${has}.${didYouMean(stranger, known)}`,
    );
  };
  strange('reward term', 'rewards', rewards, Object.keys(description.rewards));
  const names = description.options.map(({ name }) => name);
  strange('option', 'environment.options', environment.options, names);
  for (const { name, values } of description.options) {
    const value = environment.options[name];
    if (value !== undefined && !values.includes(value))
      throw new Error(`environment.options.${name} cannot be ${JSON.stringify(value)}; it takes ${values.join(', ')}.`);
  }
}
