// @vitest-environment dom
/** A table of results, and the curves of a run: charts with their range, their crosshair and their files. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import IntervalBar from '../../../src/ui/panels/results/IntervalBar.svelte';
import ResultsTable from '../../../src/ui/panels/results/ResultsTable.svelte';
import Charts from '../../../src/ui/view/charts/Charts.svelte';
import StateMark from '../../../src/ui/view/health/StateMark.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, stubPage } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
import { plainSpaces } from '../../helpers/plain-spaces';
import { sampleResults } from '../../helpers/results';
import { soon } from '../../helpers/soon';

stubPage();

let page: PageState;
beforeEach(async () => {
  page = await new FakeBrowser().open();
});
const come = async (shown: Shown, ms = 0) => {
  await vi.advanceTimersByTimeAsync(ms);
  shown.tell(shown.root, 'nothing');
};

describe('a table of results', () => {
  it('has a row for each configuration, with what was found, what failed and how it was made', async () => {
    const shown = show(ResultsTable, { results: sampleResults }, page);
    await come(shown);
    expect(shown.all('th.text-end').map((head) => head.textContent)).toMatchInlineSnapshot(`
      [
        "Success",
        "Warm start",
        "Practice",
        "Peak of practice",
        "Area under practice",
        "Out of distribution",
        "Solved with 0 / 1 / 2 … tool calls",
        "Out of distribution with 0 / 1 / 2 … tool calls",
        "Turns",
        "Paper",
      ]
    `);
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# A sample",
        "Which is better?",
        "What was found: PPO is better.",
        "What others found (◇). A paper: the first one.",
        "region "Table: A sample"",
        "Method | Success | Over seeds | Each seed | Open in the Lab | Difference in tasks of 8 | Warm st…",
        "Naive RAG | 13 % | – | – | a script: nothing to train | – | – | – | – | – | – | 0 %– | 0 / 1 | 0…",
        "PPO | 75 % | 50 to 100 % (range) | 50 %, 100 % | this version does not have multi-hop with these…",
        "GSPO | – | – | failed | this version does not have multi-hop with these settings | – | 25 % | 25…",
        "fold "Curves of each row"",
        "Success is on 8 unseen tasks, taking the likeliest token each time. The bar is the range of seed…",
        "A seed’s link opens the Lab with the settings of that run: Train makes it again. The table was m…",
        "Solved tasks are counted by the tool calls that the agent made without an error, all seeds toget…",
        "Out of distribution: Longer questions.",
        "GSPO, seed 1, ended early: The weights are not numbers any more.",
        "Made on Jan 2, 2026, on a GPU, with engine 0.2.0, commit 0123456789ab, by npm run experiment -- …",
        "fold "What each row changes in the preset multi-hop"",
      ]
    `);
    shown.click(shown.all('summary')[0]);
    await come(shown);
    expect(shown.all('figure').map((each) => plainSpaces(each.getAttribute('aria-label')!))).toMatchInlineSnapshot(`
      [
        "PPO: PPO (seed 1) rose from 25 % to 50 % by iteration 2.",
        "GSPO: GSPO rose from 25 % to 50 % by iteration 2.",
      ]
    `);
  });

  it('shows 25 rows until all are asked for, and leaves out columns that it has no use for', async () => {
    const rows = Array.from({ length: 26 }, (_, i) => ({ ...sampleResults.rows[0], name: `r${i}`, paper: null }));
    const shown = show(ResultsTable, { results: { ...sampleResults, rows, outOfDistribution: null } as never }, page);
    expect(shown.all('tbody tr')).toHaveLength(25);
    expect(shown.all('thead th').map((head) => plainSpaces(head.textContent))).toMatchInlineSnapshot(`
      [
        "Method",
        "Success",
        "Over seeds",
        "Each seed",
        "Open in the Lab",
        "Difference in tasks of 8",
        "Warm start",
        "Practice",
        "Peak of practice",
        "Area under practice",
        "Iterations to 75 %",
        "Solved with 0 / 1 / 2 … tool calls",
        "Turns",
      ]
    `);
    shown.press('Show all');
    expect(shown.all('tbody tr')).toHaveLength(26);
  });

  it('draws success with its interval, its seeds and the paper', () => {
    const bars = sampleResults.rows.map((row) => {
      const shown = show(IntervalBar, { row });
      const places = (selector: string, name: string) => shown.all(selector).map((mark) => mark.getAttribute(name));
      return [places('.interval', 'x'), places('.interval', 'width'), places('.mean', 'x1'), places('.seed', 'cx')];
    });
    expect(bars).toMatchInlineSnapshot(`
      [
        [
          [],
          [],
          [
            "21.25",
          ],
          [],
        ],
        [
          [
            "70",
          ],
          [
            "65",
          ],
          [
            "102.5",
          ],
          [
            "70",
            "135",
          ],
        ],
        [
          [],
          [],
          [],
          [],
        ],
      ]
    `);
  });
});

describe('the curves', () => {
  const metrics = Array.from({ length: 40 }, (_, i) =>
    metricsRow(i + 1, { success: i / 40, validationSuccess: i / 40 }),
  );
  const open = (more: object = {}) =>
    show(Charts, {
      metrics,
      total: 40,
      ghost: null,
      runName: 'run',
      busy: false,
      marks: [],
      turn: null,
      cursor: null,
      inset: null,
      ...more,
    } as never);

  it('are zoomed, moved and fitted again', async () => {
    const shown = open();
    shown.click(shown.all('summary')[0]);
    await come(shown, 100);
    const all = shown.all('.button-group button');
    const disabled = () => all.map((button) => button.disabled);
    expect(disabled()).toEqual([true, false, true, true, true]);
    shown.click(all[1]);
    expect(disabled().slice(1)).toEqual([false, false, expect.any(Boolean), false]);
    shown.click(all[0]);
    expect(disabled()[3]).toBe(false);
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      expect(shown.key(shown.find('.charts'), '0', more)).toBe(false);
    expect(shown.key(shown.find('.charts'), '0')).toBe(true);
    expect(disabled()).toEqual([true, false, true, true, true]);
  });

  it('are as wide as a small picture where the page gives them no room yet', async () => {
    const widthOn = async (clientWidth: number) => {
      Object.assign(HTMLElement.prototype, { clientWidth });
      const shown = open();
      await come(shown, 100);
      return shown.all('.u-wrap')[0].style.getPropertyValue('width');
    };
    expect([await widthOn(0), await widthOn(800)]).toEqual(['120px', '800px']);
  });

  it('have a crosshair that keys move, and words for what it is on', async () => {
    const shown = open();
    await come(shown, 100);
    const slider = shown.all('[role="slider"]')[0];
    const at = () => slider.getAttribute('aria-valuenow');
    expect([at(), slider.getAttribute('aria-valuemin'), slider.getAttribute('aria-valuemax')]).toEqual([
      '40',
      '1',
      '40',
    ]);
    expect([shown.key(slider, 'Home'), at()]).toEqual([true, '1']);
    expect([shown.key(slider, 'ArrowRight'), at()]).toEqual([true, '2']);
    expect([shown.key(slider, 'End'), at()]).toEqual([true, '40']);
    expect([shown.key(slider, 'x'), at()]).toEqual([false, '40']);
    expect(plainSpaces(slider.getAttribute('aria-valuetext')!)).toMatchInlineSnapshot(
      `"iteration 40: unseen tasks 98 %, practice 98 %"`,
    );
  });

  it('say where the setup changed, and that there are none yet', () => {
    expect(
      open({ marks: [5], turn: 9 })
        .all('p.muted')
        .map((each) => each.textContent),
    ).toMatchInlineSnapshot(`
      [
        "Dashed line: the setup changed after iteration 5.",
      ]
    `);
    expect(
      open({ metrics: [] })
        .all('p.muted')
        .map((each) => each.textContent),
    ).toMatchInlineSnapshot(`
      [
        "No data yet. Press Train to draw these curves.",
      ]
    `);
    expect(open({ metrics: [], busy: true }).all('p.muted')).toHaveLength(0);
    const more = open();
    const count = more.all('figure').length;
    more.click(more.all('summary')[0]);
    expect(more.all('figure').length).toBeGreaterThan(count);
  });

  it('are enlarged, with a y axis by hand, and closed by Escape in the plot too', async () => {
    const shown = open();
    await come(shown, 100);
    shown.press('Enlarge Success');
    const dialog = () => shown.find('dialog');
    await soon(async () => {
      await come(shown, 10);
      expect(dialog().querySelector('.u-over')).not.toBeNull();
    });
    expect(dialog().open).toBe(true);
    const alert = () => dialog().querySelector('[role="alert"]')!.textContent;
    expect([alert(), (shown.control('Automatic') as { disabled: boolean }).disabled]).toEqual(['', true]);
    shown.write('from', '90');
    shown.write('to', '80');
    expect(alert()).toBe('The lower end must be below the upper one.');
    shown.write('to', '100');
    expect(alert()).toBe('');
    shown.press('Automatic');
    expect([shown.control('from').value, shown.control('to').value]).toEqual(['', '']);
    shown.key(dialog().querySelector('[role="slider"]') as never, 'Escape');
    await come(shown, 10);
    expect(shown.all('dialog')).toHaveLength(0);
  });

  it('explain themselves, and hide the hint by Escape', async () => {
    const shown = open();
    await come(shown, 100);
    const figure = shown.all('figure')[0];
    const about = shown.control('About Success');
    const hint = () => figure.querySelector('[role="tooltip"]')!.matches('.hidden');
    expect(hint()).toBe(false);
    shown.key(about, 'Escape');
    expect(hint()).toBe(true);
    shown.tell(figure.querySelector('.hinted') as never, 'pointerenter');
    expect(hint()).toBe(false);
    shown.click(about);
    await soon(async () => {
      await come(shown, 10);
      expect(figure.querySelectorAll('tbody tr').length).toBeGreaterThan(10);
    });
  });
});

it('a state is a sign and a word', () => {
  const marks = (['ok', 'solved', 'unreached', 'watch', 'alarm'] as const).map((state) => {
    const mark = show(StateMark, { state });
    const tone = ['good', 'warn', 'bad', 'muted'].find((each) => mark.find('span').matches(`.${each}`));
    return `${mark.find('[aria-hidden]').textContent} ${mark.root.textContent.trim().slice(2)} ${tone}`;
  });
  expect(marks).toMatchInlineSnapshot(`
    [
      "✓ in range good",
      "✓ expected: solved good",
      "– never in range so far muted",
      "◆ watch warn",
      "▲ alarm bad",
    ]
  `);
  expect(show(StateMark, { state: 'ok', signOnly: true }).all('.visually-hidden')).toHaveLength(1);
  expect(show(StateMark, { state: 'ok' }).all('.visually-hidden')).toHaveLength(0);
});
