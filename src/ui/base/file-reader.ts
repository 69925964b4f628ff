/** Starts the worker that reads files of strangers. The only place that names the worker's file. */
import { wrap, type Remote } from 'comlink';
import readerUrl from '../../worker/file-reader.worker.ts?worker&url';
import type { FileReaderApi } from '../../worker/file-reader';
import { trusted } from '../trainer/trusted';
import { text } from './text';

export interface FileReaderClient {
  readonly api: Remote<FileReaderApi>;
  /** Ends the worker and what it does; calls that are under way never settle. */
  close(): void;
}

/** `onCrash` is called once, with a sentence, if the worker dies or cannot be started. */
export function startFileReader(onCrash: (sentence: string) => void): FileReaderClient {
  const worker = new Worker(trusted.createScriptURL(readerUrl), { type: 'module', name: 'file reader' });
  worker.addEventListener(
    'error',
    (event) => {
      event.preventDefault();
      onCrash(text.fileReaderFailed);
    },
    { once: true },
  );
  return { api: wrap<FileReaderApi>(worker), close: () => worker.terminate() };
}
