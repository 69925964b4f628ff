/**
 * A progress bar with the time left, on stderr so that stdout stays clean for `--json`. On a terminal it redraws one
 * line; in a log it prints a plain line every few seconds.
 */
import type { WriteStream } from 'node:tty';
import { escaped } from '../lib/plain-text';
import { printed } from './silence';

/** The output and the clock; tests pass their own. */
export interface ProgressOptions {
  readonly stream?: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };
  readonly nowMs?: () => number;
}

const REDRAW_MS = 100;
const LOG_LINE_MS = 4000;
const BAR_WIDTH = 24;

export class ProgressBar {
  private readonly stream: NonNullable<ProgressOptions['stream']>;
  private readonly nowMs: () => number;
  private readonly startMs: number;
  private drawnMs = -Infinity;
  private open = false;

  /** @param label of the work: `warm start` @param total its steps */
  constructor(
    private readonly label: string,
    private readonly total: number,
    { stream = process.stderr, nowMs = () => performance.now() }: ProgressOptions = {},
  ) {
    this.stream = stream;
    this.nowMs = nowMs;
    this.startMs = nowMs();
  }

  /** @param done completed steps @param note shown beside the bar: `success 0.62 ▁▃▅█` */
  update(done: number, note = ''): void {
    const now = this.nowMs();
    const last = done >= this.total;
    if (!last && now - this.drawnMs < (this.stream.isTTY ? REDRAW_MS : LOG_LINE_MS)) return;
    this.drawnMs = now;
    const line = [
      this.label,
      ...(this.stream.isTTY ? [bar(done / this.total)] : []),
      `${done}/${this.total}`,
      this.time(done, now),
      note,
    ];
    this.draw(escaped(line.filter(Boolean).join('  ')));
    if (last) this.end();
  }

  /** Prints a line above the bar. */
  log(text: string): void {
    this.stream.write(`${this.open ? '\r\x1b[K' : ''}${escaped(text)}\n`);
    this.open = false;
    this.drawnMs = -Infinity;
  }

  /** Ends the bar's line. */
  end(): void {
    if (this.open) this.stream.write('\n');
    this.open = false;
  }

  private draw(line: string): void {
    printed();
    if (!this.stream.isTTY) {
      this.stream.write(`${line}\n`);
      return;
    }
    const fitting = [...line].slice(0, (this.stream.columns ?? 80) - 1).join('');
    this.stream.write(`\r\x1b[K${fitting}`);
    this.open = true;
  }

  private time(done: number, now: number): string {
    const spentMs = now - this.startMs;
    if (done >= this.total) return `took ${duration(spentMs)}`;
    return done > 0 ? `${duration((spentMs / done) * (this.total - done))} left` : '';
  }
}

/** Milliseconds as a person says them: `4 s`, `3 min 05 s`, `1 h 12 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** A share of 1 as a person says it: `62.5 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}
