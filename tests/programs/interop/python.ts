/** Virtual environments of pinned Python packages, and programs in them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const patienceMs = 600_000;
const maxBuffer = 1 << 26;

export type Versions = Readonly<Record<string, string>>;

export interface Python {
  /** Of what is installed, by name in small letters. */
  readonly versions: Versions;
  /** Runs a program of this folder. @returns what it printed */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
}

/**
 * @param given path of a Python that has the packages; else they are installed into the folder
 * @throws if pip cannot install them
 */
export async function openPython(
  folder: string,
  pinned: Readonly<Record<string, string>>,
  given: string | undefined,
): Promise<Python> {
  const path = given ?? (await install(folder, pinned));
  const code =
    'import importlib.metadata as m, json\n' +
    'print(json.dumps({d.metadata["Name"].lower(): d.version for d in m.distributions()}))';
  const versions = JSON.parse((await execute(path, ['-c', code], { maxBuffer })).stdout) as Versions;
  // Ray tells its maker how it is used unless it is told not to.
  const env = { ...process.env, RAY_USAGE_STATS_ENABLED: '0', HF_HUB_OFFLINE: '1' };
  const run = async (program: string, args: readonly string[]) => {
    const file = program.startsWith('/') ? program : join(import.meta.dirname, program);
    return (await execute(path, [file, ...args], { maxBuffer, timeout: patienceMs, env })).stdout;
  };
  return { versions, run };
}

async function install(folder: string, pinned: Readonly<Record<string, string>>): Promise<string> {
  await execute('python3', ['-m', 'venv', folder]);
  const path = join(folder, 'bin/python');
  const packages = Object.entries(pinned).map(([name, version]) => `${name}==${version}`);
  console.error(`Installing ${packages.join(', ')}: this takes minutes.`);
  await execute(path, ['-m', 'pip', 'install', '--quiet', ...packages], { maxBuffer });
  return path;
}

export const lastJson = <T>(text: string): T => JSON.parse(text.trim().split('\n').at(-1)!) as T;

/** Of what a program wrote before it failed. */
export function lastLine(error: unknown): string {
  const { stderr = '', message } = error as { readonly stderr?: string; readonly message: string };
  return (stderr.trim() || message).split('\n').at(-1)!.slice(0, 200);
}
