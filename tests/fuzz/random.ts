/**
 * Random choices of a fuzzer as a function of one seed, so that a case that fails can be made again from its number.
 */
import { bits, Purpose } from '../../src/lib/rng';

/** `AGENTLET_FUZZ=full` asks for the long version of each fuzz test. */
export const fullFuzz = process.env.AGENTLET_FUZZ === 'full';

export class Choices {
  private drawn = 0;

  constructor(private readonly seed: number) {}

  /** 0 … n − 1. */
  below(n: number): number {
    return bits(this.seed, Purpose.shuffle, this.drawn++) % n;
  }

  /** True once in n. */
  once(n: number): boolean {
    return this.below(n) === 0;
  }

  of<T>(things: readonly T[]): T {
    return things[this.below(things.length)];
  }

  /** Several, between the two counts. */
  many<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}
