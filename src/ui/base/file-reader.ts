/** Reads files of strangers, in a worker that reads nothing else. */
import { wrap, type Remote } from 'comlink';
import { sentenceOf } from '../../lib/sentences';
import type { FileReaderApi } from '../../worker/file-reader';
import { pageWorker } from '../trainer/page-worker';
import { text } from './text';

/**
 * `failed` is called with a sentence, also if the worker dies or cannot be started.
 * @returns ends the worker: nothing is called after that
 */
export function readFile<T>(
  read: (api: Remote<FileReaderApi>) => Promise<T>,
  found: (value: T) => void,
  failed: (sentence: string) => void,
): () => void {
  const worker = pageWorker('file-reader');
  worker.addEventListener(
    'error',
    (event) => {
      event.preventDefault();
      failed(text.fileReaderFailed);
    },
    { once: true },
  );
  let isWanted = true;
  read(wrap<FileReaderApi>(worker)).then(
    (value) => isWanted && found(value),
    (error: unknown) => isWanted && failed(sentenceOf(error)),
  );
  return () => {
    isWanted = false;
    worker.terminate();
  };
}
