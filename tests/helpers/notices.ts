/** What the page says of faults: one sentence each, with at most one thing to press. */
import { expect } from 'vitest';
import type { Locator, Page } from '@playwright/test';
import { patienceMs, statusOf } from './lab';

/** The one sentence about a fault that the run has mended, and the names of its buttons. */
export async function expectNotice(page: Page, sentence: RegExp, actions: readonly string[] = []) {
  const notice = page.getByRole('note').filter({ hasText: sentence });
  await notice.waitFor({ timeout: patienceMs });
  expect(await notice.count()).toBe(1);
  expect(await buttonsOf(notice.getByRole('button'))).toEqual([...actions, 'Dismiss']);
  return notice;
}

/** The one sentence about a fault that ended the run, and the one thing to press. */
export async function expectFailure(page: Page, sentence: RegExp, action: string) {
  const alert = page.getByRole('alert');
  await alert.waitFor({ timeout: patienceMs });
  expect(await alert.innerText()).toMatch(sentence);
  expect(await buttonsOf(alert.getByRole('button'))).toEqual([action, 'Dismiss']);
  expect(await statusOf(page)).toMatch(/^Stopped/);
  return alert.getByRole('button', { name: action });
}

async function buttonsOf(buttons: Locator): Promise<string[]> {
  return buttons.evaluateAll((all) =>
    all.map((each) => each.getAttribute('aria-label') ?? each.textContent?.trim() ?? ''),
  );
}
