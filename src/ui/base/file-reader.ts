/** Reads files of strangers, in a worker that reads nothing else. The only place that names the worker's file. */
import { wrap, type Remote } from 'comlink';
import readerUrl from '../../worker/file-reader.worker.ts?worker&url';
import { sentenceOf } from '../../lib/sentences';
import type { FileReaderApi } from '../../worker/file-reader';
import { trusted } from '../trainer/trusted';
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
  const worker = new Worker(trusted.createScriptURL(readerUrl), { type: 'module', name: 'file reader' });
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
