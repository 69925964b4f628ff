/** A sandbox worker of the browser: the api behind comlink and nothing else. It opens no connection and owns no state of a run. */
import { expose } from 'comlink';
import { createWorkerApi } from '../sandbox/worker-api';

expose(createWorkerApi((message) => self.postMessage(message)));
