// @vitest-environment dom
/** The Lab as a whole: its parts and tabs, a run from the first press to its end, and its keys. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import LabPage from '../../../src/ui/pages/lab/LabPage.svelte';
import { preferences } from '../../../src/ui/base/preferences.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
import { failed, solved } from '../../helpers/token-rollouts';
import { soon } from '../../helpers/soon';

stubPage();

let page: PageState;
let trainer: FakeTrainer;
let isPhone = false;
beforeEach(async () => {
  isPhone = false;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('719') && isPhone,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
});
const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};
const open = async (hide = '') => {
  const onHelp = vi.fn();
  const shown = show(LabPage, { hide, onHelp }, page);
  await come(shown);
  return { shown, onHelp };
};
/** Ids of the parts in sight. */
const parts = (shown: Shown) =>
  ['curves', 'rollouts', 'reader', 'chat', 'health'].filter((id) => !shown.find(`#${id}`).hidden);
const tabs = (shown: Shown) => shown.all('.tab').map((each) => each.textContent.replace(/\s+/g, ' ').trim());
const train = async (shown: Shown, until: Parameters<FakeTrainer['play']>[0]) => {
  shown.press('Train');
  await come(shown);
  trainer.play(until);
  await come(shown);
};

describe('its parts', () => {
  it('are the curves and the rollouts, with the reader, the chat or the health beside them', async () => {
    const { shown } = await open();
    expect([parts(shown), tabs(shown)]).toMatchInlineSnapshot(`
      [
        [
          "curves",
          "rollouts",
          "reader",
        ],
        [
          "Rollout",
          "Chat",
          "Health",
        ],
      ]
    `);
    shown.press('Chat');
    expect(parts(shown)).toEqual(['curves', 'rollouts', 'chat']);
    shown.press('Health');
    expect(parts(shown)).toEqual(['curves', 'rollouts', 'health']);
    expect(shown.find('.lab').className).toContain('sided');
  });

  it('are behind tabs on a phone', async () => {
    isPhone = true;
    const { shown } = await open();
    expect([parts(shown), tabs(shown)]).toMatchInlineSnapshot(`
      [
        [
          "curves",
          "health",
        ],
        [
          "Curve",
          "Rollouts",
          "Chat",
        ],
      ]
    `);
    expect(shown.all('.setup')).toHaveLength(1);
    shown.press('Chat');
    expect([parts(shown), shown.all('.setup').length]).toEqual([['chat'], 0]);
    expect(shown.find('.lab').className).not.toContain('sided');
  });

  it('on a phone bring the reader into sight when a rollout is read', async () => {
    isPhone = true;
    const { shown } = await open();
    await train(shown, 'running');
    trainer.tell({ type: 'iteration', metrics: metricsRow(1), rollouts: [solved, failed], fingerprint: [] });
    await come(shown);
    shown.press('Chat');
    expect(parts(shown)).toEqual(['chat']);
    page.workspace.actions!.read(1);
    await come(shown);
    expect(parts(shown)).toContain('reader');
  });

  it('may be hidden by the address', async () => {
    const { shown } = await open('intro,setup,chat,results');
    expect(shown.all('h1').map((each) => each.textContent)).toEqual(['Calculator, mini']);
    expect([shown.all('.setup').length, shown.all('.results').length, tabs(shown)]).toMatchInlineSnapshot(`
      [
        0,
        0,
        [
          "Rollout",
          "Health",
        ],
      ]
    `);
  });
});

describe('a run', () => {
  it('shows its curves, its rollouts and what its health is', async () => {
    const { shown } = await open();
    await train(shown, 2);
    trainer.tell({
      type: 'iteration',
      metrics: metricsRow(3, { success: 0.5, entropy: 0.01, kl: 9 }),
      rollouts: [{ ...solved }, { ...failed }],
      fingerprint: [],
    });
    await come(shown);
    expect(shown.find('#reader').textContent).toContain('What is 6*7?');
    shown.press('Health');
    await soon(async () => {
      await come(shown);
      expect(shown.all('#health li').length).toBeGreaterThan(3);
    });
    expect(tabs(shown)).toMatchInlineSnapshot(`
      [
        "Rollout",
        "Chat",
        "Health ▲ alarm: In-group deviation of rewards",
        "Conversation",
        "Tokens",
        "Rollouts",
        "JSON",
      ]
    `);
    const announced = shown.all('[aria-atomic="true"]').at(-1)!.textContent;
    expect(announced).toMatchInlineSnapshot(`"alarm: In-group deviation of rewards"`);
    trainer.play('finished');
    await soon(async () => {
      await come(shown);
      expect(shown.says.join()).toContain('Change one thing');
    });
    expect(shown.find('.turn').textContent.replace(/\s+/g, ' ').trim()).toMatchInlineSnapshot(`""`);
  });

  it('shows the loss of its warm start until its first point comes', async () => {
    const { shown } = await open();
    shown.press('Train');
    await come(shown);
    trainer.play('running');
    const copies = () => shown.says.some((line) => line.startsWith('figure "Copying'));
    trainer.tell({ type: 'warm-loss', step: 1, loss: 4 });
    await come(shown);
    expect(copies()).toBe(false);
    trainer.tell({ type: 'warm-loss', step: 2, loss: 3 });
    await soon(async () => {
      await come(shown);
      expect(copies()).toBe(true);
    });
    trainer.play(1);
    await come(shown);
    expect(copies()).toBe(false);
  });

  it('is read where it turned', async () => {
    const { shown } = await open();
    await train(shown, 'running');
    for (let i = 1; i <= 14; i++)
      trainer.tell({
        type: 'iteration',
        metrics: metricsRow(i, { success: i < 8 ? 0.05 : 0.95 }),
        rollouts: [{ ...(i < 8 ? failed : solved), iteration: i }],
        fingerprint: [],
      });
    trainer.tell({ type: 'state', state: 'finished' });
    await come(shown);
    const turn = shown.find('.turn').textContent;
    expect(turn).toContain('Behaviour changed at iteration 8, at the coloured dashed line');
    expect(shown.all('.turn button').map((each) => each.textContent)).toEqual([
      'Iteration 7: a rollout that failed',
      'Iteration 8: a rollout that solved its task',
    ]);
    const sides = shown.all('.turn button');
    shown.click(sides[0]);
    expect(shown.find('#reader').textContent).toContain('What is 6*7?');
  });
});

describe('its keys and what the page asks of it', () => {
  it('train, step, reset, talk, and show the settings', async () => {
    const { shown, onHelp } = await open();
    preferences.shortcuts = true;
    const key = async (pressed: string) => {
      shown.tell(document.body as never, 'keydown', {
        key: pressed,
        code: pressed,
        ctrlKey: false,
        metaKey: false,
        altKey: false,
      });
      await come(shown);
    };
    await key('c');
    expect([parts(shown), document.activeElement?.id]).toEqual([['curves', 'rollouts', 'chat'], 'chat-message']);
    (document.activeElement as HTMLElement).blur();
    await key('?');
    expect(onHelp).toHaveBeenCalledOnce();
    await key(' ');
    expect(trainer.orders).toEqual(['train 1']);
    preferences.shortcuts = false;
    await key('?');
    expect(onHelp).toHaveBeenCalledOnce();
    preferences.shortcuts = true;
  });

  it('are the actions of other pages while it is open', async () => {
    const { shown } = await open();
    const actions = page.workspace.actions!;
    actions.settings!();
    await come(shown);
    expect(shown.find('.setup details').open).toBe(true);
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })));
    actions.results();
    await soon(async () => {
      await come(shown);
      expect(shown.find('.results').querySelector('[role="alert"]')).not.toBeNull();
    });
    actions.share();
    await soon(async () => {
      await come(shown);
      expect(shown.all('dialog').some((dialog) => dialog.open)).toBe(true);
    });
    expect((await open('setup')).shown && page.workspace.actions!.settings).toBeNull();
  });

  it('open a round that was asked for, once its task can be played', async () => {
    vi.spyOn(page.tabRun.recordings, 'of').mockReturnValue(null);
    page.workspace.setup.choosePreset('bandit');
    page.workspace.asksFor = 'play';
    const { shown } = await open();
    await soon(async () => {
      await come(shown);
      expect(shown.all('dialog').some((dialog) => dialog.open)).toBe(true);
    });
    expect(page.workspace.asksFor).toBeNull();
  });
});
