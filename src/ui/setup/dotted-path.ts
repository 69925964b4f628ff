/** The path of a setting that is written with dots. Names of reward terms and of options may hold dots. */
import type { Path } from './config-path';

export function pathOf(dotted: string): Path {
  const own = /^(environment)\.(options)\.(.+)$|^(rewards)\.(.+)$/.exec(dotted);
  return own ? own.slice(1).filter((key) => key !== undefined) : dotted.split('.');
}
