/** Node's threads and ports as the event targets that comlink and the pool expect of browsers. */
import { Worker, type MessagePort } from 'node:worker_threads';
import type { Endpoint } from 'comlink';

export function nodeEndpoint(port: MessagePort | Worker): Endpoint {
  const handlers = new Map<unknown, (data: unknown) => void>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, transfer as never),
    addEventListener: (type, listener) => {
      const handler = (data: unknown) => {
        const event = { data, message: String(data) } as unknown as Event;
        if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      };
      handlers.set(listener, handler);
      port.on(type === 'close' && port instanceof Worker ? 'exit' : type, handler);
    },
    removeEventListener: (type, listener) => {
      const handler = handlers.get(listener);
      if (handler !== undefined) port.off(type, handler);
    },
  };
}
