/** Two rollouts line by line: what both hold, what one of them holds, and the words in which two lines differ. Pure. */
import { commonLengths } from '../lib/edits';
import type { RolloutView } from '../rl/rollouts/view';
import { transcript, type TranscriptLine } from './rollout-text';
import { text } from './text';

const words = text.diff;

export type Side = 'both' | 'first' | 'second';

export interface Part {
  readonly side: Side;
  readonly text: string;
}

export interface DiffLine {
  /** A line of both may still have parts of one. */
  readonly side: Side;
  readonly who: string;
  readonly parts: readonly Part[];
}

export interface RolloutDiff {
  readonly lines: readonly DiffLine[];
  /** In a sentence. */
  readonly summary: string;
}

/** Comparing longer texts item by item would take a second: they are shown one after the other. */
const maxCells = 4_000_000;

export function rolloutDiff(first: RolloutView, second: RolloutView): RolloutDiff {
  const lines = paired(aligned(transcript(first), transcript(second), ({ who, text }) => `${who}\n${text}`));
  const differs = lines.filter(({ side, parts }) => side !== 'both' || parts.some((part) => part.side !== 'both'));
  const at = lines.findLast(({ who }, i) => who !== '' && i <= lines.indexOf(differs[0]));
  return {
    lines,
    summary: differs.length === 0 ? words.same : words.differ(differs.length, lines.length, at?.who ?? ''),
  };
}

interface Aligned<T> {
  readonly side: Side;
  readonly item: T;
}

/** A longest common sequence of both, with what only one has at its place: the first's before the second's. */
function aligned<T>(first: readonly T[], second: readonly T[], keyOf: (item: T) => string): Aligned<T>[] {
  const a = first.map(keyOf);
  const b = second.map(keyOf);
  const columns = b.length + 1;
  if (a.length * b.length > maxCells) return [...only('first', first), ...only('second', second)];
  const common = commonLengths(a, b);
  const found: Aligned<T>[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      found.push({ side: 'both', item: first[i++] });
      j++;
    } else if (common[(i + 1) * columns + j] >= common[i * columns + j + 1])
      found.push({ side: 'first', item: first[i++] });
    else found.push({ side: 'second', item: second[j++] });
  }
  return [...found, ...only('first', first.slice(i)), ...only('second', second.slice(j))];
}

const only = <T>(side: Side, items: readonly T[]): Aligned<T>[] => items.map((item) => ({ side, item }));

/** Lines of the same author at one place are one line, whose words differ. */
function paired(lines: readonly Aligned<TranscriptLine>[]): DiffLine[] {
  const found: DiffLine[] = [];
  for (let i = 0; i < lines.length;) {
    if (lines[i].side === 'both') {
      found.push(whole(lines[i++]));
      continue;
    }
    const end = lines.findIndex(({ side }, at) => at > i && side === 'both');
    const block = lines.slice(i, end < 0 ? undefined : end);
    i += block.length;
    const seconds = block.filter(({ side }) => side === 'second');
    for (const line of block.filter(({ side }) => side === 'first')) {
      const at = seconds.findIndex(({ item }) => item.who === line.item.who);
      const [other] = at < 0 ? [] : seconds.splice(at, 1);
      if (other)
        found.push({ side: 'both', who: line.item.who ?? '', parts: partsOf(line.item.text, other.item.text) });
      else found.push(whole(line));
    }
    found.push(...seconds.map(whole));
  }
  return found;
}

const whole = ({ side, item }: Aligned<TranscriptLine>): DiffLine => ({
  side,
  who: item.who ?? '',
  parts: [{ side, text: item.text }],
});

/** Words, numbers, spaces, and every other sign by itself. */
const wordsIn = (line: string): string[] => line.match(/[\p{L}\p{M}_]+|\p{N}+|\s+|[^]/gu) ?? [];

function partsOf(first: string, second: string): Part[] {
  const parts: { side: Side; text: string }[] = [];
  for (const { side, item } of aligned(wordsIn(first), wordsIn(second), (word) => word)) {
    const last = parts.at(-1);
    if (last?.side === side) last.text += item;
    else parts.push({ side, text: item });
  }
  return parts;
}
