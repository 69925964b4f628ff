/** A thread of the CPU device in Node. */
import { parentPort, workerData } from 'node:worker_threads';
import { Walker } from '../device/wasm/program.js';

const walker = new Walker(workerData);
parentPort?.postMessage('ready');
walker.serve();
