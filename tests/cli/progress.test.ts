import { expect, test } from 'vitest';
import { duration, ProgressBar } from '../../src/cli/progress';
import { terminalCurve } from '../../src/cli/terminal-curve';

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return {
    written,
    stream: { isTTY, columns: 60, write: (text: string | Uint8Array) => written.push(String(text)) > 0 },
  };
}

test('in a log, plain lines at most every four seconds, and always the last', () => {
  const { written, stream } = recorder(false);
  let nowMs = 0;
  const progress = new ProgressBar('training', 4, { stream, nowMs: () => nowMs });
  for (const [atMs, done] of [
    [6000, 1],
    [9000, 2],
    [9999, 2],
    [18000, 3],
    [19000, 4],
  ]) {
    nowMs = atMs;
    progress.update(done, 'success 0.5');
  }
  expect(written).toEqual([
    'training  1/4  18 s left  success 0.5\n',
    'training  3/4  6 s left  success 0.5\n',
    'training  4/4  took 19 s  success 0.5\n',
  ]);
});

test('on a terminal, one line that is redrawn, never wider than the terminal, and logs go above it', () => {
  const { written, stream } = recorder(true);
  const progress = new ProgressBar('training', 2, { stream, nowMs: () => 1000 });
  progress.update(1, 'a long note '.repeat(20));
  progress.log('saved');
  progress.update(2);
  expect(written[0].startsWith(`\r\x1b[Ktraining  ${'█'.repeat(12)}${'░'.repeat(12)}  1/2`)).toBe(true);
  expect(written[0].length - '\r\x1b[K'.length).toBe(59);
  expect(written[1]).toBe('\r\x1b[Ksaved\n');
  expect(written.at(-1)).toBe('\n');
});

test('durations read as a person says them', () => {
  expect([4200, 185_000, 4_320_000].map(duration)).toEqual(['4 s', '3 min 05 s', '1 h 12 min']);
});

test('a curve keeps its ends, means what it thins, and leaves gaps empty', () => {
  expect(terminalCurve([0, 0.5, 1], 10, 0, 1)).toBe('▁▅█');
  expect(terminalCurve([0, 0, 1, 1], 2, 0, 1)).toBe('▁█');
  expect(terminalCurve([0, NaN, 2], 3, 0, 1)).toBe('▁ █');
  expect(terminalCurve([], 10, 0, 1)).toBe('');
});
