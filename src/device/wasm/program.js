/**
 * A submission as words in memory, which every thread walks: for each step an operation, the number of words that
 * follow, and these. Of a kernel they are its items and its arguments; of clear and copy, addresses and bytes.
 *
 * Threads share the memory and wait for each other after each step. Which part of a step a thread computes is fixed, so
 * that no bit depends on their number. Plain JavaScript without imports of packages, so that Node runs it as it is.
 */

/** @typedef {(args: number, items: number, thread: number, threads: number) => void} Kernel */

/**
 * @typedef {object} ThreadStart What a thread is given once.
 * @property {WebAssembly.Module} module
 * @property {readonly string[]} exports names of the kernels in the module, by number
 * @property {WebAssembly.Memory} memory shared
 * @property {number} scratch address of memory of its own
 * @property {number} control address of the words by which threads wait for each other
 * @property {number} thread its number; the caller of the others is 0
 * @property {number} threads
 */

export const clearOperation = -1;
export const copyOperation = -2;

/** Words of the control block. */
const word = { submission: 0, arrived: 1, phase: 2, first: 3, end: 4, stopped: 5, failed: 6 };
export const controlBytes = 256;

/**
 * How often a word is looked at before its thread sleeps: some hundred microseconds. With a tenth of it threads slept
 * at most steps, and two were six times slower than one in sampling.
 */
const spins = 200_000;

/** One of the threads of a device. */
export class Walker {
  /** @param {ThreadStart} start */
  constructor({ module, exports, memory, scratch, control, thread, threads }) {
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    const functions = /** @type {Record<string, any>} */ (instance.exports);
    functions.setScratch(scratch);
    /** @type {Kernel[]} */
    this.kernels = exports.map((name) => functions[name]);
    this.memory = memory;
    // Of one thread alone it is not used: where memory is not shared, the view ends when memory grows.
    this.control = new Int32Array(memory.buffer, control, controlBytes / 4);
    this.thread = thread;
    this.threads = threads;
    /** @type {unknown} */
    this.error = null;
  }

  /**
   * Runs the words from byte `first` to `end` together with the other threads.
   * @param {number} first @param {number} end
   */
  submit(first, end) {
    const { control, threads } = this;
    // Threads wait for each other at each step, so without one they could miss a submission.
    if (first === end) return;
    if (threads > 1) {
      control[word.first] = first;
      control[word.end] = end;
      Atomics.add(control, word.submission, 1);
      Atomics.notify(control, word.submission);
    }
    this.walk(first, end);
    const { error } = this;
    this.error = null;
    if (error) throw error;
    if (threads > 1 && Atomics.exchange(control, word.failed, 0)) throw new Error('A kernel failed in another thread.');
  }

  /** Runs what the first thread submits, until the device is destroyed. Blocks its thread. */
  serve() {
    const { control } = this;
    for (let seen = 0; ; seen++) {
      waitWhile(control, word.submission, seen);
      if (control[word.stopped]) return;
      this.walk(control[word.first] >>> 0, control[word.end] >>> 0);
    }
  }

  /** Ends the other threads. */
  stop() {
    if (this.threads === 1) return;
    this.control[word.stopped] = 1;
    Atomics.add(this.control, word.submission, 1);
    Atomics.notify(this.control, word.submission);
  }

  /** @param {number} first @param {number} end */
  walk(first, end) {
    const { kernels, memory, thread, threads } = this;
    // V8 tells a busy thread late that another has grown the memory; this asks.
    if (memory.buffer.byteLength < end) memory.grow(0);
    const words = new Int32Array(memory.buffer);
    const bytes = new Uint8Array(memory.buffer);
    for (let at = first / 4; at < end / 4;) {
      const operation = words[at];
      // Read before the others are waited for: after the last step, words of the next submission may stand here.
      const next = at + 2 + words[at + 1];
      try {
        if (operation >= 0) kernels[operation](4 * (at + 3), words[at + 2], thread, threads);
        else if (thread === 0) moveBytes(bytes, operation, words.subarray(at + 2, at + 5));
      } catch (error) {
        // The others wait at each step, so this thread goes on; the numbers are not used.
        this.error ??= error;
        if (thread > 0) Atomics.store(this.control, word.failed, 1);
      }
      if (threads > 1) this.wait();
      at = next;
    }
  }

  /** Until all threads are here. */
  wait() {
    const { control, threads } = this;
    const phase = Atomics.load(control, word.phase);
    if (Atomics.add(control, word.arrived, 1) < threads - 1) return waitWhile(control, word.phase, phase);
    Atomics.store(control, word.arrived, 0);
    Atomics.add(control, word.phase, 1);
    Atomics.notify(control, word.phase);
  }
}

/** @param {Uint8Array} bytes @param {number} operation @param {Int32Array} words */
function moveBytes(bytes, operation, words) {
  const [to, size, from] = Uint32Array.from(words);
  if (operation === clearOperation) bytes.fill(0, to, to + size);
  else bytes.copyWithin(to, from, from + size);
}

/** @param {Int32Array} control @param {number} index @param {number} value */
function waitWhile(control, index, value) {
  for (let turn = 0; turn < spins; turn++) if (Atomics.load(control, index) !== value) return;
  while (Atomics.load(control, index) === value) Atomics.wait(control, index, value);
}
