/**
 * Has the worker that the address names do its work, as the site does, and reports to the server that served the page.
 * Failures are reported, too.
 */
const report = (body: object) => fetch('/report', { method: 'POST', body: JSON.stringify(body) });

const workers: Readonly<Record<string, () => Worker>> = {
  items: () => new Worker(new URL('./items.worker.ts', import.meta.url), { type: 'module' }),
  bits: () => new Worker(new URL('./bits.worker.ts', import.meta.url), { type: 'module' }),
};

const worker = workers[location.search.slice(1)]();
worker.onmessage = ({ data }: MessageEvent<object>) => void report({ userAgent: navigator.userAgent, answer: data });
worker.onerror = ({ message }) => void report({ userAgent: navigator.userAgent, fault: message });
