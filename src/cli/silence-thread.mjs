/**
 * A thread that says what the terminal is computing when nothing was printed for a while. The CPU device blocks the
 * main thread, so no timer fires there.
 */
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ quietMs: number, output: number, erase: string }} `erase` clears an unfinished line of a terminal */
const { quietMs, output, erase } = workerData;
let work = '';
let detail = '';
let beganMs = Date.now();
let heardMs = beganMs;

parentPort?.on('message', (message) => {
  if (message === 'printed') heardMs = Date.now();
  else {
    if (message.work !== work) beganMs = Date.now();
    ({ work, detail } = message);
  }
});

setInterval(() => {
  const now = Date.now();
  if (work === '' || now - heardMs < quietMs) return;
  heardMs = now;
  const seconds = Math.round((now - beganMs) / 1000);
  try {
    writeSync(output, `${erase}Still computing: ${work}${detail && `, ${detail}`} (${seconds} s).\n`);
  } catch {
    // Nobody reads the output any more, or it is full.
  }
}, quietMs / 20);
