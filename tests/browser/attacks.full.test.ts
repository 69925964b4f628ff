/**
 * Every item of the attack corpus, ours and the one that `AGENTLET_ATTACKS` names, in the built page, each as its check
 * says. Nothing may touch the network or the realm that the sandbox runs in.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSandbox } from '../../src/cli/engine';
import { longMs, statusOf } from '../helpers/lab';
import { readCorpus } from '../attacks/corpus';
import { faultsOf } from '../attacks/judge';
import { observe } from '../attacks/tool-item';
import { linkFaults, linksOf } from '../attacks/link-item';
import { AttackedPage } from '../attacks/real-page';
import { formulasIn, hostileLink, hostileRecording, makings, unreadableLink } from '../attacks/render';
import { sourcePieces } from '../../src/lib/visible-source';

const items = readCorpus();
const linkItems = items.filter((item) => item.class === 'share-link');
const toolItems = items.filter((item) => item.class !== 'share-link');

test('the watch sees what it is for', { timeout: longMs }, async () => {
  const attacked = await AttackedPage.open({ attacked: true });
  const usual = await makings(attacked.page);
  await attacked.page.evaluate(() => {
    Object.assign(window, { __xss: 1 });
    Object.assign(Array.prototype, { extra: 1 });
    const image = document.createElement('img');
    image.id = 'body';
    document.body.append(image);
    return fetch(location.href).catch(() => {});
  });
  const traces = (await attacked.traces()).join('\n');
  for (const trace of [/a request was made/, /Array\.prototype\.extra of the page was changed/, /window\.__xss is set/])
    expect(traces).toMatch(trace);
  expect(await makings(attacked.page)).toEqual({ ...usual, '<img>': (usual['<img>'] ?? 0) + 1, 'id body': 1 });
});

for (const name of new Set(toolItems.map((item) => item.class))) {
  const members = toolItems.filter((item) => item.class === name);
  test(`${name}: ${members.length} items`, { timeout: longMs + 10_000 * members.length }, async () => {
    const page = await AttackedPage.open();
    const faults: string[] = [];
    for (const item of members) {
      const observed = await page.run(item.code, item.check.outcome);
      faults.push(
        ...[...faultsOf(item.check, observed, 'the page'), ...(await page.traces())].map(
          (fault) => `${item.name}: ${fault}`,
        ),
      );
    }
    expect(faults).toEqual([]);
  });
}

test(`share-link: ${linkItems.length} items`, { timeout: longMs }, async () => {
  const page = await AttackedPage.open();
  const before = await page.stored();
  const usual = await makings(page.page);
  const faults: string[] = [];
  for (const item of linkItems)
    for (const each of await linksOf(item.code)) {
      faults.push(...(await linkFaults(item.check, each, await page.open(each), `the page, ${item.name}`)));
      await page.visit(each.link);
      faults.push(...(await page.traces()).map((trace) => `${item.name}: ${trace}`));
      expect(await makings(page.page), item.name).toEqual(usual);
    }
  expect(faults).toEqual([]);
  expect(await page.stored(), 'what is stored').toEqual(before);
  expect(await statusOf(page.page), 'nothing runs').toMatch(/^Ready/);
});

test('ui-injection: what environments say is shown as text', { timeout: longMs }, async () => {
  const texts = await renderedTexts();
  const body = hostileRecording(texts);
  const attacked = await AttackedPage.open({
    before: (page) =>
      page.route('**/recordings/calculator.json', (route) => route.fulfill({ body, contentType: 'application/json' })),
  });
  const { page } = attacked;
  const rollouts = page.getByRole('region', { name: 'Rollouts', exact: true });
  await rollouts.getByText(`of ${texts.length} solved`).waitFor({ timeout: 30_000 });
  const plain = await (await AttackedPage.open()).page;
  const usual = await makings(plain);
  await page.getByRole('tab', { name: 'Conversation' }).focus();
  const unread = new Set(texts);
  for (let i = 0; i <= texts.length; i++) {
    for (const tab of ['Tokens', 'Conversation']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await makings(page), `rollout ${i}, ${tab}`).toEqual(usual);
    }
    const shown = (await page.locator('main').textContent()) ?? '';
    for (const text of unread) if (shown.toWellFormed().includes(text.toWellFormed())) unread.delete(text);
    await page.keyboard.press('j');
  }
  expect([...unread], 'texts that were never shown').toEqual([]);
  expect(await attacked.traces()).toEqual([]);
  await page.getByText('More charts').click();
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(formulasIn(readFileSync(await csv.path(), 'utf8')), 'cells that a spreadsheet would run').toEqual([]);
  expect(csv.suggestedFilename()).toMatch(/^agentlet-[a-z0-9-]+-\d+-\d+\.csv$/);
});

test('ui-injection: what links say is shown as text', { timeout: longMs }, async () => {
  const attacked = await AttackedPage.open();
  const { page } = attacked;
  const usual = await makings(page);
  const title = await page.title();
  for (const text of await renderedTexts()) {
    await attacked.visit(await hostileLink(text));
    await expect
      .poll(async () => (await page.locator('.foreign pre').textContent({ timeout: 10_000 }))?.toWellFormed())
      .toBe(
        sourcePieces(text)
          .map((piece) => piece.text)
          .join(''),
      );
    expect(await page.getByRole('list', { name: 'About this link' }).getByRole('listitem').count()).toBeGreaterThan(2);
    expect(await makings(page), text).toEqual(usual);
    expect(await page.title()).toBe(title);
    await attacked.visit(unreadableLink(text));
    await page.getByText(/^This link cannot be opened\. /).waitFor();
    expect(await makings(page), text).toEqual(usual);
  }
  expect(await attacked.traces()).toEqual([]);
});

/** What items of the class `ui-injection`, and all others that ask for it, say in the sandbox. */
async function renderedTexts(): Promise<string[]> {
  const sandbox = await openSandbox();
  const texts: string[] = [];
  for (const item of toolItems.filter((each) => each.class === 'ui-injection' || each.check.renderInert)) {
    const { returned, text } = await observe(sandbox, item.code, item.check.outcome);
    texts.push(returned ?? text);
  }
  return [...new Set(texts)];
}
