/** Paper: a lesson, the class hour and the Lab print without controls, nothing is fixed, and no chart is cut. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { longMs, patienceMs, untilStatus } from '../helpers/lab';

/** Of a sheet of A4 within its usual margins. */
const sheet = { width: 718, height: 1000 };

async function expectPrintable(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize(sheet);
  const controls = 'button:not(.tile), nav, select, [role="tablist"], input:is([type="range"], [type="search"])';
  const left = page.locator(controls).filter({ visible: true });
  expect(
    (await left.evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 80)))).filter(
      (each) => !each.startsWith('<select'),
    ),
    `controls of ${name}`,
  ).toEqual([]);
  const found = await page.evaluate(() => {
    const seen = [...document.querySelectorAll<HTMLElement>('#app *')].filter((each) => each.checkVisibility());
    const styleOf = (each: Element) => getComputedStyle(each);
    return {
      fixed: seen.filter((each) => /fixed|sticky/.test(styleOf(each).position)).map(({ className }) => className),
      beyond: seen
        .filter((each) => each.matches('figure, canvas, table, svg') && each.getBoundingClientRect().right > innerWidth)
        .map(({ tagName }) => tagName),
      ink: styleOf(document.querySelector('h1')!).colorScheme,
      overflowPx: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
  expect(found, name).toEqual({ fixed: [], beyond: [], ink: 'light', overflowPx: 0 });
}

test('a lesson, the class hour and the Lab are printed', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/learn/1', gpu: 'no adapter' });
  await page.getByRole('heading', { name: /^After \d+ iterations ✓ right$/ }).waitFor({ timeout: patienceMs });
  await expectPrintable(page, 'the lesson');
  expect(await page.getByRole('radio').first().isVisible(), 'a choice to tick').toBe(true);

  const teachers = await openPage({ hash: '#/learn/teachers', gpu: 'no adapter' });
  await teachers.getByRole('heading', { level: 1, name: 'For teachers' }).waitFor();
  await expectPrintable(teachers, 'the class hour');
  expect(await teachers.getByRole('columnheader').first().isVisible(), 'a table on paper').toBe(true);

  const lab = await openPage({ gpu: 'no adapter', reducedMotion: 'reduce' });
  await untilStatus(lab, /^Ready/);
  await expectPrintable(lab, 'the Lab');
});
