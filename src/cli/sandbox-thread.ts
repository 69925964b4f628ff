/** The sandbox worker as a thread of Node: the same api as `src/worker/sandbox.worker.ts`, over Node's message port. */
import { parentPort } from 'node:worker_threads';
import { expose } from 'comlink';
import { createWorkerApi } from '../sandbox/worker-api';
import { nodeEndpoint } from './node-endpoint';

if (parentPort === null) throw new Error('sandbox-thread.ts runs as a worker thread only');
const port = parentPort;
expose(
  createWorkerApi((message) => port.postMessage(message)),
  nodeEndpoint(port),
);
