/**
 * A submission as words in memory: for each step an operation, the number of words that follow, and these: the number
 * of its parts, and of a kernel its items and its arguments; of clear and copy, addresses and bytes.
 *
 * Threads share the memory. The parts of a step are the same for any number of threads, and no bit depends on which
 * thread computes one. A thread takes a part when it is free for it; a step ends when its parts are done, however many
 * threads have come. Plain JavaScript without imports of packages, so that Node runs it as it is.
 */

/** @typedef {(args: number, items: number, part: number, parts: number, again: boolean) => void} Kernel */

/**
 * @typedef {object} ThreadStart What a thread is given once.
 * @property {WebAssembly.Module} module
 * @property {readonly string[]} exports names of the kernels in the module, by number
 * @property {WebAssembly.Memory} memory shared
 * @property {number} scratch address of memory of its own
 * @property {number} control address of the words by which threads share out their work
 * @property {number} thread its number; the caller of the others is 0
 * @property {number} threads
 */

export const clearOperation = -1;
export const copyOperation = -2;

/**
 * Words of the control block; what many threads write often has 64 bytes, a line of the cache, of its own.
 *
 * step: index of the first word of the step that is computed, or `end`
 * left: parts of this step that no thread has taken; a thread takes one by a compare-and-exchange
 * done: parts of this step that are done
 * change: is added to at each new step, and threads sleep on it
 * sleepers: may be more than there are
 */
const word = { step: 0, end: 1, stopped: 2, failed: 3, left: 16, done: 32, change: 48, sleepers: 49 };
export const controlBytes = 256;

/** How often `change` is looked at before its thread sleeps. */
const spins = 20_000;

/** One of the threads of a device. */
export class Walker {
  /** @param {ThreadStart} start */
  constructor({ module, exports, memory, scratch, control, thread, threads }) {
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    const functions = /** @type {Record<string, any>} */ (instance.exports);
    functions.setScratch(scratch);
    /** @type {Kernel[]} */
    this.kernels = exports.map((name) => functions[name]);
    /** @type {(to: number, bytes: number, part: number, parts: number) => void} */
    this.clear = functions.clear;
    /** @type {(to: number, from: number, bytes: number, part: number, parts: number) => void} */
    this.copy = functions.copy;
    this.memory = memory;
    this.words = new Int32Array(memory.buffer);
    // Of one thread alone it is not used: where memory is not shared, the view ends when memory grows.
    this.control = new Int32Array(memory.buffer, control, controlBytes / 4);
    this.thread = thread;
    this.threads = threads;
    /** @type {unknown} */
    this.error = null;
  }

  /**
   * Runs the words from byte `first` to `end`, together with the other threads.
   * @param {number} first @param {number} end
   */
  submit(first, end) {
    const { control, threads } = this;
    this.see(end);
    if (threads === 1) this.walk(first / 4, end / 4);
    else {
      control[word.end] = end / 4;
      this.advance(first / 4);
      while (Atomics.load(control, word.step) !== end / 4) {
        const seen = Atomics.load(control, word.change);
        if (!this.work() && Atomics.load(control, word.step) !== end / 4) this.await(seen);
      }
    }
    const { error } = this;
    this.error = null;
    if (error) throw error;
    if (threads > 1 && Atomics.exchange(control, word.failed, 0)) throw new Error('A kernel failed in another thread.');
  }

  /** Helps with what the first thread submits, until the device is destroyed. Blocks its thread. */
  serve() {
    const { control } = this;
    while (!Atomics.load(control, word.stopped)) {
      const seen = Atomics.load(control, word.change);
      if (!this.work()) this.await(seen);
    }
  }

  /** Ends the other threads. */
  stop() {
    if (this.threads === 1) return;
    Atomics.store(this.control, word.stopped, 1);
    Atomics.add(this.control, word.change, 1);
    Atomics.notify(this.control, word.change);
  }

  /** All steps, alone. @param {number} at @param {number} end */
  walk(at, end) {
    for (; at < end; at = this.after(at)) this.compute(at, 0, 1, false);
  }

  /** Computes parts of a step until none is left. @returns {boolean} whether there was one */
  work() {
    const { control } = this;
    let left = this.take();
    if (left === 0) return false;
    // From here on the step cannot end before the parts of this thread are counted, so its words stay what they are.
    const step = Atomics.load(control, word.step);
    this.see(4 * Atomics.load(control, word.end));
    const parts = this.words[step + 2];
    let count = 0;
    for (; left > 0; left = this.take()) {
      this.compute(step, parts - left, parts, count > 0);
      count++;
    }
    if (Atomics.add(control, word.done, count) + count === parts) this.advance(this.after(step));
    return true;
  }

  /** Takes a part of the step. @returns {number} how many were left, or 0 */
  take() {
    const { control } = this;
    for (let left = Atomics.load(control, word.left); left > 0;) {
      const seen = Atomics.compareExchange(control, word.left, left, left - 1);
      if (seen === left) return left;
      left = seen;
    }
    return 0;
  }

  /**
   * Lets all threads begin a step, after those before it are done. A step of a single part is done here.
   * @param {number} at
   */
  advance(at) {
    const { control, words } = this;
    const end = Atomics.load(control, word.end);
    for (; at < end && words[at + 2] === 1; at = this.after(at)) this.compute(at, 0, 1, false);
    Atomics.store(control, word.done, 0);
    Atomics.store(control, word.step, at);
    if (at < end) Atomics.store(control, word.left, words[at + 2]);
    Atomics.add(control, word.change, 1);
    const ownEnd = at === end && this.thread === 0;
    if (!ownEnd && Atomics.load(control, word.sleepers) > 0) {
      Atomics.store(control, word.sleepers, 0);
      Atomics.notify(control, word.change);
    }
  }

  /** The step after one. @param {number} at @returns {number} */
  after(at) {
    return at + 2 + this.words[at + 1];
  }

  /** @param {number} at @param {number} part @param {number} parts @param {boolean} again */
  compute(at, part, parts, again) {
    const { words } = this;
    const operation = words[at];
    try {
      if (operation >= 0) this.kernels[operation](4 * (at + 4), words[at + 3], part, parts, again);
      else if (operation === clearOperation) this.clear(words[at + 3], words[at + 4], part, parts);
      else this.copy(words[at + 3], words[at + 5], words[at + 4], part, parts);
    } catch (error) {
      // The step ends as if this part were done; the numbers are not used.
      this.error ??= error;
      if (this.thread > 0) Atomics.store(this.control, word.failed, 1);
    }
  }

  /** Makes a view of memory that reaches to byte `end`. @param {number} end */
  see(end) {
    if (this.words.byteLength >= end) return;
    const { memory } = this;
    // V8 tells a busy thread late that another has grown the memory; this asks.
    if (memory.buffer.byteLength < end) memory.grow(0);
    this.words = new Int32Array(memory.buffer);
  }

  /** Until `change` is not what was seen. @param {number} seen */
  await(seen) {
    const { control } = this;
    for (let turn = 0; turn < spins; turn++) if (Atomics.load(control, word.change) !== seen) return;
    Atomics.add(control, word.sleepers, 1);
    Atomics.wait(control, word.change, seen);
  }
}
