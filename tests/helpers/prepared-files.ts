/** The files that commands name: environments, rows, and folders of runs. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { requireSuccess, entry, runIn } from './command-lines';
import { writeTinyPretrained } from './tiny-pretrained';

/** Settings of a run that takes a second or two. */
export const small = '--set evaluation.tasks=4 --set rollout.tasks=2 --set rollout.group=4'.split(' ');
/** For a run without a recorded warm start. */
export const smallWarmStart = '--set warmStart.steps=2 --set warmStart.demonstrations=32'.split(' ');

export class PreparedFiles {
  private readonly root = mkdtempSync(join(tmpdir(), 'agentlet-commands-'));
  private count = 0;

  constructor() {
    afterAll(() => rmSync(this.root, { recursive: true, force: true }));
  }

  /** Writes environments and a pretrained model; trains a run of rows, and one that Ctrl-C stops. */
  async prepare(): Promise<void> {
    requireSuccess(runIn(this.root, 'env', ['new', 'own']), 'env new own');
    const own = readFileSync(join(this.root, 'own.js'), 'utf8');
    const ofRows = own
      .replace('{ notes }) {', '{ notes }, rows) {')
      .replace('rng.pick(things)', 'rng.pick(rows).thing');
    writeFileSync(join(this.root, 'of-rows.js'), ofRows);
    writeTinyPretrained(join(this.root, 'model'));
    const things = ['key', 'map', 'ring', 'coin', 'book', 'lamp', 'bell', 'cup'];
    writeFileSync(join(this.root, 'rows.jsonl'), things.map((thing) => `${JSON.stringify({ thing })}\n`).join(''));
    const words = ['of-rows.js', '--rows', 'rows.jsonl', '--iterations', '1', ...small, ...smallWarmStart];
    requireSuccess(runIn(this.root, 'train', [...words, '--out', 'run-of-rows']), 'train of-rows.js --rows rows.jsonl');
    await stoppedRun(join(this.root, 'run'));
  }

  /** A new folder with the files that the words name: the prepared file of that name, else one of its kind. */
  folderFor(command: string, args: readonly string[]): string {
    const folder = join(this.root, `work-${++this.count}`);
    mkdirSync(folder);
    for (const [at, word] of args.entries()) {
      const kind = this.kindOf(command, args[at - 1], word);
      if (kind === null) continue;
      const file = existsSync(join(this.root, word)) ? word : kind;
      cpSync(join(this.root, file), join(folder, word), { recursive: true });
    }
    return folder;
  }

  /** The prepared file that stands for the word; null if the word names no file to read. */
  private kindOf(command: string, before: string | undefined, word: string): string | null {
    if (before === '--out' || word.startsWith('-')) return null;
    if (before === '--rows') return 'rows.jsonl';
    if (before === '--model') return 'model';
    const takesRun = before === undefined && ['eval', 'estimators'].includes(command);
    if (takesRun || before === '--resume' || word === 'my-run') return 'run';
    return word.endsWith('.js') ? 'own.js' : null;
  }
}

/** Trains the bandit until Ctrl-C. */
async function stoppedRun(folder: string): Promise<void> {
  const args = ['train', 'bandit', ...small, '--iterations', '30', '--out', folder];
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  let interrupted = false;
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (interrupted || !existsSync(join(folder, 'trajectories.jsonl'))) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (status !== 130) throw new Error(`The run should have been stopped, but ended with ${status}:\n${said}`);
}
