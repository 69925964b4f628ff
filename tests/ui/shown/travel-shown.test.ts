// @vitest-environment dom
/** Time travel: earlier agents of a run, and branches from them. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import BranchForm from '../../../src/ui/panels/checkpoints/BranchForm.svelte';
import TravelPanel from '../../../src/ui/panels/checkpoints/TravelPanel.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, settle, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { failed, solved } from '../../helpers/token-rollouts';

stubPage();

let browser: FakeBrowser;

let page: PageState;

let trainer: FakeTrainer;

beforeEach(async () => {
  vi.setSystemTime(10_000_000);
  browser = new FakeBrowser();
  page = await browser.open();
  ({ trainer } = browser);
});

const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};

describe('time travel', () => {
  const answers = { 0: [failed, failed], 4: [failed, solved], 8: [solved, solved] } as Record<
    number,
    (typeof solved)[]
  >;
  const open = async (iterations: readonly number[], full = false) => {
    const shown = show(TravelPanel, {}, page);
    page.tabRun.commands.train.run();
    await settle();
    trainer.play(8);
    trainer.answer({ answersAt: async (iteration: number) => answers[iteration] });
    trainer.tell({ type: 'checkpoints', iterations, full });
    await come(shown);
    return shown;
  };

  it('comes after the first iterations, if there is space', async () => {
    expect((await open([0])).says).toMatchInlineSnapshot(`
      [
        "# Time travel",
        "After its first iterations you can ask earlier agents of this run, and go on from them.",
      ]
    `);
    trainer.tell({ type: 'checkpoints', iterations: [0], full: true });
    expect(show(TravelPanel, {}, page).says.at(-1)).toMatchInlineSnapshot(
      `"This browser has no space for checkpoints, so there is no way back to earlier agents of this run…"`,
    );
  });

  it('begins anew with another run', async () => {
    const shown = await open([0, 4, 8]);
    shown.write('Checkpoint', '0');
    await come(shown, 200);
    expect(shown.all('article')).toHaveLength(4);
    trainer.tell({ type: 'checkpoints', iterations: [], full: false });
    await come(shown);
    trainer.tell({ type: 'checkpoints', iterations: [0, 4], full: false });
    await come(shown, 200);
    expect([shown.control('Checkpoint').value, shown.all('article').length]).toEqual(['1', 0]);
    expect(shown.says.at(-1)).toContain('Move the slider');
  });

  it('asks an earlier agent and the newest one, by the slider or by keys', async () => {
    const shown = await open([0, 4, 8], true);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Time travel",
        "range "Checkpoint": 2",
        "This browser has no space for more checkpoints. The run goes on.",
        "Move the slider: an earlier agent answers, and you can go on from it with one thing changed.",
      ]
    `);
    shown.write('Checkpoint', '1');
    await come(shown, 200);
    expect(shown.says.slice(2)).toMatchInlineSnapshot(`
      [
        "This browser has no space for more checkpoints. The run goes on.",
        "group "Answers of two agents to the same tasks"",
        "# Then",
        "iteration 3",
        "What is 6*7?",
        "calc() → error: There is no expression.",
        "no ✗ wrong",
        "# Newest",
        "iteration 3",
        "What is 6*7?",
        "calc(6*7) → 42",
        "42 ✓ right",
        "# Then",
        "iteration 3",
        "What is 6*7?",
        "calc(6*7) → 42",
        "42 ✓ right",
        "# Newest",
        "iteration 3",
        "What is 6*7?",
        "calc(6*7) → 42",
        "42 ✓ right",
        "Agent of iteration 4 solves 1 of 2 tasks, that of iteration 8 solves 2.",
        "# Go on from here with one thing changed",
        "Setting",
        "choice "Setting": Learning rate of 13",
        "New value",
        "field "New value": 6e-4",
        "button "Branch", disabled, primary",
        "Choose another value than the run has.",
      ]
    `);
    expect(page.tabRun.shown.cursor).toBe(4);
    const value = () => shown.control('Checkpoint').value;
    expect([shown.tell(window, 'keydown', { key: '[' }), value(), page.tabRun.shown.cursor]).toEqual([true, '0', null]);
    expect([shown.tell(window, 'keydown', { key: ']' }), value()]).toEqual([true, '1']);
    expect([shown.tell(window, 'keydown', { key: 'x' }), value()]).toEqual([false, '1']);
    shown.tell(window, 'keydown', { key: ']' });
    await come(shown, 200);
    expect(shown.all('article')).toHaveLength(2);
    trainer.answer({ answersAt: () => Promise.reject(new Error('gone')) });
    shown.tell(window, 'keydown', { key: '[' });
    await come(shown, 200);
    expect(shown.all('.warning').map((each) => each.textContent)).toMatchInlineSnapshot(`
      [
        "This agent could not answer: gone.",
      ]
    `);
  });

  it('branches from there with one thing changed', async () => {
    await open([0, 4, 8]);
    const own = page.tabRun.run.started!.config;
    const checkBranch = vi.fn((_: number, __: unknown) => Promise.resolve());
    trainer.answer({ checkBranch });
    const props = { config: own, catalog: page.workspace.setup.catalog!, iteration: 4 };
    const shown = show(BranchForm, props, page);
    const hint = () => shown.find('[id$="-hint"]').textContent;
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Go on from here with one thing changed",
        "Setting",
        "choice "Setting": Learning rate of 13",
        "New value",
        "field "New value": 6e-4",
        "button "Branch", disabled, primary",
        "Choose another value than the run has.",
      ]
    `);
    shown.write('New value', 'x');
    expect([hint(), shown.control('New value').getAttribute('aria-invalid')]).toMatchInlineSnapshot(`
      [
        "Learning rate must be a number from 1e-7 to 0.1.",
        "true",
      ]
    `);
    shown.tell(shown.find('form'), 'submit');
    shown.write('New value', '1e-3');
    const acts = [hint(), shown.control('Branch').disabled];
    expect(acts).toMatchInlineSnapshot(`
      [
        "It goes on as a new run. The run so far stays saved.",
        false,
      ]
    `);
    page.tabRun.commands.pause.run();
    await come(shown);
    shown.tell(shown.find('form'), 'submit');
    await come(shown);
    expect(checkBranch.mock.calls.map(([from]) => from)).toEqual([4]);
    expect(trainer.orders.at(-1)).toBe('branch 4');
    checkBranch.mockRejectedValue(new Error('It is gone.'));
    const again = show(BranchForm, props, page);
    again.write('Setting', 'iterations');
    again.write('New value', '4');
    expect(again.find('[id$="-hint"]').textContent).toMatchInlineSnapshot(
      `"The run ends at iteration 4: choose an earlier iteration, or more iterations."`,
    );
  });
});
