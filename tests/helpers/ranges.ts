/** What packed tokens see, as `attention` takes it. */

/** Segments of these lengths, one behind the other, that share nothing. @returns [N, 4] */
export const alone = (lengths: readonly number[]): number[] => sharing(lengths.map((length) => [0, [length]]));

/** Families: a prefix of a length, and the segments that share it. @returns [N, 4] */
export function sharing(families: readonly (readonly [prefix: number, segments: readonly number[]])[]): number[] {
  const ranges: number[][] = [];
  for (const [shared, lengths] of families) {
    const prefix = ranges.length;
    const end = lengths.reduce((sum, length) => sum + length, prefix + shared);
    for (let i = 0; i < shared; i++) ranges.push([prefix, prefix, prefix, end]);
    for (const length of lengths) {
      const start = ranges.length;
      for (let i = 0; i < length; i++) ranges.push([prefix, prefix + shared, start, start + length]);
    }
  }
  return ranges.flat();
}
