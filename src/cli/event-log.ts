/** The metrics of a run as TensorBoard reads them: an event file in the run's folder, one record an iteration. */
import { join } from 'node:path';
import type { Metrics } from '../rl/report';
import { eventFileStart, eventRecord } from '../share/event-file';
import { cellsOf } from '../share/metrics-csv';
import { appendToFile, replaceFile } from './safe-files';

/** TensorBoard reads files that have this in their name. */
const fileName = 'events.out.tfevents.agentlet';

export class EventLog {
  private readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, fileName);
  }

  /** Writes the file anew, with the iterations so far. */
  begin(metrics: readonly Metrics[]): void {
    const records = [eventFileStart(now()), ...metrics.map(recordOf)];
    replaceFile(this.path, Buffer.concat(records));
  }

  add(metrics: Metrics): void {
    appendToFile(this.path, recordOf(metrics));
  }
}

const now = (): number => Date.now() / 1000;

function recordOf({ iteration, ...metrics }: Metrics): Uint8Array {
  const numbers = cellsOf(metrics).flatMap(([name, value]): [string, number][] =>
    typeof value === 'number' || typeof value === 'boolean' ? [[name.replaceAll('.', '/'), Number(value)]] : [],
  );
  return eventRecord(now(), iteration, new Map(numbers));
}
