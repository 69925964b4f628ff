// @vitest-environment dom
/** Worlds: their cards, the scenes of two answers, and the first minute of one that is trained there. */
import cards from 'virtual:world-cards';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import FirstMinute from '../../../src/ui/pages/gallery/FirstMinute.svelte';
import GalleryPage from '../../../src/ui/pages/gallery/GalleryPage.svelte';
import WorldCard from '../../../src/ui/pages/gallery/WorldCard.svelte';
import * as drawings from '../../../src/ui/state/run/drawings';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
import { failed, solved } from '../../helpers/token-rollouts';

stubPage();

let page: PageState;
let trainer: FakeTrainer;
beforeEach(async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })));
  const browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
});
const come = async (shown: Shown) => {
  await settle();
  shown.tell(shown.root, 'nothing');
};
const card = {
  preset: 'calculator-mini',
  title: 'Calculator',
  task: 'Compute.',
  before: { ...failed, outcome: 'no', why: '' },
  after: { ...solved, iteration: 14, outcome: '42', why: '' },
  measure: 'unseen',
  curve: [
    { iteration: 1, success: 0.25 },
    { iteration: 14, success: 0.75 },
  ],
  ood: { what: 'Larger numbers.', rise: [0.05, 0.5] },
  tools: [{ name: 'calc', description: 'Calculates.' }],
  parameters: 12_000,
  options: [{ title: 'Level', value: 2 }],
  recordedMs: 60_000,
} as never;

describe('a card', () => {
  it('has its task, two answers, its curve, tasks beyond practice, its tools and its time', () => {
    expect(show(WorldCard, { card, ms: 90_000 }).says).toMatchInlineSnapshot(`
      [
        "# link "Calculator" → #/lab?v=1&preset=calculator-mini",
        "Compute.",
        "What is 6*7?",
        "group "Answers to one task"",
        "button "Before training no ✗ wrong", pressed",
        "button "After iteration 14 42 ✓ right"",
        "img "Success in the recorded run: 25 % at first, 75 % at the end"",
        "25 % → 75 % of new tasks solved, iteration 1 → 14 5 % → 50 % solved beyond practice",
        "ul "Tools"",
        "calc",
        "link "Now you: play Calculator yourself" → #/lab?v=1&preset=calculator-mini&play",
        "12K parameters Level: 2 takes minutes here",
      ]
    `);
    expect(show(WorldCard, { card: { ...(card as object), tools: [] } as never, ms: null }).says.slice(-3))
      .toMatchInlineSnapshot(`
      [
        "no tools",
        "link "Now you: play Calculator yourself" → #/lab?v=1&preset=calculator-mini&play",
        "12K parameters Level: 2",
      ]
    `);
  });
});

it('a card plays both answers once it is seen: the one before training, then the one after it', async () => {
  const scene = (text: string) => ({ width: 9, height: 9, shapes: [{ kind: 'text', x: 1, y: 8, text }] });
  const answers = [[{ scenes: [scene('before')] }, { scenes: [scene('after')] }]];
  const drawn = vi.spyOn(drawings, 'answerDrawings').mockResolvedValue(answers as never);
  const watching: { seen: Set<unknown>; tell(entries: object[]): void }[] = [];
  const Seen = IntersectionObserver as unknown as new (tell: (entries: object[]) => void) => (typeof watching)[number];
  vi.stubGlobal(
    'IntersectionObserver',
    class extends Seen {
      constructor(tell: (entries: object[]) => void) {
        super(tell);
        watching.push(this);
      }
    },
  );
  const shown = show(WorldCard, { card, ms: null });
  watching[0].tell([{ isIntersecting: false }]);
  expect(drawn).not.toHaveBeenCalled();
  watching[0].tell([{ isIntersecting: true }]);
  await come(shown);
  expect([drawn.mock.calls.length, watching[0].seen.size]).toEqual([1, 0]);
  const scenes = () => shown.all('svg[role="img"] text').map((text) => text.textContent);
  const pressed = () => shown.all('.answer').map((each) => each.getAttribute('aria-pressed'));
  expect([scenes(), pressed()]).toEqual([['before'], ['true', 'false']]);
  shown.click(shown.all('.answer')[1]);
  expect([scenes(), pressed()]).toEqual([['after'], ['false', 'true']]);
  shown.click(shown.all('.answer')[0]);
  expect(pressed()).toEqual(['true', 'false']);
});

describe('the first minute', () => {
  it('trains the world of its card here, and says what it came to', async () => {
    page.workspace.setup.choosePreset('bandit');
    const shown = show(FirstMinute, { card, ms: 20_000 }, page);
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "What is 6*7?",
        "no ✗ wrong",
        "# Compute.",
        "At first this small agent solves 25 % of new tasks. Let it practise.",
        "button "Train it here", primary",
        "takes under a minute here",
      ]
    `);
    shown.press('Train it here');
    await come(shown);
    expect([trainer.orders, page.workspace.setup.preset?.name]).toEqual([['train 1'], 'calculator-mini']);
    trainer.play('running');
    trainer.tell({
      type: 'iteration',
      metrics: metricsRow(1, { success: 0.25, validationSuccess: 0.25 }),
      rollouts: [{ ...failed, iteration: 1, prompt: 'What is 1+1?' }],
      fingerprint: [],
    });
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "What is 1+1?",
        "The drawing comes …",
        "no ✗ wrong",
        "# Compute.",
        "At first this small agent solves 25 % of new tasks. Let it practise.",
        "Success in practice: 25 % at first, 25 % now",
        "link "See how it learns" → #/lab",
        "RL iteration 1/14",
      ]
    `);
    vi.setSystemTime(Date.now() + 100);
    trainer.tell({
      type: 'iteration',
      metrics: metricsRow(2, { success: 0.5 }),
      rollouts: [{ ...solved, iteration: 2, prompt: 'What is 2+2?' }],
      fingerprint: [],
    });
    await come(shown);
    expect(shown.says).toContain('What is 1+1?');
    await vi.advanceTimersByTimeAsync(5000);
    trainer.tell({
      type: 'iteration',
      metrics: metricsRow(14, { success: 0.75, validationSuccess: 0.75 }),
      rollouts: [{ ...solved, iteration: 14, prompt: 'What is 3+3?' }],
      fingerprint: [],
    });
    await come(shown);
    expect(shown.says).toContain('What is 3+3?');
    trainer.tell({ type: 'state', state: 'finished' });
    await come(shown);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "What is 3+3?",
        "The drawing comes …",
        "42 ✓ right",
        "# Compute.",
        "The agent now solves 75 % of new tasks. After iteration 1 it solved 25 %.",
        "Success in practice: 25 % at first, 75 % now",
        "link "Now you" → #/lab?v=1&preset=calculator-mini&play, primary",
        "link "See how it learns" → #/lab",
        "Finished · iteration 14/14",
      ]
    `);
  });

  it('leads to the Lab while another world is trained', async () => {
    page.workspace.setup.choosePreset('bandit');
    page.tabRun.commands.train.run();
    await settle();
    const shown = show(FirstMinute, { card, ms: null }, page);
    await come(shown);
    expect(shown.says.slice(-2)).toMatchInlineSnapshot(`
      [
        "link "See how it learns" → #/lab",
        "Preparing · iteration 0/20",
      ]
    `);
  });
});

it('the page has a card for each world, and one for a world of one’s own', async () => {
  const shown = show(GalleryPage, {}, page);
  await come(shown);
  expect(shown.all('.link-card')).toHaveLength(cards.length + 1);
  expect(shown.all('h2 a').at(-1)!.getAttribute('href')).toBe('#/lab?own');
});
