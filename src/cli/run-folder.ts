/**
 * The files of a run: run.json, warm-start.jsonl, metrics.jsonl, trajectories.jsonl, checkpoint.safetensors and
 * link.txt. Whole files are replaced by rename, so that a crash never leaves half of one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { firstIssue } from '../lib/first-issue';
import type { RunConfig } from '../rl/config/config';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import { readLog } from './log-lines';
import { readJson } from './json-file';
import { appendToFile, demandPlainFiles, makeFolder, replaceFile, replaceLines } from './safe-files';

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
const RolloutLine = v.looseObject({ iteration: count });
const MetricsLine = v.looseObject({
  iteration: count,
  success: finite,
  validationSuccess: v.nullable(finite),
  sampleTokensPerSecond: finite,
  trainTokensPerSecond: finite,
});

export class RunFolder {
  constructor(readonly path: string) {}

  /** An empty folder: the given path, or the first free `runs/<name>-<n>`. @throws if it already holds a run */
  static create(wanted: string | undefined, name: string): RunFolder {
    let path = wanted ?? join('runs', name);
    for (let n = 2; wanted === undefined && existsSync(join(path, 'run.json')); n++)
      path = join('runs', `${name}-${n}`);
    if (existsSync(join(path, 'run.json')))
      throw new Error(`${path} holds a run already: choose another folder, or continue it with --resume ${path}.`);
    makeFolder(path);
    return new RunFolder(path);
  }

  /** A folder that holds a checkpoint. */
  static open(path: string): RunFolder {
    for (const name of ['run.json', 'checkpoint.safetensors']) {
      if (!existsSync(join(path, name)))
        throw new Error(`${path} has no ${name}, so there is no run to continue there.`);
    }
    demandPlainFiles(path);
    return new RunFolder(path);
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

  /** Metrics up to an iteration. Removes later lines from all logs. */
  rewind(iteration: number, warmSteps: number): Metrics[] {
    this.keep('warm-start.jsonl', WarmLossLine, ({ step }) => step <= warmSteps);
    this.keep('trajectories.jsonl', RolloutLine, (rollout) => rollout.iteration <= iteration);
    const metrics: Metrics[] = [];
    this.keep('metrics.jsonl', MetricsLine, (line) => {
      const isKept = line.iteration <= iteration;
      if (isKept) metrics.push(line as unknown as Metrics);
      return isKept;
    });
    return metrics;
  }

  private keep<T>(name: string, schema: v.GenericSchema<unknown, T>, isKept: (line: T) => boolean): void {
    const path = join(this.path, name);
    if (!existsSync(path)) return;
    const kept = function* () {
      for (const { text, value } of readLog(path, schema)) if (isKept(value)) yield text;
    };
    replaceLines(path, kept());
  }

  writeCheckpoint(bytes: Uint8Array): void {
    this.replace('checkpoint.safetensors', bytes);
  }

  readCheckpoint(): Uint8Array {
    return readFileSync(join(this.path, 'checkpoint.safetensors'));
  }

  writeLink(link: string): void {
    this.replace('link.txt', `${link}\n`);
  }

  private replace(name: string, content: string | Uint8Array): void {
    replaceFile(join(this.path, name), content);
  }
}
