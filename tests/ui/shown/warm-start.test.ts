// @vitest-environment dom
/** What the settings say of the warm start: whether it is recorded, and how long it takes here. */
import { beforeEach, expect, it } from 'vitest';
import AllSettings from '../../../src/ui/panels/setup/AllSettings.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';

stubPage();

let page: PageState;
let trainer: FakeTrainer;
beforeEach(async () => {
  const browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
  await settle();
});

it('says whether the start is recorded', async () => {
  const { setup } = page.workspace;
  const { environment } = setup.preset!;
  const note = (warmStart: string, recorded: boolean) => {
    setup.plan = { ...setup.plan!, warmStart: warmStart as never };
    const config = { ...setup.config!, warmStart: { ...setup.config!.warmStart, recorded } };
    return show(AllSettings, { config, environment }, page).find('#start-note').textContent.trim();
  };
  await settle();
  expect(note('recorded', true)).toMatch(/^Off: the agent starts from weights that copied examples before\. How/);
  expect(note('trained', true)).toMatch(/^No start is recorded for these settings,/);
  expect(note('trained', false)).toMatch(/^The agent copies examples here first\. How/);
  expect(note('none', true)).toBe('');
});

it('says how long a start takes, once an iteration was measured: the last one counts', async () => {
  const { setup } = page.workspace;
  const { environment } = setup.preset!;
  const config = { ...setup.config!, warmStart: { ...setup.config!.warmStart, recorded: false } };
  const note = () => show(AllSettings, { config, environment }, page).find('#start-note').textContent.trim();
  const unknown = 'How long copying them takes here is not known yet.';
  await settle();
  setup.plan = { parameters: 1, totalBytes: 1, warmStart: 'trained', problems: [], notices: [] };
  expect(note()).toContain(unknown);
  page.tabRun.commands.train.run();
  await settle();
  trainer.play('running');
  expect(note(), 'no iteration has ended').toContain(unknown);
  const { rollout, algorithm } = config;
  const trainMs = rollout.tasks * rollout.group * algorithm.epochs;
  for (const ms of [9 * trainMs, (60_000 * trainMs) / (config.warmStart.steps * config.warmStart.batch)])
    trainer.tell({ type: 'iteration', metrics: metricsRow(1, { trainMs: ms }), rollouts: [], fingerprint: [] });
  expect(note()).toContain('Copying them takes about 1m00s here.');
});
