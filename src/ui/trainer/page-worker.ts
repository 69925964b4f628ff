/** Starts a worker of the page. The only place that names the workers' file. */
import workerUrl from '../../worker/page.worker.ts?worker&url';
import { trusted } from './trusted';

export const pageWorker = (name: 'trainer' | 'models' | 'file-reader'): Worker =>
  new Worker(trusted.createScriptURL(`${workerUrl}#${name}`), { type: 'module', name });
