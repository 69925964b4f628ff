// @vitest-environment dom
/** Drawings: they play when they come into sight, step by their buttons, and a crowd of them plays side by side. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Drawing } from '../../../src/agent/drawing';
import type { Scene } from '../../../src/agent/scene';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import Crowd from '../../../src/ui/view/scenes/Crowd.svelte';
import RolloutScenes from '../../../src/ui/view/scenes/RolloutScenes.svelte';
import SceneView from '../../../src/ui/view/scenes/Scene.svelte';
import ScenePlayer from '../../../src/ui/view/scenes/ScenePlayer.svelte';
import Stepper from '../../../src/ui/view/scenes/Stepper.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { failed, solved } from '../../helpers/token-rollouts';

const scene = (text: string, width = 40): Scene =>
  ({ width, height: 20, shapes: [{ kind: 'text', x: 1, y: 10, text }] }) as unknown as Scene;
const scenes = [scene('zero'), scene('one', 60), scene('two')];

let still = false;
interface Sees {
  readonly seen: Set<unknown>;
  tell(entries: readonly object[]): void;
}
let watching: Sees[] = [];

beforeEach(() => {
  still = false;
  watching = [];
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: still, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  const Seen = IntersectionObserver as unknown as new (tell: (entries: readonly object[]) => void) => Sees;
  vi.stubGlobal(
    'IntersectionObserver',
    class extends Seen {
      constructor(tell: (entries: readonly object[]) => void) {
        super(tell);
        watching.push(this);
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The part of the page that is watched comes into sight, or leaves it. */
const comes = (isIntersecting: boolean) => {
  for (const one of watching) if (one.seen.size > 0) one.tell([{ isIntersecting }]);
};
const pass = async (shown: Shown, ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};

describe('a stepper', () => {
  const place = (shown: Shown) => shown.find('[aria-hidden="true"].tabular').textContent;
  const open = (more: Record<string, unknown> = {}) => {
    const onended = vi.fn();
    const seen = document.createElement('div');
    const props = { at: 0, last: 3, of: scenes, controls: true, plays: false, seen, onended, ...more };
    return { shown: show(Stepper, props as never), onended };
  };

  it('begins before the first step, and goes on and back by buttons and the scrubber, not beyond the ends', () => {
    const { shown } = open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "group "Play the episode"",
        "button "One step back", disabled",
        "button "Play it"",
        "button "One step on"",
        "range "Step of the episode": 0",
      ]
    `);
    const go = (name: string) => {
      shown.press(name);
      return place(shown);
    };
    expect(['One step on', 'One step on', 'One step back'].map(go)).toEqual(['1 / 3', '2 / 3', '1 / 3']);
    shown.write('Step of the episode', '3');
    expect([place(shown), shown.control('One step on').disabled]).toEqual(['3 / 3', true]);
    shown.write('Step of the episode', '9');
    expect(place(shown)).toBe('3 / 3');
    shown.write('Step of the episode', '-1');
    expect([place(shown), shown.control('One step back').disabled]).toEqual(['0 / 3', true]);
  });

  it('plays to the end and says so, may be held, and plays again from the beginning', async () => {
    const { shown, onended } = open();
    shown.press('Play it');
    await pass(shown, 799);
    expect(place(shown)).toBe('0 / 3');
    await pass(shown, 1);
    expect(place(shown)).toBe('1 / 3');
    shown.press('Hold it');
    await pass(shown, 5000);
    expect([place(shown), onended.mock.calls.length]).toEqual(['1 / 3', 0]);
    shown.press('Play it');
    await pass(shown, 1600);
    expect([place(shown), onended.mock.calls.length]).toEqual(['3 / 3', 0]);
    await pass(shown, 800);
    expect([onended.mock.calls.length, shown.says.includes('button "Play it"')]).toEqual([1, true]);
    shown.press('Play it');
    expect(place(shown)).toBe('0 / 3');
    shown.press('One step on');
    await pass(shown, 5000);
    expect(place(shown)).toBe('1 / 3');
  });

  it('plays by itself once it is seen, not for who asked for less motion', async () => {
    const { shown } = open({ plays: true });
    comes(false);
    await pass(shown, 5000);
    expect(place(shown)).toBe('0 / 3');
    comes(true);
    await pass(shown, 800);
    expect(place(shown)).toBe('1 / 3');
    expect(watching.every(({ seen }) => seen.size === 0)).toBe(true);
    still = true;
    expect(place(open({ plays: true }).shown)).toBe('3 / 3');
    expect(place(open().shown)).toBe('0 / 3');
    expect(open({ plays: true, seen: undefined }).shown.says).toHaveLength(5);
  });

  it('has nothing to play without scenes, and nothing to press without controls', () => {
    expect(open({ last: 0 }).shown.says).toMatchInlineSnapshot(`
      [
        "group "Play the episode"",
        "button "One step back", disabled",
        "button "Play it", disabled",
        "button "One step on", disabled",
        "range "Step of the episode": 0",
      ]
    `);
    expect(open({ controls: false }).shown.says).toEqual([]);
  });
});

describe('a player', () => {
  it('shows the scene at its place, in the size of the largest', () => {
    const shown = show(ScenePlayer, { scenes, at: 1, controls: true });
    const svg = () => shown.find('svg[role="img"]');
    expect(shown.find('.stage').style.getPropertyValue('--shape')).toBe('60 / 20');
    expect(svg().getAttribute('viewBox')).toBe('0 0 60 20');
    shown.press('One step on');
    shown.press('One step on');
    expect(svg().textContent).toContain('two');
    expect(shown.find('.stage').className).toContain('large');
    expect(show(ScenePlayer, { scenes }).says).toHaveLength(1);
    expect(show(ScenePlayer, { scenes, at: 9, follows: true, controls: true }).says).toHaveLength(1);
  });

  it('draws each mark with its colours', () => {
    const shapes = [
      { kind: 'rectangle', x: 1, y: 2, width: 3, height: 4, fill: 'wall' },
      { kind: 'circle', x: 5, y: 6, radius: 2, fill: 'good' },
      { kind: 'text', x: 1, y: 10, text: 'word' },
    ];
    const shown = show(SceneView, { scene: { width: 40, height: 20, shapes } as never });
    expect(shown.find('svg').getAttribute('viewBox')).toBe('0 0 40 20');
    expect(shown.all('g').map((group) => group.style.getPropertyValue('transform')).length).toBeGreaterThan(0);
  });
});

describe('the drawing of a rollout', () => {
  const drawing: Drawing = { scenes } as never;
  const open = (of: ((rollout: RolloutView) => Promise<Drawing | null>) | null, more: Record<string, unknown> = {}) =>
    show(RolloutScenes, { rollout: solved, source: { draws: true, of }, ...more });

  it('comes, and another stepper is told of its last scene', async () => {
    const onscenes = vi.fn();
    const of = vi.fn(() => Promise.resolve(drawing));
    const shown = open(of, { onscenes });
    expect(shown.says).toEqual(['The drawing comes …']);
    await pass(shown, 0);
    expect([onscenes.mock.calls, of.mock.calls]).toEqual([[[2]], [[solved]]]);
    expect(shown.says).toHaveLength(1);
    const own = open(of, { controls: true });
    await pass(own, 0);
    expect(own.says.join()).toContain('Play it');
  });

  it('is said to be missing, with the reason, or by what the page has instead', async () => {
    const said = async (answer: Promise<Drawing | null>) => {
      const shown = open(() => answer);
      await pass(shown, 0);
      return shown.says;
    };
    expect(await said(Promise.resolve(null))).toEqual(['There is no drawing of this rollout.']);
    expect(await said(Promise.resolve({ problem: 'It draws too much.' } as never))).toEqual(['It draws too much.']);
    expect(await said(Promise.reject(new Error()))).toEqual(['There is no drawing of this rollout.']);
    const waits = open(null);
    await pass(waits, 0);
    expect(waits.says).toEqual(['The drawing comes …']);
  });
});

describe('the crowd', () => {
  const at = (iteration: number, index: number, more: Partial<RolloutView> = {}) =>
    ({ ...(index % 2 === 0 ? solved : failed), iteration, index, group: index >> 1, ...more }) as RolloutView;
  const rollouts = [0, 1, 2, 3].map((index) => at(1, index));
  const drawings: readonly (Drawing | null)[] = [{ scenes }, { scenes: [scene('only')] }, null, { scenes }] as never;

  const open = (more: Record<string, unknown> = {}) => {
    const [draw, onpick] = [vi.fn((_: readonly RolloutView[]) => Promise.resolve(drawings)), vi.fn()];
    const shown = show(Crowd, { rollouts, draw, most: 3, onpick, ...more } as never);
    return { shown, draw, onpick };
  };

  it('waits for rollouts', () => {
    const { shown, draw } = open({ rollouts: [] });
    expect(shown.says).toEqual(['# Its rollouts', 'They play here once an iteration is over.']);
    expect(draw).not.toHaveBeenCalled();
  });

  it('draws as many as there is room for, and each says at its end how it ended', async () => {
    const { shown, draw, onpick } = open();
    await pass(shown, 100);
    expect(draw.mock.calls[0][0]).toEqual(rollouts.slice(0, 3));
    const marks = () => shown.all('.one').map((one) => one.querySelector('.mark')?.textContent ?? '');
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Its rollouts",
        "of iteration 1, by task · 1 of 3 ended well · press one to read it",
        "group "What is 6*7?"",
        "button "Rollout 1: solved"",
        "button "Rollout 2: failed"",
        "group "What is 6*7?"",
        "button "Rollout 3: solved"",
      ]
    `);
    expect(marks()).toEqual(['', '✗', '✓']);
    await pass(shown, 250);
    expect(marks()).toEqual(['', '✗', '✓']);
    await pass(shown, 400);
    expect(marks()).toEqual(['✓', '✗', '✓']);
    expect(shown.says[1]).toContain('2 of 3 ended well');
    shown.click(shown.all('.one')[1]);
    expect(onpick).toHaveBeenCalledWith(rollouts[1]);
  });

  it('is at its end at once for who asked for less motion, and without drawings', async () => {
    still = true;
    const { shown } = open({ most: 4 });
    await pass(shown, 200);
    expect(shown.says[1]).toContain('2 of 4 ended well');
    const { shown: plain } = open({ draw: null });
    await pass(plain, 200);
    expect(plain.says[1]).toContain('2 of 3 ended well');
    const { shown: broken } = open({ draw: () => Promise.reject(new Error()) });
    await pass(broken, 200);
    expect(broken.says[1]).toContain('2 of 3 ended well');
  });

  it('arrow keys move among its buttons', async () => {
    const { shown } = open();
    await pass(shown, 100);
    const crowd = shown.find('.crowd');
    const stop = () => shown.all('.one').findIndex((one) => one.getAttribute('tabindex') === '0');
    const press = (key: string) => [
      shown.key(crowd, key),
      stop(),
      shown.all('.one').indexOf(document.activeElement as never),
    ];
    expect(stop()).toBe(0);
    expect(press('ArrowRight')).toEqual([true, 1, 1]);
    expect(press('ArrowDown')).toEqual([true, 2, 2]);
    expect(press('ArrowRight')).toEqual([true, 2, 2]);
    expect(press('ArrowLeft')).toEqual([true, 1, 1]);
    expect(press('ArrowUp')).toEqual([true, 0, 0]);
    expect(press('ArrowUp')).toEqual([true, 0, 0]);
    expect(press('x')).toEqual([false, 0, 0]);
  });
});
