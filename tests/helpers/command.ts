/**
 * A terminal command in the test's own process. Starting a process takes a second or more, so only tests of the process
 * itself do (tests/cli/main.test.ts and train.test.ts).
 */
import { vi } from 'vitest';
import { main } from '../../src/cli/commands';

export interface Printed {
  /** The exit code. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runCommand(name: string, ...args: string[]): Promise<Printed> {
  const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  const textOf = (stream: typeof stdout) => stream.mock.calls.map(([text]) => String(text)).join('');
  try {
    const code = await main([name, ...args]);
    return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}
