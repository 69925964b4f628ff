/** Results of lib/portable-math at fixed arguments, to be the same bits in every engine. */
import { normal, Purpose, uniform } from '../../src/lib/rng';
import { cosPi, exp, log } from '../../src/lib/portable-math';

/** Arguments of each function. */
const count = 25_000;

/** A positive double with random bits, subnormal ones included. */
function anyPositive(i: number): number {
  const [high, low] = [0, 1].map((half) => uniform(1, Purpose.sample, i, half));
  return new Float64Array(Uint32Array.of(low * 0x100000000, high * 0x7ff00000).buffer)[0];
}

/** Of the bytes of `portableBits`. */
export const portableSha256 = 'ee4cbe400d213489e624484de714644a098f388cef08e8049be6d5ce439e8506';

/** 100,000 doubles: exp, log, cosPi and normal, one after the other. */
export const portableBits = (): Float64Array<ArrayBuffer> =>
  Float64Array.from({ length: 4 * count }, (_, i) => {
    const u = uniform(2, Purpose.sample, i);
    if (i < count) return exp(1460 * u - 750);
    if (i < 2 * count) return log(anyPositive(i));
    return i < 3 * count ? cosPi(8 * u - 4) : normal(3, Purpose.init, i);
  });
