/** Whether the host has another version of the page, what is said of a part that is gone, and who claims a tab. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { text } from '../../src/ui/base/text';
import { claimableAs, loadProblem, wasReplaced } from '../../src/ui/base/version';

const html = (version: string) => `<!doctype html><meta name="version" content="${version}">`;
let host: (url: string, options: RequestInit) => Promise<Response>;
let here: string | undefined;
beforeEach(() => {
  here = 'a1';
  vi.stubGlobal('document', { querySelector: () => here && { content: here } });
  vi.stubGlobal('crossOriginIsolated', false);
  vi.stubGlobal('fetch', (url: string, options: RequestInit) => host(url, options));
});
afterEach(() => void vi.unstubAllGlobals());

test.each<[string, () => Promise<Response>, boolean]>([
  ['the same version', async () => new Response(html('a1')), false],
  ['another version', async () => new Response(html('b2')), true],
  ['no connection', () => Promise.reject(new Error('offline')), false],
  ['a page of an error', async () => new Response(html('b2'), { status: 500 }), false],
  ['a page without a version', async () => new Response('<!doctype html>'), false],
])('%s', async (_, answer, replaced) => {
  host = answer;
  expect(await wasReplaced()).toBe(replaced);
});

test('the host is asked, not what the browser keeps of it', async () => {
  const asked: unknown[] = [];
  host = async (...request) => {
    asked.push(request);
    return new Response(html('a1'));
  };
  await wasReplaced();
  expect(asked).toEqual([['/', { cache: 'no-store' }]]);
});

test('a part that is gone offers a reload only where the host has another version', async () => {
  host = async () => new Response(html('a1'));
  expect(await loadProblem('No connection?')).toEqual({ sentence: 'No connection?', action: null });
  host = async () => new Response(html('b2'));
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  const { sentence, action } = await loadProblem('No connection?');
  expect([sentence, action?.label]).toEqual([text.later.replaced, text.later.reload]);
  action!.act();
  expect(reload).toHaveBeenCalledOnce();
});

test('a tab that is isolated already, or has no version, is claimed by none', () => {
  expect(claimableAs()).toBe('a1');
  vi.stubGlobal('crossOriginIsolated', true);
  expect(claimableAs()).toBeNull();
  vi.stubGlobal('crossOriginIsolated', false);
  here = undefined;
  expect(claimableAs()).toBeNull();
});
