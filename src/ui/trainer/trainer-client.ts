/** Starts the trainer worker and gives its API, with a sandbox to run environments in. */
import { proxy, wrap, type Remote } from 'comlink';
import type { RunEvent } from '../../run/events';
import type { GivenFiles, GivenModel, TrainerApi } from '../../worker/protocol';
import type { RunConfig } from '../../config/config';
import type { ChatEvent } from '../../rl/rollouts/chat';
import { pageWorker } from './page-worker';
import { SandboxWorkers } from './sandbox-frame';

export interface TrainerClient {
  readonly api: Remote<TrainerApi>;
  subscribe(listener: (event: RunEvent) => void): Promise<void>;
  chat(message: string, listener: (event: ChatEvent) => void): Promise<void>;
  chatWithStart(config: RunConfig, message: string, listener: (event: ChatEvent) => void): Promise<void>;
  giveModel(given: GivenFiles, wanted: RunConfig | null, onProgress: (share: number) => void): Promise<GivenModel>;
  /** Ends the worker and its sandbox; calls that are under way never settle. */
  terminate(): void;
}

export type StartTrainer = (onCrash: (sentence: string) => void) => TrainerClient;

/**
 * `onCrash` is called once, with a sentence, if the worker dies or cannot be started.
 * @param options.apart its runs are kept nowhere, and may train while another trainer does
 */
export function startTrainer(onCrash: (sentence: string) => void, { apart = false } = {}): TrainerClient {
  const worker = pageWorker('trainer');
  worker.addEventListener(
    'error',
    (event) => {
      event.preventDefault();
      onCrash(event.message || 'its script could not be loaded');
    },
    { once: true },
  );
  const api = wrap<TrainerApi>(worker);
  const sandbox = new SandboxWorkers();
  void api.connect(proxy(sandbox), new URL(import.meta.env.BASE_URL, document.baseURI).href, apart);
  return {
    api,
    subscribe: (listener) => api.subscribe(proxy(listener)),
    chat: (message, listener) => api.chat(message, proxy(listener)),
    chatWithStart: (config, message, listener) => api.chatWithStart(config, message, proxy(listener)),
    giveModel: (given, wanted, onProgress) => api.giveModel(given, wanted, proxy(onProgress)),
    terminate: () => {
      worker.terminate();
      sandbox.close();
    },
  };
}
