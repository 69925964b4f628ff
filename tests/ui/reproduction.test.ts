/** The sentence about a run and the run of its link, and its colour. */
import { describe, expect, it } from 'vitest';
import type { Reproduction } from '../../src/run/events';
import type { Point } from '../../src/share/line-svg';
import { describeReproduction } from '../../src/ui/state/run/reproduction';
import { plainSpaces } from '../helpers/plain-spaces';

interface Case extends Reproduction {
  readonly carried: number;
  readonly last: Point | null;
}
const found = (changes: Partial<Case>): Case => ({
  carried: 8,
  digests: 8,
  identicalTo: 8,
  comparedTo: 12,
  difference: 0,
  last: { x: 12, y: 0.5 },
  ...changes,
});
const at = (x: number, y = 1) => ({ last: { x, y } });
const describeCase = ({ carried, last, ...reproduction }: Case, sameAdapter: boolean) => {
  const { kind, sentence } = describeReproduction(reproduction, carried, last, sameAdapter);
  return { kind, sentence: plainSpaces(sentence) };
};

describe('describeReproduction', () => {
  it('says identical only if every digest and the last point are', () => {
    expect(describeCase(found({}), true)).toEqual({
      kind: 'identical',
      sentence: 'Same run: the first 8 iterations match bit for bit (the link holds 8).',
    });
    expect(describeCase(found({ digests: 1, identicalTo: 1, comparedTo: 1 }), true)).toEqual({
      kind: 'partial',
      sentence: 'The first iteration matches bit for bit; the link’s 50 % at iteration 12 could not be compared yet.',
    });
    expect(describeCase(found({ digests: 1, identicalTo: 1, comparedTo: 1, ...at(1, 0) }), true)).toEqual({
      kind: 'partial',
      sentence: 'The first iteration matches bit for bit; the link holds 8, and the others were not compared yet.',
    });
    const without = found({ carried: 0, digests: 0, identicalTo: 0 });
    expect(describeCase(without, true).kind).toBe('close');
  });

  it('names a result that was not compared, in no colour', () => {
    expect(describeCase(found({ digests: 4, identicalTo: 4, carried: 4, comparedTo: 1, ...at(3) }), true)).toEqual({
      kind: 'partial',
      sentence: 'The first 4 iterations match bit for bit; the link’s 100 % at iteration 3 could not be compared yet.',
    });
    const bare = { carried: 0, digests: 0, identicalTo: 0, comparedTo: 1 };
    expect(describeCase(found({ ...bare, ...at(40) }), false)).toEqual({
      kind: 'partial',
      sentence:
        'Success differs by at most 0 % at iteration 1 of 40 (other device); ' +
        'the link’s 100 % at iteration 40 could not be compared yet.',
    });
    expect(describeCase(found({ last: null, comparedTo: 0 }), true)).toEqual({
      kind: 'partial',
      sentence: 'The first 8 iterations match bit for bit; the link has no result that could be compared.',
    });
  });

  it('blames another device only if there is one', () => {
    expect(describeCase(found({ identicalTo: 0, comparedTo: 8, difference: 0.02, ...at(8) }), false).sentence).toBe(
      'Reproduced: success differs by at most 2 % up to iteration 8 (other device).',
    );
    expect(describeCase(found({ identicalTo: 3, comparedTo: 8, difference: 0.02, ...at(8) }), true).sentence).toBe(
      'Reproduced: success differs by at most 2 % up to iteration 8 (not bit for bit). The first 3 ' +
        'iterations match bit for bit.',
    );
  });

  it('does not call a different curve a reproduction', () => {
    expect(describeCase(found({ identicalTo: 0, comparedTo: 10, difference: 0.4, ...at(10) }), false)).toEqual({
      kind: 'different',
      sentence: 'Not the same run: success differs by up to 40 % up to iteration 10 (other device).',
    });
    expect(describeCase(found({ digests: 2, identicalTo: 0, comparedTo: 0 }), false)).toEqual({
      kind: 'different',
      sentence: 'Not the same bits: iteration 1 differs (other device).',
    });
  });

  it('does not believe equal fingerprints beside curves that differ, by little either', () => {
    expect(describeCase(found({ comparedTo: 40, difference: 1, ...at(40) }), true)).toEqual({
      kind: 'different',
      sentence: 'Not the same run: success differs by up to 100 % up to iteration 40, although the fingerprints match.',
    });
    expect(describeCase(found({ difference: 0.09 }), true).kind).toBe('different');
    expect(describeCase(found({ difference: 1 / 255 }), true).kind, 'rounding of old links').toBe('identical');
  });
});
