/**
 * Has a worker run the items, as the site does, and reports to the server that served the page. Failures are reported,
 * too.
 */
const report = (body: object) => fetch('/report', { method: 'POST', body: JSON.stringify(body) });

const worker = new Worker(new URL('./items.worker.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }: MessageEvent<object>) =>
  void report({ userAgent: navigator.userAgent, observations: data });
worker.onerror = ({ message }) => void report({ userAgent: navigator.userAgent, fault: message });
