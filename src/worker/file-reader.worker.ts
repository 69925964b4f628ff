/**
 * Reads files that a visitor opens, apart from the page's thread and from the trainer: a large file makes neither wait,
 * and ending this worker ends the work.
 */
import { expose } from 'comlink';
import { requireResultsSize, readResultsFile } from '../share/results-file';
import { requireSize, readRolloutFile } from '../share/rollout-files/rollout-file';
import { assert } from '../lib/assert';
import type { FileReaderApi } from './file-reader';
import { OpenedRollouts } from './opened-rollouts';

let opened: OpenedRollouts | null = null;

const api: FileReaderApi = {
  async openRollouts(file) {
    opened = null;
    requireSize(file.size, file.name);
    opened = new OpenedRollouts(readRolloutFile(await bytesOf(file), file.name));
    return opened.head;
  },

  async showRollout(step, weights, index) {
    assert(opened !== null, 'a rollout was asked for before its file was opened');
    return opened.show(step, weights, index);
  },

  async readResults(file) {
    requireResultsSize(file.size, file.name);
    return readResultsFile(await bytesOf(file), file.name);
  },
};

async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} could not be read. Was it changed or moved? Choose it again.`);
  }
}

expose(api);
