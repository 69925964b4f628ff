/** What moves from the press of Train to the first point. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, patienceMs, press, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';

/** Names of the phases, the one at hand in brackets. */
const phases = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Phases of this run' })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => {
        const words = item.textContent.replace(/^\S\s*/, '').trim();
        return item.getAttribute('aria-current') === 'step' ? `[${words}]` : words;
      }),
    );

/** Presses Train in the page, waits a second there, and says what stands there then. */
const aSecondAfterTrain = (
  page: Page,
): Promise<{ status: string; current: string | null; ghost: boolean; axes: boolean }> =>
  page.evaluate(
    ([act]) =>
      new Promise((resolve) => {
        (new Function(`return (${act})('Train')`) as () => void)();
        setTimeout(() => {
          const success = [...document.querySelectorAll('figure')].find(
            (figure) => figure.querySelector('h3')?.textContent === 'Success',
          );
          resolve({
            status: document.querySelector('[role=status]')!.textContent!,
            current: document.querySelector('li[aria-current=step]')?.textContent ?? null,
            ghost: success?.querySelector('.readings')?.textContent?.includes('recorded run') ?? false,
            axes: success?.querySelector('canvas') !== null,
          });
        }, 1000);
      }),
    [String(press)],
  );

test(
  'the recorded curve stays from the press of Train on, and the first point comes',
  { timeout: 2 * longMs },
  async () => {
    // A GPU, whose kernels compile first.
    const page = await openPage({ hash: '#/lab?v=1&preset=calculator&device=gpu' });
    await untilReady(page);
    const seen = await aSecondAfterTrain(page);
    expect(seen).toMatchObject({ ghost: true, axes: true });
    expect(seen.status).toMatch(/^(Preparing|Compiling \d+ of \d+ kernels) · iteration 0\/\d+/);
    expect(seen.current).toMatch(/Prepare/);
    expect(await phases(page)).toEqual([
      '[Prepare]',
      'Copy examples · already done: recorded start',
      'Learn by trying',
    ]);
    await expectAccessibleEverywhere(page, 'kernels compile');
    await untilStatus(page, /iteration [1-9]/, 2 * patienceMs);
    expect((await phases(page))[2]).toBe('[Learn by trying]');
  },
);

test(
  'examples that are copied here show their loss in the success chart, and a count that moves',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ warm: 80 }) });
    await untilReady(page);
    await trainButton(page).click();
    await untilStatus(page, /^Copying examples [1-9]\d* of 80 · iteration 0/);
    const success = page.getByRole('figure', { name: /^Success/ });
    await success
      .getByRole('figure', { name: /^Copying examples: loss [\d.]+ at first, [\d.]+ after \d+ batches\.$/ })
      .waitFor();
    expect(await phases(page)).toEqual(['Prepare', '[Copy examples]', 'Learn by trying']);
    await expectAccessibleEverywhere(page, 'examples are copied');
    await untilStatus(page, /iteration [1-9]/);
    expect(await success.getByRole('figure').count()).toBe(0);
  },
);
