/**
 * Any worker of the page, by the name behind the # of its address. One file begins them all, so that a build keeps
 * once what they share.
 */
const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  '#trainer': () => import('./trainer.worker'),
  '#models': () => import('./models.worker'),
  '#file-reader': () => import('./file-reader.worker'),
};

/** What the page says before its part can hear it. */
const early: MessageEvent[] = [];
const keep = (event: MessageEvent) => void early.push(event);

addEventListener('message', keep);
parts[location.hash]().then(
  () => {
    removeEventListener('message', keep);
    for (const { data, origin, ports } of early)
      dispatchEvent(new MessageEvent('message', { data: data as unknown, origin, ports: [...ports] }));
  },
  (error: unknown) =>
    // The page hears of what a worker throws, and of no promise that failed.
    setTimeout(() => {
      throw error;
    }),
);

export type {};
