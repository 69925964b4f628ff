/** A sandbox worker of the browser: serves the api on its port, in an opaque origin without network or storage. */
import { expose } from 'comlink';
import { createWorkerApi } from '../sandbox/worker-api';

/** The message about an uncaught error, since ports do not carry errors by themselves. */
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
