/** A run as a share link and back: what `share/link.ts` carries, in terms of RunConfig and presets. */
import { builtInEnvironments } from '../environments/built-in';
import type { DeviceKind } from '../device/choice';
import { quoted } from '../lib/plain-text';
import { claimProblem, isValidated } from '../share/claim';
import { decodeLink, encodeLink, withoutPackedPart, type DecodedLink, type ValidationPoint } from '../share/link';
import { parseConfig, type RunConfig } from './config';
import { withPretrained } from './for-pretrained';
import { pretrainedAsText, readPretrained } from './pretrained';
import { roundsProblem } from './rounds';
import { withoutLargeRows, withoutRows } from './rows';
import { configFromScalars, optionPrefix, rewardPrefix, scalarsFromConfig, type Scalars } from './scalars';
import { presets } from './presets';

/** Version of the engine: it changes whenever the same config may give other bits. */
export const engineVersion = '0.9.0';

/** Sentences shown about one link; a hostile link can have a thousand faults. */
const maxNotices = 12;

/** A link opened: the config to train and what its author saw. */
export interface OpenedLink extends Omit<
  DecodedLink,
  'scalars' | 'source' | 'rows' | 'rowsDigest' | 'pretrained' | 'rounds'
> {
  readonly preset: string;
  readonly config: RunConfig;
  readonly engineVersion: string;
}

/** What a run has shown so far. */
export interface RunSoFar {
  readonly validation: readonly ValidationPoint[];
  readonly fingerprint: readonly string[];
  readonly adapter: string;
  readonly device: DeviceKind;
}

/** A shared link, after `#/lab?`. */
export function runLink(config: RunConfig, run: RunSoFar | null): Promise<string> {
  if (!run) return linkTo(config, { shared: true });
  const { device, ...shown } = run;
  // A run that was made longer has validated its former last step, which its config alone does not.
  const validation = run.validation.filter(({ iteration }) => isValidated(config, iteration));
  // On the CPU it reproduces exactly, so that is where it opens.
  return linkTo(device === 'cpu' ? { ...config, device } : config, { shared: true, ...shown, validation });
}

/** The page's own address: the config alone. Rejects with a sentence if the config cannot be used. */
export async function addressOf(config: RunConfig): Promise<string> {
  return linkTo(parseConfig(config), { shared: false });
}

/**
 * Names the preset that the config differs least from. Rows are named where they are large, or where the link would be
 * too long with them.
 */
async function linkTo(
  given: RunConfig,
  more: { readonly shared: boolean } & Partial<Omit<RunSoFar, 'device'>>,
): Promise<string> {
  const config = await withoutLargeRows(given);
  if (config.environment.rows === undefined) return writeLink(config, more);
  return writeLink(config, more).catch(async () => writeLink(await withoutRows(config), more));
}

function writeLink(
  config: RunConfig,
  more: { readonly shared: boolean } & Partial<Omit<RunSoFar, 'device'>>,
): Promise<string> {
  const { name: _name, options: _options, ...carried } = config.environment;
  const { pretrained } = config.model;
  const model = pretrained && { pretrained: pretrainedAsText(pretrained) };
  const differences = presets.map(({ name, config: base }) => ({
    name,
    scalars: scalarsFromConfig(config, baseFor(config.environment, base)),
  }));
  const size = (each: { readonly scalars: object }) => Object.keys(each.scalars).length;
  const closest = differences.reduce((best, each) => (size(each) < size(best) ? each : best));
  const scalars = { ...closest.scalars, seed: String(config.seed) };
  const { rounds } = config.warmStart;
  return encodeLink({ preset: closest.name, engineVersion, scalars, ...carried, ...model, rounds, ...more });
}

/**
 * Never throws: a value that cannot be used becomes a notice, and the preset's is used. Results that no run of the
 * link's settings can have shown make it unusable; under another engine's settings they are left out.
 */
export async function openRunLink(text: string): Promise<OpenedLink> {
  const decoded = withSoundRounds(await decodeLink(text));
  const opened = withPreset(decoded);
  const problem = opened.problem === null ? claimProblem(opened.config, opened) : null;
  if (problem === null) return opened;
  const sentence = `Its results cannot be of its settings: ${problem}.`;
  if (opened.engineVersion === engineVersion) return withPreset(withoutPackedPart(decoded, sentence));
  const nothing = { validation: null, curve: null, reached: null, fingerprint: null, adapter: null };
  return { ...opened, ...nothing, notices: fewest([`${sentence} They are left out.`, ...opened.notices]) };
}

function withSoundRounds(link: DecodedLink): DecodedLink {
  const problem = roundsProblem(link.rounds ?? undefined);
  return problem === null ? link : withoutPackedPart(link, `Its rounds cannot be used: ${problem}`);
}

function withPreset(decoded: DecodedLink): OpenedLink {
  const { scalars: written, source, rows, rowsDigest, pretrained, rounds, ...link } = decoded;
  const notices = [...link.notices];
  const known = presets.find((preset) => preset.name === link.preset);
  const unknown = !known && link.preset !== null ? `This version has no preset called ${quoted(link.preset)}.` : null;
  const preset = known ?? presets[0];
  const scalars = source === null ? forBuiltIn(written, preset.config, notices) : written;
  const own = {
    ...(source !== null && { source }),
    ...(rows !== null && { rows }),
    ...(rowsDigest !== null && { rowsDigest }),
  };
  const base = baseFor({ name: scalars.env ?? preset.config.environment.name, ...own }, preset.config);
  const read = configFromScalars(scalars, base);
  const named = pretrained === null ? null : readPretrained(pretrained);
  const [model, misnamed] = typeof named === 'string' ? [null, named] : [named, null];
  const { environment, warmStart } = read.config;
  const config = {
    ...read.config,
    environment: { ...environment, ...own },
    warmStart: { ...warmStart, ...(rounds !== null && { rounds }) },
  };
  notices.push(...read.notices, ...engineDifference(link));
  return {
    ...link,
    problem: link.problem ?? unknown ?? misnamed,
    preset: preset.name,
    config: parseConfig(withPretrained(config, model)),
    engineVersion: link.engineVersion ?? engineVersion,
    notices: fewest(notices),
  };
}

/** A sentence if another engine made the link. */
export function engineDifference({ engineVersion: made }: { readonly engineVersion: string | null }): string[] {
  if (made === null || made === engineVersion) return [];
  return [`This link was made with engine ${made} and this is ${engineVersion}; the run may differ.`];
}

/** Each sentence once, at most `maxNotices`. */
function fewest(notices: readonly string[]): string[] {
  const different = [...new Set(notices)];
  const more = different.splice(maxNotices).length;
  return more === 0 ? different : [...different, `${more} more values of this link were ignored or changed.`];
}

/**
 * The config that a link's settings differ from. A preset's reward weights and options apply to its own environment
 * only; another environment's defaults apply to that one.
 */
export function baseFor(
  { name, source }: Pick<RunConfig['environment'], 'name' | 'source'>,
  preset: RunConfig,
): RunConfig {
  if (source === undefined && name === preset.environment.name) return preset;
  return { ...preset, rewards: {}, environment: { ...preset.environment, options: {} } };
}

/** The scalars of a link without code, for the named environment, or the preset's if there is none of that name. */
function forBuiltIn(scalars: Scalars, preset: RunConfig, notices: string[]): Scalars {
  const standard = preset.environment.name;
  const { env = standard } = scalars;
  if (Object.hasOwn(builtInEnvironments, env)) return keepKnown(scalars, env, preset, notices);
  notices.push(
    `This version has no environment called ${quoted(env)} and the link brings no code for it; ` +
      `${standard} is used instead.`,
  );
  return Object.fromEntries(Object.entries(scalars).filter(([key]) => key !== 'env' && !isOwn(key)));
}

/** Reward weights and options that the environment does not have are dropped with a notice. */
function keepKnown(scalars: Scalars, environment: string, preset: RunConfig, notices: string[]): Scalars {
  const configs = [preset, ...presets.map(({ config }) => config)];
  const known = configs.find((config) => config.environment.name === environment);
  const names = new Set([
    ...Object.keys(known?.environment.options ?? {}).map((name) => optionPrefix + name),
    ...Object.keys(known?.rewards ?? {}).map((name) => rewardPrefix + name),
  ]);
  const belongs = (key: string): boolean => !isOwn(key) || names.has(key);
  for (const key of Object.keys(scalars))
    if (!belongs(key)) notices.push(`${quoted(key)} is not a setting of this environment; it was ignored.`);
  return Object.fromEntries(Object.entries(scalars).filter(([key]) => belongs(key)));
}

/** Whether a key is a reward weight or an option, which each environment has of its own. */
const isOwn = (key: string): boolean => key.startsWith(optionPrefix) || key.startsWith(rewardPrefix);
