/**
 * An environment that is not built in, in the form of a preset: with its own reward terms and options. Before its code
 * has run, only its config is known.
 */
import type { PresetInfo } from '../../../config/catalog';
import type { EnvironmentDescription } from '../../../agent/env';
import type { RunConfig } from '../../../config/config';
import { text } from './text';

/** The visitor's own, or one that came with a link or a saved run. */
export type Origin = 'own' | 'link' | 'saved';

export interface CustomEnvironment extends PresetInfo {
  readonly name: Origin;
  /** Its JavaScript. */
  readonly source: string;
  /** Its code has run, so it is known by its own words. */
  readonly described: boolean;
}

/** @param description null before its code has run */
export function customEnvironment(
  name: Origin,
  config: RunConfig,
  description: EnvironmentDescription | null,
): CustomEnvironment {
  return {
    name,
    title: text.environment.origin[name](description?.title ?? ''),
    config,
    source: config.environment.source ?? '',
    environment: description ?? undescribed(config),
    described: description !== null,
  };
}

function undescribed({ environment, rewards }: RunConfig): EnvironmentDescription {
  return {
    title: '',
    task: '',
    watch: '',
    tools: [],
    alphabet: '',
    examples: [],
    rewards: Object.fromEntries(
      Object.entries(rewards).map(([name, weight]) => [name, { description: text.environment.undescribed, weight }]),
    ),
    options: Object.entries(environment.options).map(([name, value]) => ({
      name,
      title: name,
      description: text.environment.undescribed,
      values: [value],
      default: value,
    })),
  };
}
