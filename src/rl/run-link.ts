/** A run as a share link and back: what `share/link.ts` carries, in terms of RunConfig and presets. */
import { builtInEnvironments } from '../environments/built-in';
import { quoted } from '../lib/plain-text';
import { decodeLink, encodeLink } from '../share/link';
import type { RunConfig } from './config';
import { parseConfig } from './config';
import { configFromScalars, scalarsFromConfig } from './config-scalars';
import { presets } from './presets';

/** Version of the engine: it changes whenever the same config may give other bits. */
export const engineVersion = '0.3.0';

/** Sentences about one link; a stranger's can have a thousand faults. */
const mostNotices = 12;

/** A link opened: the config to train and what its author saw. */
export interface OpenedLink {
  readonly preset: string;
  readonly config: RunConfig;
  /** Success of the author's run, 0 … 1: points spread evenly over its first `reached` iterations. */
  readonly curve: readonly number[] | null;
  readonly reached: number | null;
  /** Hex digests of the author's first iterations. */
  readonly fingerprint: readonly string[] | null;
  readonly engineVersion: string;
  readonly adapter: string | null;
  /** Sentences: what was ignored or clamped, engines that differ. */
  readonly notices: readonly string[];
}

/** What a run has shown so far. */
export interface RunSoFar {
  readonly curve: readonly number[];
  readonly fingerprint: readonly string[];
  readonly adapter: string;
}

/** The part of a link after `#/lab?`. It names the preset that the config differs least from. */
export function runLink(config: RunConfig, run: RunSoFar | null): Promise<string> {
  const { source } = config.environment;
  const differences = presets.map(({ name, config: base }) => ({ name, scalars: scalarsFromConfig(config, base) }));
  const size = (each: { readonly scalars: object }) => Object.keys(each.scalars).length;
  const closest = differences.reduce((best, each) => (size(each) < size(best) ? each : best));
  const scalars = { ...closest.scalars, seed: String(config.seed) };
  return encodeLink({ preset: closest.name, engineVersion, scalars, ...(source !== undefined && { source }), ...(run ?? {}) });
}

/** Never throws for any text: what cannot be used is said in a notice and the preset's value stands. */
export async function openRunLink(text: string): Promise<OpenedLink> {
  const link = await decodeLink(text);
  const notices = [...link.notices];
  const known = presets.find((preset) => preset.name === link.preset);
  if (!known && link.preset !== null)
    notices.push(`This version has no preset called ${quoted(link.preset)}; ${presets[0].name} is used instead.`);
  const preset = known ?? presets[0];
  // An environment that the link brings along has settings of its own.
  const scalars = link.source === null ? keepKnown(link.scalars, preset.config, notices) : link.scalars;
  const read = configFromScalars(scalars, preset.config);
  notices.push(...read.notices);
  const environment =
    link.source === null
      ? builtIn(read.config.environment, preset.config.environment, notices)
      : { ...read.config.environment, source: link.source };
  const config = parseConfig({ ...read.config, environment });
  if (link.engineVersion !== null && link.engineVersion !== engineVersion) {
    notices.push(`This link was made with engine ${link.engineVersion} and this is ${engineVersion}; the run may differ.`);
  }
  const { curve, reached, fingerprint, adapter } = link;
  return {
    preset: preset.name,
    config,
    curve,
    reached,
    fingerprint,
    adapter,
    engineVersion: link.engineVersion ?? engineVersion,
    notices: fewest(notices),
  };
}

/** Each sentence once, and no more of them than anyone reads. */
function fewest(notices: readonly string[]): string[] {
  const different = [...new Set(notices)];
  if (different.length <= mostNotices) return different;
  return [...different.slice(0, mostNotices), `${different.length - mostNotices} more values of this link were ignored or changed.`];
}

/** The environment if this version has it, else the preset's with a notice. */
function builtIn(wanted: RunConfig['environment'], standard: RunConfig['environment'], notices: string[]): RunConfig['environment'] {
  if (Object.hasOwn(builtInEnvironments, wanted.name)) return wanted;
  notices.push(
    `This version has no environment called ${quoted(wanted.name)} and the link brings no code for it; ${standard.name} is used instead.`,
  );
  return standard;
}

/** Reward weights and environment options that the preset's environment does not have are dropped with a notice. */
function keepKnown(scalars: Readonly<Record<string, string>>, preset: RunConfig, notices: string[]): Record<string, string> {
  const belongs = (key: string): boolean => {
    if (key.startsWith('opt.')) return Object.hasOwn(preset.environment.options, key.slice(4));
    if (key.startsWith('reward.')) return Object.hasOwn(preset.rewards, key.slice(7));
    return true;
  };
  const entries = Object.entries(scalars);
  for (const [key] of entries) if (!belongs(key)) notices.push(`${quoted(key)} is not a setting of this environment; it was ignored.`);
  return Object.fromEntries(entries.filter(([key]) => belongs(key)));
}
