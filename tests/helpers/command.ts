/**
 * A terminal command in the test's own process: what main.mjs does once it has loaded it. Starting a process takes
 * seconds, so only tests of the process itself do (tests/cli/main.test.ts and train.test.ts).
 */
import { vi } from 'vitest';
import { explain, say } from '../../src/cli/terminal';

const commands = {
  env: () => import('../../src/cli/env'),
  estimators: () => import('../../src/cli/estimators'),
  eval: () => import('../../src/cli/eval'),
  experiment: () => import('../../src/cli/experiment'),
  train: () => import('../../src/cli/train'),
} as const;

export interface Printed {
  /** The exit code. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runCommand(name: string, ...args: string[]): Promise<Printed> {
  const { run } = await commands[name as keyof typeof commands]();
  const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  const textOf = (stream: typeof stdout) => stream.mock.calls.map(([text]) => String(text)).join('');
  try {
    const code = await run(args).catch((error: unknown) => {
      say(`${explain(error)}\n`);
      return 1;
    });
    return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}
