/** The JavaScript of the environment that a config names: its own, or a built-in one. */
import { builtInEnvironments } from '../environments/built-in';
import { didYouMean } from '../lib/nearest';
import type { RunConfig } from './config';

/** Throws a sentence if there is no such environment. */
export function environmentSource({ environment }: RunConfig): string {
  const source = environment.source ?? builtInEnvironments[environment.name];
  if (source !== undefined) return source;
  const names = Object.keys(builtInEnvironments);
  throw new Error(
    `There is no environment called ${environment.name}; ` +
      `there is ${names.join(', ')}.${didYouMean(environment.name, names)}`,
  );
}
