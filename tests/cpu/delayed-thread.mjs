/** A thread of the CPU device that is held up again and again. */
import { parentPort, workerData } from 'node:worker_threads';
import { Walker } from '../../src/device/wasm/program.js';
import { delay } from './delays.js';

const { start, seed } = workerData;
delay(Walker.prototype, seed + start.thread);
const walker = new Walker(start);
parentPort?.postMessage('ready');
walker.serve();
