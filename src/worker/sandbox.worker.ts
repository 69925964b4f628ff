/**
 * A sandbox worker of the browser: the api behind the port it is given, and nothing else. It runs in an opaque origin
 * that has no network and no storage, from text: it can load nothing.
 */
import { expose } from 'comlink';
import { createWorkerApi } from '../sandbox/worker-api';

/** What the worker tells of an error that nobody caught, since errors do not travel on ports by themselves. */
export interface WorkerFault {
  readonly fault: string;
}

self.addEventListener(
  'message',
  ({ ports: [port] }) => {
    self.addEventListener('error', ({ message }) => port.postMessage({ fault: message } satisfies WorkerFault));
    expose(
      createWorkerApi((message) => port.postMessage(message)),
      port,
    );
    self.postMessage('ready');
  },
  { once: true },
);
