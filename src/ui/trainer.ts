/** Starts the trainer worker and gives its API. The only place that names the worker's file. */
import { proxy, wrap, type Remote } from 'comlink';
import type { ChatEvent, RunEvent, TrainerApi } from '../worker/protocol';

export interface Trainer {
  readonly api: Remote<TrainerApi>;
  subscribe(listener: (event: RunEvent) => void): Promise<void>;
  chat(message: string, listener: (event: ChatEvent) => void): Promise<void>;
  /** Ends the worker; calls that are under way never settle. */
  terminate(): void;
}

/** `onCrash` is called once, with a sentence, if the worker dies or cannot be started. */
export function startTrainer(onCrash: (sentence: string) => void): Trainer {
  const worker = new Worker(new URL('../worker/trainer.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener(
    'error',
    (event) => {
      event.preventDefault();
      onCrash(event.message || 'its script could not be loaded');
    },
    { once: true },
  );
  const api = wrap<TrainerApi>(worker);
  return {
    api,
    subscribe: (listener) => api.subscribe(proxy(listener)),
    chat: (message, listener) => api.chat(message, proxy(listener)),
    terminate: () => worker.terminate(),
  };
}
