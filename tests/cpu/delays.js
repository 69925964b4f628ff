/** Makes threads of the CPU device sleep now and then where it is worst, as if other programs had their cores. */

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * @param {import('../../src/device/wasm/program.js').Walker} prototype of all walkers of this thread
 * @param {number} seed of the delays
 * @returns {() => void} ends it
 */
export function delay(prototype, seed) {
  const { take, advance } = prototype;
  let state = Math.imul(seed, 2654435761);
  /** In about one of `odds` calls, for up to 2 ms. @param {number} odds */
  const sleep = (odds) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if ((state >>> 8) % odds === 0) Atomics.wait(sleeper, 0, 0, (state >>> 24) / 128);
  };
  // Before a part is taken, with a part taken that nobody else can compute, and around the step's end.
  prototype.take = function () {
    sleep(60);
    const left = take.call(this);
    if (left > 0) sleep(60);
    return left;
  };
  prototype.advance = function (at) {
    sleep(100);
    advance.call(this, at);
    sleep(100);
  };
  return () => void Object.assign(prototype, { take, advance });
}
