/**
 * A submission as words in memory, which every thread walks: for each step an operation, the words that follow it, and
 * those. Of a kernel they are its items and its arguments; of clear and copy, addresses and bytes.
 */
import type { Kernel } from './kernels';

export const clearOperation = -1;
export const copyOperation = -2;

/** Waits until all threads of a submission have come here. */
export type Barrier = () => void;

/**
 * Runs the words from `at` to `end` as one of `threads` threads.
 * @param at address of the first word, a multiple of 4
 */
export function runProgram(
  memory: WebAssembly.Memory,
  [at, end]: readonly [number, number],
  kernels: readonly Kernel[],
  [thread, threads]: readonly [number, number],
  barrier: Barrier,
): void {
  const words = new Int32Array(memory.buffer, 0, end / 4);
  const bytes = new Uint8Array(memory.buffer);
  for (let word = at / 4; word < words.length; word += 2 + words[word + 1]) {
    const operation = words[word];
    if (operation >= 0) kernels[operation](4 * (word + 3), words[word + 2], thread, threads);
    else if (thread === 0) {
      const [to, size, from] = [words[word + 2] >>> 0, words[word + 3] >>> 0, words[word + 4] >>> 0];
      if (operation === clearOperation) bytes.fill(0, to, to + size);
      else bytes.copyWithin(to, from, from + size);
    }
    barrier();
  }
}
