/**
 * The files of an experiment: for each finished cell (a row with a seed) a JSON file and a folder with its agent, and
 * the shared warm starts. A cell whose configuration or engine changed counts as not finished. Several processes may
 * run cells of one folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RolloutView } from '../../rl/rollouts/view';
import type { MeasuredMoment, SeedResult } from '../../share/results';
import { FolderLock } from '../folder-lock';
import { readCheckpointFile } from '../read-file';
import { makeFolder, makeInnerFolder, replaceFile } from '../safe-files';

/** Results of a cell. */
export interface CellReport {
  readonly result: SeedResult;
  /** The meaning of out of distribution in its environment. */
  readonly outOfDistribution: string | null;
}

/** The contents of a cell's file. */
export interface Cell extends CellReport {
  readonly adapter: string;
  readonly commit: string;
  /** ISO date on which it was computed. */
  readonly date: string;
}

/** An agent after the warm start, and its results before and after. */
export interface WarmStart {
  readonly checkpoint: Uint8Array;
  readonly start: MeasuredMoment;
  readonly warm: MeasuredMoment;
}

/** A cell that is not finished: its agent, and what it measured so far. */
export interface CellProgress {
  readonly checkpoint: Uint8Array;
  readonly iteration: number;
  readonly curves: SeedResult['curves'];
  readonly seconds: number;
}

export class ExperimentFolder {
  constructor(readonly path: string) {
    makeFolder(path);
    for (const name of ['cells', 'warm']) makeInnerFolder(join(path, name));
  }

  /** Null if not finished. @param key everything that decides its numbers @throws a sentence about a broken file */
  readCell(name: string, key: string): Cell | null {
    const cell = this.readJson(join('cells', `${name}.json`)) as (Cell & { readonly key: string }) | null;
    return cell?.key === digest(key) ? cell : null;
  }

  writeCell(name: string, key: string, cell: Cell): void {
    this.replace(join('cells', `${name}.json`), `${JSON.stringify({ key: digest(key), ...cell })}\n`);
  }

  /** @throws a sentence if another process runs the cell */
  lockCell(name: string): FolderLock {
    makeInnerFolder(join(this.path, 'cells', name));
    return FolderLock.take(join(this.path, 'cells', name));
  }

  /** Null if there is none of this key. */
  readProgress(name: string, key: string): CellProgress | null {
    const kept = this.readJson(join('cells', name, 'progress.json')) as (CellProgress & { key: string }) | null;
    if (kept?.key !== digest(key)) return null;
    const path = join(this.path, 'cells', name, progressFile(kept.iteration));
    return { ...kept, checkpoint: readCheckpointFile(path) };
  }

  /** Writes the numbers last: they name the checkpoint that they belong to. */
  writeProgress(name: string, key: string, { checkpoint, ...numbers }: CellProgress): void {
    const current = progressFile(numbers.iteration);
    this.replace(join('cells', name, current), checkpoint);
    this.replace(join('cells', name, 'progress.json'), `${JSON.stringify({ key: digest(key), ...numbers })}\n`);
    this.removeProgress(name, ['progress.json', current]);
  }

  /** @param kept names of its files that stay */
  removeProgress(name: string, kept: readonly string[] = []): void {
    const folder = join(this.path, 'cells', name);
    for (const file of readdirSync(folder))
      if (/^progress(-\d+\.safetensors|\.json)$/.test(file) && !kept.includes(file)) rmSync(join(folder, file));
  }

  /** The folder in which one process at a time makes the warm start of this key. */
  warmStartFolder(key: string): string {
    const path = join(this.path, 'warm', digest(key));
    makeInnerFolder(path);
    return path;
  }

  /** Writes the agent as a run folder, which `eval` and `estimators` take. */
  writeAgent(
    name: string,
    { checkpoint, rollouts }: { checkpoint: Uint8Array; rollouts: readonly RolloutView[] },
  ): void {
    makeInnerFolder(join(this.path, 'cells', name));
    this.replace(join('cells', name, 'checkpoint.safetensors'), checkpoint);
    this.replace(
      join('cells', name, 'trajectories.jsonl'),
      rollouts.map((rollout) => `${JSON.stringify(rollout)}\n`).join(''),
    );
  }

  readWarmStart(key: string): WarmStart | null {
    const name = join('warm', digest(key));
    const moments = this.readJson(`${name}.json`) as Omit<WarmStart, 'checkpoint'> | null;
    return moments && { ...moments, checkpoint: readCheckpointFile(join(this.path, `${name}.safetensors`)) };
  }

  /** Writes the numbers last: if they exist, the checkpoint is complete. */
  writeWarmStart(key: string, { checkpoint, ...moments }: WarmStart): void {
    const name = join('warm', digest(key));
    this.replace(`${name}.safetensors`, checkpoint);
    this.replace(`${name}.json`, `${JSON.stringify(moments)}\n`);
  }

  /** @returns path of the file */
  write(name: string, content: string): string {
    this.replace(name, content);
    return join(this.path, name);
  }

  private readJson(name: string): unknown {
    const path = join(this.path, name);
    if (!existsSync(path)) return null;
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      throw new Error(`${path} is not JSON. Remove it to compute it again.`);
    }
  }

  private replace(name: string, content: string | Uint8Array): void {
    replaceFile(join(this.path, name), content);
  }
}

const progressFile = (iteration: number): string => `progress-${iteration}.safetensors`;

const digest = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 24);
