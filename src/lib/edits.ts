/** Where two lists differ, by a longest common subsequence. */

/** From `at` on, `count` numbers became `instead`. */
export interface Edit {
  readonly at: number;
  readonly count: number;
  readonly instead: readonly number[];
}

/** Pairs of numbers that are compared; where there would be more, all that is not alike at both ends is one edit. */
const maxPairs = 1 << 22;

/** In order; between two edits the lists are alike. */
export function edits(before: readonly number[], after: readonly number[]): Edit[] {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shortest - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const left = before.slice(start, before.length - tail);
  const right = after.slice(start, after.length - tail);
  if (left.length === 0 && right.length === 0) return [];
  if (left.length * right.length > maxPairs) return [{ at: start, count: left.length, instead: right }];
  return walk(left, right).map(({ at, ...edit }) => ({ at: start + at, ...edit }));
}

function walk(left: readonly number[], right: readonly number[]): Edit[] {
  const common = commonLengths(left, right);
  const width = right.length + 1;
  const found: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (left[i] === right[j]) {
      i++;
      j++;
      continue;
    }
    const [at, from] = [i, j];
    while ((i < left.length || j < right.length) && left[i] !== right[j]) {
      const drops = j === right.length || (i < left.length && common[(i + 1) * width + j] >= common[i * width + j + 1]);
      if (drops) i++;
      else j++;
    }
    found.push({ at, count: i - at, instead: right.slice(from, j) });
  }
  return found;
}

/** Longest common subsequence of what is left from i and from j on, [left + 1, right + 1]. */
export function commonLengths<T>(left: readonly T[], right: readonly T[]): Uint32Array {
  const width = right.length + 1;
  const common = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      common[i * width + j] =
        left[i] === right[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  return common;
}
