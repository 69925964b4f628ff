// @vitest-environment dom
/** The comparison of estimators: of a group of the run, and of a file of another trainer. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { presetByName } from '../../../src/config/presets';
import { compareRollouts } from '../../../src/rl/diagnostics/comparison';
import type { RolloutView } from '../../../src/rl/rollouts/view';
import { readRolloutFile } from '../../../src/share/rollout-files/rollout-file';
import * as fileReader from '../../../src/ui/base/file-reader';
import EstimatorsPanel from '../../../src/ui/view/estimators/EstimatorsPanel.svelte';
import ImportedTable from '../../../src/ui/view/estimators/imported/ImportedTable.svelte';
import { OpenedRollouts, type ShownRollout } from '../../../src/worker/opened-rollouts';
import { reactive } from '../../helpers/dom/root.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { bytesOf, linesOf, trlRows, verlRows } from '../../helpers/rollout-files';
import { failed, pair, solved } from '../../helpers/token-rollouts';
import { soon } from '../../helpers/soon';

afterEach(() => void vi.restoreAllMocks());

const { config } = presetByName('calculator');
const compared = (batch: readonly RolloutView[]) => Promise.resolve(compareRollouts(batch, config, { correct: 1 }));
const unfold = (shown: Shown, open = true) => {
  const fold = shown.find('.estimators');
  fold.open = open;
  shown.tell(fold, 'toggle');
};
const rows = (shown: Shown) =>
  shown.all('tbody tr').map((row) => row.textContent.replace(/\s+/g, ' ').trim().slice(0, 24));
const current = (shown: Shown) => shown.all('[aria-current="true"]').map((each) => each.getAttribute('aria-label'));

describe('a group of the run', () => {
  const open = (compare: (batch: readonly RolloutView[]) => Promise<unknown>, rollout = solved) => {
    const onpick = vi.fn();
    const shown = show(EstimatorsPanel, { rollout, batch: pair, compare: compare as never, onpick });
    return { shown, onpick };
  };

  it('is compared when its fold is opened, and a row of the table is read by a press', async () => {
    const compare = vi.fn(compared);
    const { shown, onpick } = open(compare);
    expect([shown.says, compare.mock.calls.length]).toEqual([
      ['fold "# Compare estimators how every algorithm would credit this group"'],
      0,
    ]);
    unfold(shown);
    expect(shown.says[1]).toBe('Comparing…');
    await soon(async () => {
      await shown.settled();
      expect(rows(shown)).toHaveLength(4);
    });
    expect(compare.mock.calls).toEqual([[pair]]);
    expect([rows(shown), current(shown)]).toMatchInlineSnapshot(`
      [
        [
          "✓ 01.00+0.50+0.71+0.50+0",
          "turn 1 · 2 tok.+0.50+0.7",
          "turn 2 · 2 tok.+0.50+0.7",
          "✗ 10.00−0.50−0.71−0.50−0",
        ],
        [
          "Read rollout 0: solved, reward 1.00",
        ],
      ]
    `);
    const kinds = shown.all('th.kind').map((head) => [head.textContent, head.getAttribute('colspan')]);
    expect([kinds, shown.all('th.begins').length, shown.all('th.own').length]).toMatchInlineSnapshot(`
      [
        [
          [
            "Compared with the group",
            "9",
          ],
          [
            "Returns",
            "3",
          ],
          [
            "Compared with a critic",
            "4",
          ],
        ],
        3,
        1,
      ]
    `);
    const tinted = (at: number) => shown.all('tbody tr')[at].querySelectorAll('.up, .down').length;
    expect(tinted(0)).toBeGreaterThan(3);
    expect(shown.all('li').length).toBeGreaterThan(2);
    shown.click(shown.all('tbody button')[1]);
    expect(onpick).toHaveBeenCalledExactlyOnceWith(failed);
  });

  it('that was compared is not compared again, another one is; a late answer is left out', async () => {
    const answers: ((value: unknown) => void)[] = [];
    const compare = vi.fn((_: readonly RolloutView[]) => new Promise((answer) => answers.push(answer)));
    const props = reactive({ rollout: failed, batch: [failed], compare: compare as never, onpick: vi.fn() });
    const shown = show(EstimatorsPanel, props);
    unfold(shown);
    // A trainer that died never answers: closed and opened again, the fold asks the next one.
    unfold(shown, false);
    unfold(shown);
    expect(compare).toHaveBeenCalledTimes(2);
    Object.assign(props, { rollout: solved, batch: [solved, failed] });
    flushSync();
    answers[1](await compared([failed]));
    await shown.settled();
    expect([compare.mock.calls.map(([batch]) => batch.length), shown.says[1]]).toEqual([[1, 1, 2], 'Comparing…']);
    answers[2](await compared(pair));
    await soon(async () => {
      await shown.settled();
      expect(rows(shown)).toHaveLength(4);
    });
    // The same rollouts in another list, and the fold closed and opened: nothing is asked.
    Object.assign(props, { batch: [...props.batch] });
    flushSync();
    unfold(shown, false);
    unfold(shown);
    await shown.settled();
    expect(compare).toHaveBeenCalledTimes(3);
  });

  it('that could not be compared may be tried again', async () => {
    const compare = vi.fn(compared).mockRejectedValueOnce(new Error('it is busy'));
    const { shown } = open(compare);
    unfold(shown);
    await shown.settled();
    expect(shown.find('[role="alert"]').textContent.replace(/\s+/g, ' ').trim()).toBe(
      'The estimators could not be compared: it is busy. Try again',
    );
    shown.press('Try again');
    expect(shown.all('[role="alert"]')).toHaveLength(0);
    await soon(async () => {
      await shown.settled();
      expect(rows(shown).length).toBeGreaterThan(2);
    });
  });
});

describe('a file of another trainer', () => {
  const file = (rollouts: readonly object[], name: string) => ({ name, text: linesOf(rollouts) }) as never as File;
  beforeEach(() => {
    vi.spyOn(fileReader, 'readFile').mockImplementation((read, found, refused) => {
      let isWanted = true;
      const api = {
        openRollouts: async ({ name, text }: { name: string; text: string }) => {
          opened = new OpenedRollouts(readRolloutFile(bytesOf(text), name));
          return opened.head;
        },
        showRollout: async (...wish: Parameters<OpenedRollouts['show']>) => opened.show(...wish),
      };
      let opened: OpenedRollouts;
      read(api as never).then(
        (value) => isWanted && found(value),
        (error: Error) => isWanted && refused(error.message),
      );
      return () => void (isWanted = false);
    });
  });
  const panel = () => {
    const compare = vi.fn(compared);
    return show(EstimatorsPanel, { rollout: solved, batch: pair, compare, onpick: vi.fn() });
  };
  const choose = (shown: Shown, chosen: unknown) => {
    const input = shown.find('#rollout-file');
    input.files = chosen === null ? [] : [chosen];
    shown.tell(input, 'change');
  };

  it('is chosen or dropped, read in place of the run, and closed', async () => {
    const shown = panel();
    expect(shown.tell(shown.find('details'), 'dragover')).toBe(true);
    expect(shown.tell(shown.find('details'), 'drop', { dataTransfer: { files: [] } })).toBe(false);
    expect(shown.tell(shown.find('details'), 'drop', { dataTransfer: { files: [file(trlRows, 'a.jsonl')] } })).toBe(
      true,
    );
    expect(shown.find('details').open).toBe(true);
    const title = () => shown.find('h4').textContent.trim();
    await soon(async () => {
      await shown.settled();
      expect(title()).toBe('a.jsonl: 7 rollouts of TRL, 2 steps');
    });
    choose(shown, null);
    await shown.settled();
    expect(title()).toContain('a.jsonl');
    choose(shown, file(verlRows, 'b.jsonl'));
    await soon(async () => {
      await shown.settled();
      expect(title()).toContain('b.jsonl: 4 rollouts of verl, 1 step');
    });
    expect(shown.find('#rollout-file').value).toBe('');
    choose(shown, file([{ no: 1 }], 'c.jsonl'));
    await soon(async () => {
      await shown.settled();
      expect(shown.find('.warning').textContent).toContain('c.jsonl');
    });
    shown.press('Back to the run');
    await soon(async () => {
      await shown.settled();
      expect(rows(shown)).toHaveLength(4);
    });
    expect(shown.all('.warning')).toHaveLength(0);
  });

  const trl = new OpenedRollouts(readRolloutFile(bytesOf(linesOf(trlRows)), 'r.jsonl'));
  const table = (show_: (...wish: Parameters<OpenedRollouts['show']>) => Promise<ShownRollout>) => {
    const shown = show(ImportedTable, { file: trl.head, reader: { showRollout: show_ } as never });
    return { shown };
  };

  it('shows its last step, and another step, prompt or rollout when it is chosen', async () => {
    const wishes: unknown[] = [];
    const { shown } = table(async (...wish) => {
      wishes.push(wish);
      return trl.show(...wish);
    });
    expect(shown.says.at(-1)).toBe('Comparing…');
    await shown.settled();
    expect([wishes, current(shown), rows(shown).length]).toEqual([[[10, [1, 1], 0]], [expect.any(String)], 4]);
    expect(shown.says.map((line) => line.slice(0, 90))).toMatchInlineSnapshot(`
      [
        "# r.jsonl: 7 rollouts of TRL, 2 steps",
        "The file lacks log-probabilities, numbers of tokens and a critic’s values, so only what ne",
        "Step of training",
        "choice "Step of training": 10 of 5 | 10",
        "Prompt",
        "choice "Prompt": 1 (4 rollouts): What is 2 + 2? of 1 (4 rollouts): What is 2 + 2? | 2 (2 r",
        "Reward = sum of weight × term",
        "Weight of accuracy_reward",
        "field "Weight of accuracy_reward": 1",
        "Weight of format_reward",
        "field "Weight of format_reward": 1",
        "Each number is the mean over the agent’s tokens; ~ means that they differ. Blue is positiv",
        "region "Advantages of this group under every estimator"",
        " |  | Compared with the group | Returns | Compared with a critic",
        "Rollout, reward | Trained | GRPO | Dr.GRPO | DAPO | GiGPO | RLOO | OPO | GPG | RF++base | ",
        "button "Read rollout 0: reward 1.50", current | +1.50 | +1.50 | +1.13 | +1.50 | +3.00 | +1",
        "button "Read rollout 1: reward 0.00" | −0.50 | −0.50 | −0.38 | −0.50 | −1.00 | −0.50 | – |",
        "button "Read rollout 3: reward 0.00" | −0.50 | −0.50 | −0.38 | −0.50 | −1.00 | −0.50 | – |",
        "button "Read rollout 4: reward 0.00" | −0.50 | −0.50 | −0.38 | −0.50 | −1.00 | −0.50 | – |",
        "# What to look for",
        "GRPO, Dr.GRPO, RLOO, OPO and GPG rank the rollouts alike; scale and zero differ. pass@k en",
        "RF++ and RF step ignore groups: on an easy task they encourage nearly all rollouts, on a h",
        "# What these numbers rest on",
        "The file has 6 rollouts of this step in 2 groups, and 4 in this group. Rollouts of one ste",
        "A response counts as one step, with its reward at the end. There is no discount: γ and λ a",
        "OPO, RF++base and RF++ are left out: each needs the number of tokens of each response.",
        "ReMax is left out: it needs the score of a greedy rollout of each task.",
        "GAE, GAE/step, step GAE and bi-level are left out: each needs the values of a critic.",
        "fold "What each column compares with"",
        "# Rollout 0, reward 1.50",
        "accuracy_reward 1.00 · format_reward 0.50",
        "# Prompt",
        "region "Prompt"",
        "What is 2 + 2?",
        "# Response",
        "region "Response"",
        "It is 4.",
      ]
    `);
    shown.write('Prompt', '1');
    await shown.settled();
    expect([wishes.at(-1), rows(shown).length]).toEqual([[10, [1, 1], 2], 2]);
    const seen = vi.fn();
    (shown.find('section[aria-labelledby$="read"]') as unknown as { scrollIntoView: unknown }).scrollIntoView = seen;
    shown.click(shown.all('tbody button')[1]);
    await shown.settled();
    expect([wishes.at(-1), seen.mock.calls.length]).toEqual([[10, [1, 1], 5], 1]);
    expect(shown.all('pre').map((each) => each.textContent.trim())).toEqual(['What is 3 + 3?', 'six']);
    shown.write('Step of training', '5');
    await shown.settled();
    expect([wishes.at(-1), shown.all('pre').at(-1)!.textContent.trim()]).toEqual([[5, [1, 1], 0], '2']);
  });

  it('is compared under other weights, which its advantages may not follow', async () => {
    const wishes: unknown[] = [];
    const { shown } = table(async (...wish) => {
      wishes.push(wish);
      return trl.show(...wish);
    });
    await shown.settled();
    expect(shown.all('.warning')).toHaveLength(0);
    const weights = () => shown.all('fieldset input');
    expect(weights().map(({ value }) => value)).toEqual(['1', '1']);
    const weigh = async (at: number, value: string) => {
      shown.tell(Object.assign(weights()[at], { value, valueAsNumber: value === '' ? NaN : Number(value) }), 'input');
      await shown.settled();
    };
    await weigh(0, '-1');
    expect([wishes.at(-1), shown.all('.warning').length]).toEqual([[10, [-1, 1], 0], 1]);
    await weigh(1, '');
    expect(wishes).toHaveLength(2);
    await weigh(0, '1');
    expect(shown.all('.warning')).toHaveLength(0);
  });

  it('is asked one question at a time, and the last wish is answered', async () => {
    const answers: ((value: ShownRollout) => void)[] = [];
    const wishes: Parameters<OpenedRollouts['show']>[] = [];
    const { shown } = table((...wish) => {
      wishes.push(wish);
      return new Promise((answer) => answers.push(answer));
    });
    shown.write('Step of training', '5');
    shown.write('Step of training', '10');
    shown.write('Step of training', '5');
    expect(wishes).toHaveLength(1);
    answers[0](trl.show(...wishes[0]));
    await shown.settled();
    expect(wishes.slice(1)).toEqual([[5, [1, 1], 0]]);
    answers[1](trl.show(...wishes[1]));
    await shown.settled();
    expect([wishes.length, shown.all('pre').at(-1)!.textContent.trim()]).toEqual([2, '2']);
  });

  it('may be refused, and then another wish is answered', async () => {
    let isRefused = true;
    const { shown } = table((...wish) =>
      isRefused ? Promise.reject(new Error('There is no room.')) : Promise.resolve(trl.show(...wish)),
    );
    await shown.settled();
    expect(shown.find('[role="alert"]').textContent).toContain('There is no room.');
    isRefused = false;
    shown.write('Step of training', '5');
    await shown.settled();
    expect([shown.all('[role="alert"]').length, rows(shown).length]).toEqual([0, 1]);
  });
});
