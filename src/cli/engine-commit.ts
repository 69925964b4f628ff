/** The commit of the engine that runs, for records. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const engineFolder = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The commit, with `-dirty` if files differ from it.
 * @param folder of the engine; `unknown` if it is not itself the root of a repository, such as within `node_modules`
 */
export function engineCommit(folder = engineFolder): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(folder)) return 'unknown';
    return git('describe', '--always', '--dirty', '--abbrev=12', '--exclude=*');
  } catch {
    return 'unknown';
  }
}
