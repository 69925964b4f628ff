/** The table of commands: each says why it cannot be given now, and then a press gives no order. */
import { beforeAll, expect, test, vi } from 'vitest';
import type { SavedRun } from '../../src/run/store/saved-run';
import type { LabActions } from '../../src/ui/base/shortcuts';
import { text } from '../../src/ui/state/run/text';
import type { PageState } from '../../src/ui/state/page-state.svelte';
import { FakeBrowser, onCpu, settle, stubPage } from '../helpers/fake-trainer';
import { soon } from '../helpers/soon';

let preferences: (typeof import('../../src/ui/base/preferences.svelte'))['preferences'];
let commandsOf: (typeof import('../../src/ui/pages/palette/commands'))['commandsOf'];
beforeAll(async () => {
  // The theme is put on the document when its module is loaded.
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('addEventListener', () => undefined);
  ({ commandsOf } = await import('../../src/ui/pages/palette/commands'));
  ({ preferences } = await import('../../src/ui/base/preferences.svelte'));
});
stubPage();

const { why } = text;

type Given = (page: PageState) => void;
const orders = {
  train: ({ tabRun: { commands } }) => commands.train.run(),
  pause: ({ tabRun: { commands } }) => commands.pause.run(),
  step: ({ tabRun: { commands } }) => commands.step.run(),
  reset: ({ tabRun: { commands } }) => commands.reset.run(),
  extend: ({ tabRun: { commands } }) => commands.extend.run(),
  resume: ({ tabRun, workspace }) => tabRun.commands.resume.run(workspace.saved.list[0]),
  branch: ({ tabRun, workspace }) => tabRun.commands.branch.run(1, workspace.setup.config!, () => ''),
  changeReward: ({ tabRun: { commands } }) => commands.changeReward.run({ weights: {}, source: undefined }, () => ''),
} satisfies Record<string, Given>;
type Name = keyof typeof orders;

const other: SavedRun = {
  id: 'other',
  title: 'Other',
  savedAtMs: 0,
  iteration: 2,
  warmSteps: 1,
  finished: false,
} as never;

/** Pages in every state that a run can have, and what no command can do there. */
const pages: Record<string, { open: () => Promise<FakeBrowser>; refused: Partial<Record<Name, string>> }> = {
  idle: {
    open: () => pageAt(null),
    refused: {
      pause: why.notBusy,
      reset: why.noRun,
      extend: why.notFinished,
      branch: why.noRun,
      changeReward: why.otherRun,
    },
  },
  'without a trainer': {
    open: async () => {
      const browser = newBrowser();
      browser.device = Promise.reject(new Error('no worker'));
      await browser.open();
      return browser;
    },
    refused: {
      train: why.notReady,
      pause: why.notBusy,
      step: why.notReady,
      reset: why.noRun,
      extend: why.notFinished,
      resume: why.notReady,
      branch: why.noRun,
      changeReward: why.otherRun,
    },
  },
  preparing: {
    open: () => pageAt('preparing'),
    refused: {
      train: why.busy,
      step: why.busy,
      extend: why.notFinished,
      resume: why.pauseFirst,
      branch: why.noRun,
      changeReward: why.otherRun,
    },
  },
  running: {
    open: () => pageAt(2),
    refused: { train: why.busy, step: why.busy, extend: why.notFinished, resume: why.pauseFirst },
  },
  pausing: {
    open: async () => {
      const browser = await pageAt(2);
      browser.trainer.tell({ type: 'state', state: 'pausing' });
      return browser;
    },
    refused: {
      train: why.busy,
      pause: why.pausing,
      step: why.busy,
      extend: why.notFinished,
      resume: why.pauseFirst,
      branch: why.preparing,
      changeReward: why.preparing,
    },
  },
  paused: {
    open: async () => {
      const browser = await pageAt(2);
      browser.page.tabRun.commands.pause.run();
      await settle();
      return browser;
    },
    refused: { pause: why.notBusy, extend: why.notFinished },
  },
  finished: {
    open: () => pageAt('finished'),
    refused: { pause: why.notBusy, step: why.finished, changeReward: why.rewardAtEnd },
  },
  failed: {
    open: async () => {
      const browser = await pageAt(2);
      browser.trainer.tell({ type: 'state', state: 'failed', message: 'It broke.', remedy: 'start-over' });
      return browser;
    },
    refused: { pause: why.notBusy, extend: why.notFinished, changeReward: why.preparing },
  },
};

function newBrowser(): FakeBrowser {
  const browser = new FakeBrowser();
  browser.saved.push(other);
  return browser;
}

async function pageAt(until: Parameters<FakeBrowser['trainer']['play']>[0] | null): Promise<FakeBrowser> {
  const browser = newBrowser();
  const page = await browser.open();
  browser.saved.splice(0, 1, { ...other, config: page.workspace.setup.config! });
  page.workspace.refreshSaved();
  if (until !== null) {
    page.tabRun.commands.train.run();
    await settle();
    browser.trainer.play(until);
  }
  return browser;
}

const cases = Object.keys(pages).flatMap((state) => (Object.keys(orders) as Name[]).map((name) => ({ state, name })));

test.each(cases)('$state: $name', async ({ name, state }) => {
  const { open, refused } = pages[state];
  const { page, trainer } = await open();
  const given = trainer.orders.length;
  const reason = refused[name] ?? null;
  expect(page.tabRun.commands[name].why).toBe(reason);
  (orders[name] as Given)(page);
  await settle();
  if (reason === null) expect(trainer.orders.length, 'an order').toBeGreaterThan(given);
  else expect(trainer.orders.length, 'no order').toBe(given);
});

test('the button has two roles', async () => {
  const { page } = await pageAt(2);
  expect(page.tabRun.commands.trainOrPause).toBe(page.tabRun.commands.pause);
  page.tabRun.commands.trainOrPause.run();
  await settle();
  expect(page.tabRun.commands.trainOrPause).toBe(page.tabRun.commands.train);
});

test('Train says what is wrong with the setup, and a paused run goes on regardless', async () => {
  const { page } = await pageAt(2);
  page.tabRun.commands.pause.run();
  await settle();
  page.workspace.setup.setError(['seed'], 'The seed is too large.');
  expect(page.tabRun.commands.train.why).toBeNull();
  const idle = await pageAt(null);
  idle.page.workspace.setup.setError(['seed'], 'The seed is too large.');
  expect(idle.page.tabRun.commands.train.why).toBe(text.run.obstacle('The seed is too large.'));
});

test('a press that is held can be taken back', async () => {
  let know = (): void => undefined;
  const browser = newBrowser();
  browser.device = new Promise((resolve) => (know = () => resolve(onCpu)));
  const page = await browser.open();
  expect([page.tabRun.commands.train.why, page.tabRun.commands.step.why, page.tabRun.commands.reset.why]).toEqual([
    null,
    null,
    why.noRun,
  ]);
  page.tabRun.commands.train.run();
  expect([page.tabRun.orders.isHeld, page.tabRun.commands.reset.why]).toEqual([true, null]);
  page.tabRun.commands.reset.run();
  expect(page.tabRun.orders.isHeld).toBe(false);
  know();
  await settle();
  expect(browser.trainer.orders).toEqual([]);
});

const actionsOf = (settings: (() => void) | null, pressed: string[]): LabActions => {
  const press = (name: string) => () => void pressed.push(name);
  return {
    trainOrPause: press('trainOrPause'),
    step: press('step'),
    reset: press('reset'),
    chat: press('chat'),
    read: () => undefined,
    fit: press('fit'),
    edit: press('edit'),
    help: press('help'),
    settings,
    share: press('share'),
    play: press('play'),
    results: press('results'),
  };
};

const contextsOf = ({ trainer, tabRun, workspace }: PageState) => ({ trainer, tabRun, workspace });

test('what the Lab alone can do waits until it is open', async () => {
  const { page } = await pageAt(null);
  const { chat, settings, edit, play, share, fit } = page.tabRun.commands;
  const all = [chat, settings, edit, play, share, fit];
  expect(all.map((each) => each.why)).toEqual(all.map(() => why.otherPage));
  const pressed: string[] = [];
  page.workspace.actions = actionsOf(null, pressed);
  expect(all.map((each) => each.why)).toEqual([null, why.hidden, null, null, null, null]);
  for (const each of all) each.run();
  expect(pressed).toEqual(['chat', 'edit', 'play', 'share', 'fit']);
  page.workspace.actions = actionsOf(() => void pressed.push('settings'), pressed);
  settings.run();
  expect(pressed.at(-1)).toBe('settings');
  page.workspace.setup.config = null;
  expect([play.why, share.why]).toEqual([why.notReady, why.notReady]);
});

test('the palette says of each command what its button says', async () => {
  for (const { open } of Object.values(pages)) {
    const { page } = await open();
    const found = commandsOf({ ...contextsOf(page), labHash: '#/lab', onHelp: () => undefined });
    const reasonOf = (key: string) => found.find((each) => each.key === key)?.why;
    const { trainOrPause, step, reset, chat, edit, fit } = page.tabRun.commands;
    expect(['Space', '.', 'R', 'C', 'E', '0'].map(reasonOf)).toEqual(
      [trainOrPause, step, reset, chat, edit, fit].map((each) => each.why),
    );
    const name = page.tabRun.run.busy ? 'Pause' : page.tabRun.run.state === 'finished' ? 'Train again' : 'Train';
    expect(found[0].name).toBe(name);
  }
});

test('the palette goes to the Lab before it gives an order, and opens worlds, pages and files', async () => {
  const { page, trainer } = await pageAt(null);
  location.hash = '#/runs';
  const palette = () => commandsOf({ ...contextsOf(page), labHash: '#/lab?v=1', onHelp: () => undefined });
  const named = (name: string) => palette().find((each) => each.name === name)!;
  palette()[0].act();
  await settle();
  expect([location.hash, trainer.orders]).toEqual(['#/lab?v=1', ['train 1']]);
  named('Runs').act();
  expect(location.hash).toBe('#/runs');
  const world = palette().find(({ kind }) => kind === 'world')!;
  world.act();
  expect(location.hash).toBe('#/lab?v=1&preset=calculator-mini');
  const exports = () => palette().filter(({ kind }) => kind === 'export');
  expect(exports().every((each) => each.why)).toBe(true);
  trainer.play(2);
  expect(exports().filter((each) => each.why)).toEqual([]);
  trainer.tell({ type: 'state', state: 'failed' });
  expect(exports().filter((each) => each.why).length, 'there is no agent to save').toBe(1);
});

const paletteOf = (page: PageState, onHelp = () => undefined as void) => {
  const found = commandsOf({ ...contextsOf(page), labHash: '#/lab?v=1', onHelp });
  return (name: string) => found.find((each) => each.name === name)!;
};

test('the palette stays at the Lab’s address where the Lab is open', async () => {
  const { page } = await pageAt(null);
  location.hash = '#/lab?v=1&seed=3';
  paletteOf(page)('Lab').act();
  expect(location.hash).toBe('#/lab?v=1&seed=3');
  location.hash = '#/learn';
  paletteOf(page)('Lab').act();
  expect(location.hash).toBe('#/lab?v=1');
});

test('the palette compares the latest six runs, and none where there is no trainer', async () => {
  const { page, trainer } = await pageAt(null);
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  trainer.answer({ runs: async () => ids.map((id) => ({ id }) as never) });
  paletteOf(page)('Compare the latest runs').act();
  await soon(async () => {
    await settle();
    expect(location.hash).toBe('#/runs');
  });
  expect(page.workspace.queue!.wanted).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  const lost = await pageAt(null);
  location.hash = '#/lab';
  vi.spyOn(lost.page.trainer, 'api', 'get').mockReturnValue(null);
  paletteOf(lost.page)('Compare the latest runs').act();
  await soon(async () => {
    await settle();
    expect(location.hash).toBe('#/runs');
  });
  expect(lost.page.workspace.queue!.wanted).toEqual([]);
});

test('the palette says why runs could not be compared', async () => {
  const { page, trainer } = await pageAt(null);
  trainer.answer({ runs: () => Promise.reject(new Error('The store is gone.')) });
  paletteOf(page)('Compare the latest runs').act();
  await soon(async () => {
    await settle();
    expect(page.workspace.failures.current?.sentence).toBe('The store is gone.');
  });
  expect([page.workspace.failures.current?.action, location.hash]).toEqual([null, '#/lab']);
});

test('the palette changes the theme, presents, and lists the keys', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  const { page } = await pageAt(null);
  const onHelp = vi.fn();
  const named = (name: string) => paletteOf(page, onHelp)(name);
  const { theme } = preferences;
  named('Dark theme').act();
  expect(preferences.theme).toBe('dark');
  named('Light theme').act();
  expect(preferences.theme).toBe('light');
  preferences.theme = theme;
  named('Present: larger type, only the curve and the reader').act();
  expect(preferences.present).toBe(true);
  named('End presenting').act();
  expect(preferences.present).toBe(false);
  expect(named('Keyboard shortcuts').key).toBe('?');
  named('Keyboard shortcuts').act();
  expect(onHelp).toHaveBeenCalledOnce();
});
