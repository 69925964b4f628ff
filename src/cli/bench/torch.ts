/** The same steps in eager PyTorch, in a process of the Python that AGENTLET_INTEROP_PYTHON names. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import program from './torch-steps.py?raw';

export interface TorchSettings {
  readonly config: object;
  readonly rank: number;
  readonly alpha: number;
  readonly threads: number;
  /** Of a training step. */
  readonly rows: number;
  readonly length: number;
  /** Tokens that are cached before decoding, and steps that are timed. */
  readonly prompt: number;
  readonly steps: number;
}

export interface Torch {
  readonly version: string;
  /** Numbers that it trains. */
  readonly trained: number;
  /** @param step `train`, or `decode ROWS` @returns milliseconds of one */
  time(step: string): Promise<number>;
  stop(): void;
}

/** @throws a sentence if it cannot be run */
export async function openTorch(python: string, settings: TorchSettings): Promise<Torch> {
  const child = spawn(python, ['-c', program], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = `${said}${String(text)}`.slice(-2000)));
  const failed = new Promise<never>((_, reject) => {
    child.once('error', ({ message }) => reject(new Error(`Python cannot be run: ${message}.`)));
    child.once('exit', () => reject(new Error(`Python ended: ${said.trim().split('\n').at(-1) ?? ''}`)));
  });
  failed.catch(() => undefined);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`);
    const { value } = await Promise.race([lines.next(), failed]);
    return String(value);
  };
  const facts = JSON.parse(await ask(JSON.stringify(settings))) as Pick<Torch, 'version' | 'trained'>;
  return {
    version: facts.version,
    trained: facts.trained,
    time: async (step) => Number(await ask(step)),
    stop: () => child.kill(),
  };
}
