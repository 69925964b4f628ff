/** Commands as a reader types them: those of README.md, and the flags that --help lists, run as processes. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const entry = join(root, 'src/cli/main.mjs');

/** Every command of README.md: the lines of its `sh` blocks, and `npm …` between backticks. */
export function readmeCommands(): string[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const block = /^```(\w*)\n([^]*?)^```$/gm;
  const lines = [...text.matchAll(block)]
    .filter(([, language]) => language === 'sh')
    .flatMap(([, , content]) => content.split('\n'))
    .map((line) => line.replace(/(^|\s)#.*/, '').trim())
    .flatMap((line) => line.split('&&').map((command) => command.trim()))
    .filter((line) => line !== '');
  const spans = [...text.replace(block, '').matchAll(/`(npm [^`]+)`/g)].map(([, command]) => command);
  return [...new Set([...lines, ...spans])];
}

/** Every `--flag` that README.md names. */
export function readmeFlags(): string[] {
  return [...new Set(readFileSync(join(root, 'README.md'), 'utf8').match(/(?<=[\s`])--[a-z][a-z-]*/g))];
}

/** A line as npm reads it. */
export interface CommandLine {
  /** Name of the terminal command; null for another script of package.json or npm itself. */
  readonly command: string | null;
  /** Name of the script. */
  readonly script: string;
  readonly args: readonly string[];
}

/** @throws a sentence if npm could not run the line */
export function readLine(line: string): CommandLine {
  const [npm, ...words] = wordsOf(line);
  if (npm !== 'npm') throw new Error(`"${line}" does not begin with npm, and no other program is known.`);
  if (words[0] === 'install' || words[0] === 'pack') return { command: null, script: words[0], args: [] };
  const named = words[0] === 'run' ? words.slice(1) : words;
  const [script, ...rest] = named.filter((word, i) => !(word === '--silent' && i === 0));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  if (!Object.hasOwn(scripts, script)) throw new Error(`"${line}": package.json has no script "${script}".`);
  if (rest.length > 0 && rest[0] !== '--') throw new Error(`"${line}": npm keeps what is not behind "--" for itself.`);
  const [, command = null] = /^node src\/cli\/main\.mjs ([a-z-]+)$/.exec(scripts[script]) ?? [];
  return { command, script, args: rest.slice(1) };
}

/** The words of a shell's line: single quotes hold one together. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
}

export interface Ended {
  /** The exit code; null for a process that was stopped. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** No command of a test takes longer. */
const patienceMs = 480_000;

/** Runs a terminal command in a folder, as its script of package.json does. */
export function runIn(folder: string, command: string, args: readonly string[]): Ended {
  return spawnSync(process.execPath, [entry, command, ...args], { cwd: folder, encoding: 'utf8', timeout: patienceMs });
}

/** Names of the terminal commands, by the program's --help. */
export function commandNames(): string[] {
  return [...runIn(root, '--help', []).stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
}

/** The `--flags` that a command's --help lists. */
export function flagsOf(command: string): string[] {
  const { stdout } = runIn(root, command, ['--help']);
  return [...stdout.matchAll(/^ {2}(--[a-z-]+)(?= )/gm)].map(([, flag]) => flag);
}

/** Fails with what the command printed. */
export function requireSuccess({ status, stdout, stderr }: Ended, line: string): void {
  if (status !== 0) throw new Error(`"${line}" ended with ${status}:\n${stderr.slice(-4000)}${stdout.slice(-1000)}`);
}
