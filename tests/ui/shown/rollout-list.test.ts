// @vitest-environment dom
/** The list of rollouts with its bar and its filter, and the tasks that still fail. */
import { describe, expect, it, vi } from 'vitest';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import { linesOf } from '../../../src/presentation/rollout-list';
import { keyOf } from '../../../src/share/rollout-groups';
import FailingTasks from '../../../src/ui/view/rollouts/FailingTasks.svelte';
import FilterInput from '../../../src/ui/view/rollouts/FilterInput.svelte';
import RolloutBar from '../../../src/ui/view/rollouts/RolloutBar.svelte';
import RolloutList from '../../../src/ui/view/rollouts/RolloutList.svelte';
import { parseFilter } from '../../../src/share/rollout-filter';
import { show, type Shown } from '../../helpers/dom/shown';
import { failed, solved } from '../../helpers/token-rollouts';

describe('the list', () => {
  const others = Array.from({ length: 200 }, (_, i) => ({ ...failed, index: i + 2, taskId: `t${i}`, group: i + 1 }));
  const lines = linesOf([solved, failed], true);
  const listOf = (more: Record<string, unknown> = {}) => {
    const [onpick, onmove] = [vi.fn(), vi.fn()];
    const shown = show(RolloutList, { lines, everything: false, selected: keyOf(failed), onpick, onmove, ...more });
    return { shown, onpick, onmove };
  };

  it('has a row for each rollout under its task', () => {
    const { shown, onpick } = listOf();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "grid "List of rollouts"",
        "solved prompt answer reward advantage turns errors",
        "What is 6*7? 2 rollouts · mean reward 0.50",
        "✓solved What is 6*7? 42 1.00 +0.50 2 turns 0 errors",
        "✗failed What is 6*7? no 0.00 −0.50 1 turn 1 error",
      ]
    `);
    expect(shown.all('.rollout').map((row) => row.getAttribute('tabindex'))).toEqual(['-1', '0']);
    shown.click(shown.all('.rollout')[0]);
    expect(onpick.mock.calls).toEqual([[solved], [solved]]);
    onpick.mockClear();
    shown.tell(shown.all('.rollout')[1], 'focus');
    expect(onpick).not.toHaveBeenCalled();
    expect(listOf({ everything: true }).shown.says.join('\n')).toContain('3 · What is 6*7?');
    expect(listOf({ selected: null }).shown.all('.rollout')[0].getAttribute('tabindex')).toBe('0');
  });

  it('has bars from the middle: right for better, left for worse', () => {
    const bars = listOf().shown.all('rect');
    expect(bars.map((bar) => ['class', 'x', 'width'].map((name) => bar.getAttribute(name)?.split(' ')[0]))).toEqual([
      ['up', '0', '19'],
      ['down', '-19', '19'],
    ]);
  });

  it('moves by keys', () => {
    const { shown, onmove } = listOf();
    const grid = shown.find('[role="grid"]');
    for (const [key, by] of [
      ['ArrowDown', 1],
      ['ArrowUp', -1],
      ['PageDown', 10],
      ['PageUp', -10],
      ['Home', -lines.length],
      ['End', lines.length],
    ] as const) {
      expect(shown.key(grid, key)).toBe(true);
      expect(onmove).toHaveBeenLastCalledWith(by);
    }
    onmove.mockClear();
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(shown.key(grid, 'Home', more)).toBe(false);
    expect([shown.key(grid, 'x'), onmove.mock.calls.length]).toEqual([false, 0]);
  });

  it('draws the rows in sight, brings a row into sight, and keeps the focus in the list', async () => {
    const many = linesOf([solved, failed, ...others], false);
    const { shown } = listOf({ lines: many });
    const viewport = shown.find('.viewport');
    viewport.clientHeight = 400;
    expect(shown.all('.rollout').length).toBeLessThan(many.length);
    viewport.scrollTop = 0;
    const reveal = async (rollout: RolloutView) => {
      await shown.calls('reveal', rollout);
      shown.tell(viewport, 'scroll');
      return viewport.scrollTop;
    };
    // A row is 34 pixels high.
    expect(await reveal(others[30])).toBe(33 * 34 - 400);
    expect(await reveal(others[31])).toBe(34 * 34 - 400);
    expect(await reveal(others[25])).toBe(34 * 34 - 400);
    expect(await reveal(solved)).toBe(0);
    expect(await reveal({ ...solved, index: 999 })).toBe(0);
    viewport.scrollTop = 50;
    shown.calls('scrollToTop');
    expect(viewport.scrollTop).toBe(0);
    (document.activeElement as HTMLElement).blur();
    await reveal(others[3]);
    expect(document.activeElement).toBe(document.body);
    shown.all('.rollout')[0].focus();
    await reveal(others[4]);
    expect((document.activeElement as HTMLElement).getAttribute('tabindex')).toBe('0');
  });
});

describe('the filter by expression', () => {
  const names = ['reward', 'turns'];
  const filterOf = (expression: string) =>
    show(FilterInput, { expression, names, parsed: expression === '' ? null : parseFilter(expression, names) });
  const field = (shown: Shown) => shown.find('input');
  const type = (shown: Shown, value: string) => {
    field(shown).setSelectionRange(value.length, value.length);
    shown.write('Filter by expression', value);
  };

  it('suggests names while one is typed, and takes one by keys or by a press', async () => {
    const shown = filterOf('');
    expect(field(shown).getAttribute('aria-activedescendant')).toBeNull();
    type(shown, 're');
    expect(shown.says).toEqual(['field "Filter by expression": re, expanded', 'listbox "Fields"', 'option "reward"']);
    expect(field(shown).getAttribute('aria-activedescendant')).toBeNull();
    expect(shown.key(field(shown), 'ArrowDown')).toBe(true);
    expect(field(shown).getAttribute('aria-activedescendant')).toBe(shown.control('reward').id);
    expect(shown.key(field(shown), 'x')).toBe(false);
    expect(shown.key(field(shown), 'Enter')).toBe(true);
    await shown.settled();
    expect(shown.says[0]).toMatch(/^field "Filter by expression": reward/);
    expect(shown.says.join()).not.toContain('option');
    expect(field(shown).selectionStart).toBe(field(shown).value.length);
    type(shown, 'tu');
    expect(shown.tell(shown.control('turns'), 'pointerdown')).toBe(true);
    shown.click(shown.control('turns'));
    await shown.settled();
    expect(field(shown).value).toMatch(/^turns/);
  });

  it('closes by Escape and when it is left, and opens by an arrow', () => {
    const shown = filterOf('');
    const isOpen = () => field(shown).getAttribute('aria-expanded') === 'true';
    type(shown, 're');
    expect([shown.key(field(shown), 'Escape'), isOpen()]).toEqual([true, false]);
    expect([shown.key(field(shown), 'ArrowUp'), isOpen()]).toEqual([false, false]);
    expect([shown.key(field(shown), 'ArrowDown'), isOpen()]).toEqual([false, true]);
    shown.tell(field(shown), 'blur');
    expect(isOpen()).toBe(false);
  });

  it('says where an expression cannot be read', () => {
    const shown = filterOf('reward <');
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "field "Filter by expression": reward <, invalid",
        "bad: Here a number is missing, or true or false. At character 9.",
      ]
    `);
    expect(field(shown).getAttribute('aria-describedby')).toBe(shown.find('.problem').id);
    expect(filterOf('reward < 1').says).toEqual(['field "Filter by expression": reward < 1']);
  });
});

describe('the bar above the list', () => {
  const choice = {
    filter: 'all',
    expression: '',
    search: '',
    groupByTask: false,
    sortByReward: false,
    everything: false,
  } as const;
  const barOf = (more: Record<string, unknown> = {}) => {
    const onshow = vi.fn();
    const shown = show(RolloutBar, {
      choice: choice as never,
      names: [],
      parsed: null,
      iterations: [2, 4, 6],
      iteration: 4,
      followsLatest: false,
      onshow,
      ...more,
    });
    return { shown, onshow };
  };

  it('goes from iteration to iteration, not beyond the ends', () => {
    const { shown, onshow } = barOf();
    shown.press('Earlier iteration');
    shown.press('Later iteration');
    shown.press('Latest');
    shown.write('Iteration', '0');
    expect(onshow.mock.calls).toEqual([[2], [6], [null], [2]]);
    expect(shown.control('Iteration').value).toBe('0');
    const disabled = (more: Record<string, unknown>) =>
      ['Earlier iteration', 'Iteration', 'Later iteration', 'Latest'].map(
        (name) => barOf(more).shown.control(name).disabled,
      );
    expect(disabled({})).toEqual([false, false, false, false]);
    expect(disabled({ iteration: 2 })).toEqual([true, false, false, false]);
    expect(disabled({ iteration: 6, followsLatest: true })).toEqual([false, false, true, true]);
    expect(disabled({ iterations: [4] })).toEqual([true, true, true, false]);
    expect(disabled({ choice: { ...choice, everything: true } })).toEqual([true, true, true, false]);
  });
});

it('tasks that still fail are five, with how many more', () => {
  const onpick = vi.fn();
  const tasks = Array.from({ length: 7 }, (_, i) => ({
    rollout: { ...failed, taskId: `t${i}`, group: i, prompt: `task ${i}` },
    failed: 3,
    count: 4,
  }));
  const shown = show(FailingTasks, { tasks, onpick });
  expect(shown.says).toMatchInlineSnapshot(`
    [
      "# Where it still fails",
      "button "task 0 3 of 4 rollouts failed"",
      "button "task 1 3 of 4 rollouts failed"",
      "button "task 2 3 of 4 rollouts failed"",
      "button "task 3 3 of 4 rollouts failed"",
      "button "task 4 3 of 4 rollouts failed"",
      "… and 2 more tasks.",
    ]
  `);
  shown.press('task 2');
  expect(onpick).toHaveBeenCalledWith(tasks[2].rollout);
  expect(show(FailingTasks, { tasks: tasks.slice(0, 5), onpick }).says.join()).not.toContain('more task');
});
