/**
 * The files of an experiment: a JSON file for each cell (a row with a seed) that is done, a folder with its agent, and
 * the warm starts that cells share. A cell belongs to its exact configuration and engine: if either changed, it counts
 * as not done. Whole files are replaced by rename.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RolloutView } from '../../rl/rollouts/view';
import type { Moment, SeedResult } from '../../share/results';
import { makeFolder, makeInnerFolder, replaceFile } from '../safe-files';

/** What a cell found. */
export interface CellReport {
  readonly result: SeedResult;
  /** What out of distribution means in its environment. */
  readonly outOfDistribution: string | null;
}

/** What is kept of it. */
export interface Cell extends CellReport {
  readonly adapter: string;
  readonly commit: string;
  /** ISO date on which it was computed. */
  readonly date: string;
}

/** An imitator, and what was measured before and after it imitated. */
export interface WarmStart {
  readonly checkpoint: Uint8Array;
  readonly start: Moment;
  readonly warm: Moment;
}

export class ExperimentFolder {
  constructor(readonly path: string) {
    makeFolder(path);
    for (const name of ['cells', 'warm']) makeInnerFolder(join(path, name));
  }

  /**
   * @param key all that decides its numbers; null if no cell is done under it. Throws a sentence if its file is broken.
   */
  readCell(name: string, key: string): Cell | null {
    const cell = this.readJson(join('cells', `${name}.json`)) as (Cell & { readonly key: string }) | null;
    return cell?.key === digest(key) ? cell : null;
  }

  writeCell(name: string, key: string, cell: Cell): void {
    this.replace(join('cells', `${name}.json`), `${JSON.stringify({ key: digest(key), ...cell })}\n`);
  }

  /** What a cell ended with, as a run folder has it: `eval` and `estimators` take the folder. */
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
    return moments && { ...moments, checkpoint: readFileSync(join(this.path, `${name}.safetensors`)) };
  }

  /** The numbers come last: where they are, the checkpoint is whole. */
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

const digest = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 24);
