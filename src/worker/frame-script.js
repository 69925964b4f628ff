/**
 * The only script of the sandbox frame, an iframe of an opaque origin: it makes sandbox workers from the source text
 * that the page posts in, and ends them. It is inlined unchanged and allowed by its hash, so it imports nothing;
 * sandbox-frame.ts is its page side.
 */
(() => {
  const { trustedTypes } =
    /**
     * @type {{ trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } }
     * }} */ (/** @type {unknown} */ (globalThis));
  const box = trustedTypes?.createPolicy('box', { createScriptURL: (/** @type {string} */ url) => url });
  /** @type {Map<number, Worker>} */
  const workers = new Map();

  /** @param {MessageEvent<string>} event Source of the workers, and the port on which the page gives its orders. */
  function begin(event) {
    if (event.source !== parent) return;
    removeEventListener('message', begin);
    const url = URL.createObjectURL(new Blob([event.data], { type: 'text/javascript' }));
    const [page] = event.ports;
    page.onmessage = ({ data: { order, id }, ports }) => {
      if (order === 'spawn') spawn(id, url, ports[0], page);
      else end(id);
    };
  }

  /** @type {(id: number, url: string, port: MessagePort, page: MessagePort) => void} */
  function spawn(id, url, port, page) {
    const worker = new Worker(box?.createScriptURL(url) ?? url, { name: 'sandbox' });
    workers.set(id, worker);
    worker.onmessage = () => page.postMessage({ id, fault: null });
    worker.onerror = ({ message }) => page.postMessage({ id, fault: message || 'its script could not be run' });
    worker.postMessage(null, [port]);
  }

  /** @param {number} id */
  function end(id) {
    workers.get(id)?.terminate();
    workers.delete(id);
  }

  addEventListener('message', begin);
})();
