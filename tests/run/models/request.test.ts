import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { answerOf } from '../../../src/run/models/request';

const options = (signal: AbortSignal) => ({
  fetch: (_: unknown, init?: RequestInit) =>
    init!.signal!.aborted ? Promise.reject(init!.signal!.reason as Error) : Promise.resolve(new Response('{}')),
  signal,
  wait: () => Promise.resolve(),
});

test('a download of many requests leaves nothing at the signal that stops it', async () => {
  const { signal } = new AbortController();
  for (let i = 0; i < 20; i++) await answerOf('config.json', 'https://hub.test/config.json', options(signal));
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('a signal that was aborted stops a request', async () => {
  const stop = new AbortController();
  stop.abort(new Error('Stopped.'));
  await expect(answerOf('config.json', 'https://hub.test/config.json', options(stop.signal))).rejects.toThrow(
    'Stopped.',
  );
});
