/** The commit of the engine that runs, for records. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { checkout, packagedCommit } from './place.ts';

/** The commit of the checkout, with `-dirty` if files differ from it, or that which the installed package is of. */
export const engineCommit = (): string => (checkout === null ? packagedCommit! : commitOf(checkout));

/** @param folder of the engine; `unknown` if it is not itself the root of a repository */
export function commitOf(folder: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(folder)) return 'unknown';
    return git('describe', '--always', '--dirty', '--abbrev=12', '--exclude=*');
  } catch {
    return 'unknown';
  }
}
