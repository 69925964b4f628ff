/**
 * The files of a run: run.json, warm-start.jsonl, metrics.jsonl, metrics.csv, trajectories.jsonl, host-calls.jsonl,
 * checkpoint.safetensors and link.txt; with a pretrained model also adapter_config.json and adapter_model.safetensors,
 * as PEFT reads them. Whole files are replaced by rename, so that a crash never leaves half of one.
 */
import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { firstIssue } from '../lib/first-issue';
import type { RunConfig } from '../config/config';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import { FolderLock } from './folder-lock';
import { readLog } from './log-lines';
import { readCheckpointFile, readJson } from './read-file';
import { appendToFile, requirePlainFiles, makeFolder, replaceFile, replaceLines } from './safe-files';

/** The contents of run.json. */
export interface RunRecord {
  readonly preset: string | null;
  readonly config: RunConfig;
  readonly adapter: string;
  readonly engineVersion: string;
  readonly nodeVersion: string;
  /** ISO date on which the run began. */
  readonly date: string;
  readonly command: string;
  /** Greedy success on the validation tasks: with random weights, after the warm start, at the end. */
  readonly success: { readonly start: number | null; readonly warm: number | null; readonly end: number | null };
}

/** A line of warm-start.jsonl. */
export interface WarmLoss {
  /** Steps of the warm start that are done. */
  readonly step: number;
  /** Mean cross-entropy since the line before; null if every update in between was skipped. */
  readonly loss: number | null;
  readonly skipped: number;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const finite = v.pipe(v.number(), v.finite());

const RecordSchema = v.object({
  preset: v.nullable(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))),
  config: v.looseObject({ rewards: v.record(v.string(), finite) }),
  adapter: v.string(),
  engineVersion: v.string(),
  nodeVersion: v.string(),
  date: v.string(),
  command: v.string(),
  success: v.object({ start: v.nullable(finite), warm: v.nullable(finite), end: v.nullable(finite) }),
});

/** The fields that resuming reads. */
const WarmLossLine = v.looseObject({ step: count });
const RolloutLine = v.looseObject({ iteration: count, index: v.optional(count) });
const MetricsLine = v.looseObject({
  iteration: count,
  success: finite,
  validationSuccess: v.nullable(finite),
  sampleTokensPerSecond: finite,
  trainTokensPerSecond: finite,
});

export class RunFolder {
  /** @param lock null if the folder is only read @param isNew whether it was made for this run */
  constructor(
    readonly path: string,
    private readonly lock: FolderLock | null = null,
    private readonly isNew = false,
  ) {}

  /**
   * Locks an empty folder: the given path, or the first free `runs/<name>-<n>`.
   * @throws a sentence if it already holds a run, or another process writes one there
   */
  static create(wanted: string | undefined, name: string): RunFolder {
    for (let n = 1; ; n++) {
      const path = wanted ?? join('runs', n === 1 ? name : `${name}-${n}`);
      const isFull = () => existsSync(join(path, 'run.json'));
      if (!isFull()) {
        const isNew = !existsSync(path);
        makeFolder(path);
        const lock = wanted === undefined ? FolderLock.tryTake(path) : FolderLock.take(path);
        if (lock && !isFull()) return new RunFolder(path, lock, isNew);
        lock?.release();
      }
      if (wanted !== undefined)
        throw new Error(`${path} holds a run already: choose another folder, or continue it with --resume ${path}.`);
    }
  }

  /** Locks a folder that holds a checkpoint. @throws a sentence if there is none, or another process uses it */
  static open(path: string): RunFolder {
    for (const name of ['run.json', 'checkpoint.safetensors']) {
      if (!existsSync(join(path, name)))
        throw new Error(`${path} has no ${name}, so there is no run to continue there.`);
    }
    requirePlainFiles(path);
    return new RunFolder(path, FolderLock.take(path));
  }

  /** Lets other processes write to the folder, or removes it if it is new and no run was begun in it. */
  release(): void {
    this.lock?.release();
    if (this.isNew && readdirSync(this.path).length === 0) rmdirSync(this.path);
  }

  writeRecord(record: RunRecord): void {
    this.replace('run.json', `${JSON.stringify(record, null, 2)}\n`);
  }

  readRecord(): RunRecord {
    const path = join(this.path, 'run.json');
    const result = v.safeParse(RecordSchema, readJson(path));
    if (result.success) return result.output as unknown as RunRecord;
    throw new Error(`${path} is not as a run writes it: ${firstIssue(result.issues)}.`);
  }

  appendMetrics(metrics: Metrics): void {
    appendToFile(join(this.path, 'metrics.jsonl'), `${JSON.stringify(metrics)}\n`);
  }

  appendWarmLoss(report: WarmLoss): void {
    appendToFile(join(this.path, 'warm-start.jsonl'), `${JSON.stringify(report)}\n`);
  }

  appendTrajectories(rollouts: readonly RolloutView[]): void {
    appendToFile(
      join(this.path, 'trajectories.jsonl'),
      rollouts.map((rollout) => `${JSON.stringify(rollout)}\n`).join(''),
    );
  }

  /** A row an iteration. */
  readMetrics(): Metrics[] {
    const path = join(this.path, 'metrics.jsonl');
    return existsSync(path) ? [...readLog(path, MetricsLine)].map(({ value }) => value as unknown as Metrics) : [];
  }

  /**
   * Metrics up to an iteration. Removes later lines from all logs, and every line after the first of the same step or
   * rollout, which two processes in one folder have left in earlier versions.
   */
  rewind(iteration: number, warmSteps: number): Metrics[] {
    this.keep('warm-start.jsonl', WarmLossLine, ({ step }) => (step <= warmSteps ? String(step) : null));
    this.keep('trajectories.jsonl', RolloutLine, (rollout, text) =>
      rollout.iteration <= iteration ? `${rollout.iteration} ${rollout.index ?? text}` : null,
    );
    const metrics = new Map<number, Metrics>();
    this.keep('metrics.jsonl', MetricsLine, (line) => {
      if (line.iteration > iteration) return null;
      if (!metrics.has(line.iteration)) metrics.set(line.iteration, line as unknown as Metrics);
      return String(line.iteration);
    });
    return [...metrics.values()];
  }

  /** Keeps the first line of each key. @param keyOf null for a line that goes */
  private keep<T>(
    name: string,
    schema: v.GenericSchema<unknown, T>,
    keyOf: (line: T, text: string) => string | null,
  ): void {
    const path = join(this.path, name);
    if (!existsSync(path)) return;
    const kept = function* () {
      const keys = new Set<string>();
      for (const { text, value } of readLog(path, schema)) {
        const key = keyOf(value, text);
        if (key === null || keys.has(key)) continue;
        keys.add(key);
        yield text;
      }
    };
    replaceLines(path, kept());
  }

  writeCheckpoint(bytes: Uint8Array): void {
    this.replace('checkpoint.safetensors', bytes);
  }

  /** @param files by their names */
  writeAdapter(files: ReadonlyMap<string, Uint8Array>): void {
    for (const [name, bytes] of files) this.replace(name, bytes);
  }

  readCheckpoint(): Uint8Array<ArrayBuffer> {
    return readCheckpointFile(join(this.path, 'checkpoint.safetensors'));
  }

  writeMetricsCsv(text: string): void {
    this.replace('metrics.csv', text);
  }

  writeLink(link: string): void {
    this.replace('link.txt', `${link}\n`);
  }

  private replace(name: string, content: string | Uint8Array): void {
    replaceFile(join(this.path, name), content);
  }
}
