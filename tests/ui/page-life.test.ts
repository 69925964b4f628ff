/** The browser's events about a page that comes and goes, on a document and a window that only have events. */
import { afterEach, expect, it, vi } from 'vitest';
import { watchPageLife } from '../../src/ui/app/page-life';

afterEach(() => vi.unstubAllGlobals());

function page() {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const window = new EventTarget();
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  let nowMs = 0;
  const heard: string[] = [];
  const stop = watchPageLife(
    {
      leaving: () => heard.push('leaving'),
      returned: (awayMs) => heard.push(`returned ${awayMs}`),
      woke: () => heard.push('woke'),
    },
    () => nowMs,
  );
  const turn = (state: string, atMs: number) => {
    nowMs = atMs;
    document.visibilityState = state;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  return { document, window, heard, stop, turn };
}

it('tells how long a page was hidden', () => {
  const { heard, turn } = page();
  turn('hidden', 1000);
  turn('visible', 91_000);
  turn('hidden', 100_000);
  turn('visible', 100_500);
  expect(heard).toEqual(['leaving', 'returned 90000', 'leaving', 'returned 500']);
});

it('leaves once more when the page is frozen or left, and counts from when it was hidden', () => {
  const { document, window, heard, turn } = page();
  turn('hidden', 0);
  document.dispatchEvent(new Event('freeze'));
  document.dispatchEvent(new Event('resume'));
  turn('visible', 70_000);
  window.dispatchEvent(new Event('pagehide'));
  expect(heard).toEqual(['leaving', 'leaving', 'woke', 'returned 70000', 'leaving']);
});

it('hears nothing any more once it was stopped', () => {
  const { document, window, heard, stop, turn } = page();
  stop();
  turn('hidden', 0);
  document.dispatchEvent(new Event('freeze'));
  document.dispatchEvent(new Event('resume'));
  window.dispatchEvent(new Event('pagehide'));
  expect(heard).toEqual([]);
});
