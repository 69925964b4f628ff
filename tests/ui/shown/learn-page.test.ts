// @vitest-environment dom
/** The list of lessons with what was finished, and what an address opens of them. */
import { beforeEach, expect, it, vi } from 'vitest';
import { lessons } from '../../../src/lessons/table';
import LearnPage from '../../../src/ui/pages/learn/LearnPage.svelte';
import { Practice } from '../../../src/ui/pages/learn/practice.svelte';
import { progress } from '../../../src/ui/pages/learn/progress.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage } from '../../helpers/fake-trainer';

stubPage();
beforeEach(() => progress.clear());

const open = async (hash: string) => {
  location.hash = hash;
  return show(LearnPage, {}, await new FakeBrowser().open());
};
const go = async (shown: Shown, hash: string) => {
  location.hash = hash;
  shown.tell(window, 'hashchange');
  await settle();
};

it('lessons are listed, and those that were finished are marked until that is forgotten', async () => {
  progress.finish(2);
  const shown = await open('#/learn');
  const links = shown.all('ol a').map((link) => [link.getAttribute('href'), link.textContent]);
  expect(links).toEqual(lessons.map(({ title }, i) => [`#/learn/${i + 1}`, title]));
  const done = () => shown.all('.state').flatMap((state, i) => (state.textContent.includes('✓') ? [i + 1] : []));
  expect([done(), shown.find('.progress').textContent.trim()]).toEqual([
    [2],
    `1 of ${lessons.length} done Forget my progress`,
  ]);
  shown.click(shown.find('.progress button'));
  expect([done(), shown.all('.progress button').length]).toEqual([[], 0]);
  expect(shown.find('.teachers a').getAttribute('href')).toBe('#/learn/teachers');
});

it('an address opens a lesson, the list or the page for teachers, and ends what is practised', async () => {
  const stop = vi.spyOn(Practice.prototype, 'stop');
  const tops = vi.fn();
  vi.stubGlobal('scrollTo', tops);
  const shown = await open('#/learn/2');
  const title = () => shown.find('#learn-title').textContent;
  expect(title()).toBe(lessons[1].title);
  for (const [hash, opened] of [
    ['#/learn/1', lessons[0].title],
    ['#/learn/teachers', 'For teachers'],
    ['#/learn/999', 'Learn'],
    ['#/learn', 'Learn'],
    ['#/learn/2', lessons[1].title],
  ]) {
    await go(shown, hash);
    expect([title(), document.activeElement === shown.find('#learn-title')]).toEqual([opened, true]);
  }
  expect([stop.mock.calls.length, tops.mock.calls]).toEqual([4, Array(4).fill([0, 0])]);
  await go(shown, '#/learn/2?');
  expect(tops).toHaveBeenCalledTimes(4);
});
