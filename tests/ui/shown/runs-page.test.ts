// @vitest-environment dom
/** The page of runs: its list, its details, and the curves over each other. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeptRun } from '../../../src/run/store/saved-run';
import RunsPage from '../../../src/ui/pages/runs/RunsPage.svelte';
import * as fileReader from '../../../src/ui/base/file-reader';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import type { Html } from '../../helpers/dom/outline';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, stubPage, type FakeTrainer } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
import { sampleResults } from '../../helpers/results';
import { soon } from '../../helpers/soon';

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

const config = () => page.workspace.setup.config!;

const kept = (id: string, more: Partial<KeptRun> = {}): KeptRun => ({
  id,
  title: 'Calculator',
  savedAtMs: 9_000_000,
  iteration: 14,
  warmSteps: 0,
  finished: true,
  name: id,
  note: '',
  config: config(),
  deleted: false,
  curve: [0.25, 0.5],
  validation: 0.5,
  resumable: true,
  here: false,
  ...more,
});

const keep = (...runs: KeptRun[]) => {
  const labels = new Map<string, object>();
  trainer.answer({
    runs: async () => runs.map((run) => ({ ...run, ...labels.get(run.id) })).filter(({ deleted }) => !deleted),
    runRecord: async () => ({
      metrics: [1, 2].map((i) => metricsRow(i, { success: i / 4, validationSuccess: i / 2 })),
      rollouts: [],
    }),
    labelRun: async (id, label) => void labels.set(id, { ...labels.get(id), ...label }),
  });
};

describe('the list of runs', () => {
  const open = async () => {
    const shown = show(RunsPage, {}, page);
    await soon(async () => {
      await come(shown);
      expect(page.workspace.queue).not.toBeNull();
    });
    await come(shown);
    return shown;
  };

  it('is empty at first', async () => {
    expect((await open()).says).toMatchInlineSnapshot(`
      [
        "# Runs",
        "Every run that you trained in this browser is kept until you delete it: its setup, its curves an…",
        "You have not trained a run yet. Pick a world, press Train in the Lab, and the run is here afterw…",
        "link "Pick a world" → #/",
        "# Queue",
        "Trains several runs one after another: more seeds, values of one number, or ways of one switch.",
        "button "Queue runs…"",
        "ol "Queued runs"",
        "fold "# Experiments configurations compared over several seeds"",
        "# Results of your own",
        "Choose or drop the JSON that npm run experiment wrote. It is read here and sent nowhere.",
        "file "File of results"",
      ]
    `);
  });

  it('has a row for each run with its world, result and time, and finds words', async () => {
    keep(
      kept('high rate', { note: 'It\nfell.', unseen: [{ iteration: 14, success: 0.5 }] as never }),
      kept('other', { iteration: 0, curve: [], validation: null, here: true, config: { ...config(), seed: 7 } }),
    );
    const shown = await open();
    expect(shown.says).toMatchInlineSnapshot(`
      [
        "# Runs",
        "Every run that you trained in this browser is kept until you delete it: its setup, its curves an…",
        "# Queue",
        "Trains several runs one after another: more seeds, values of one number, or ways of one switch.",
        "button "Queue runs…"",
        "ol "Queued runs"",
        "# Your runs",
        "Search",
        "field "Search": (name, note, world or algorithm)",
        "Order",
        "choice "Order": latest first of latest first | most successful first | by world | by name",
        "2 runs",
        "Tick runs to lay their curves over each other.",
        "checkbox "Compare high rate"",
        "button "Details of high rate"",
        "50 % unseen tasks",
        "14 iterations 16 minutes ago",
        "checkbox "Compare other"",
        "button "Details of other"",
        "no iteration yet",
        "warm start on the page now",
        "fold "# Experiments configurations compared over several seeds"",
        "# Results of your own",
        "Choose or drop the JSON that npm run experiment wrote. It is read here and sent nowhere.",
        "file "File of results"",
      ]
    `);
    expect(shown.all('svg path').map((path) => path.getAttribute('d'))).toMatchInlineSnapshot(`
      [
        "M96.0 14.0",
        "",
      ]
    `);
    shown.write('Search', 'fell');
    expect(shown.all('.run')).toHaveLength(1);
    shown.write('Search', 'zebra');
    expect(shown.says).toContain('No run has all of these words.');
  });

  it('opens the details of one run at a time, where it is named, deleted and brought back', async () => {
    keep(
      kept('first', { parent: 'second', configChanges: [4], adapter: 'CPU', engineVersion: '1' }),
      kept('second', { config: { ...config(), seed: 7 }, fingerprint: ['ab', 'cd'], finished: false, iteration: 5 }),
      kept('third', { parent: 'gone', resumable: false, here: true }),
    );
    const shown = await open();
    const details = async (name: string) => {
      shown.press(`Details of ${name}`);
      await come(shown, 10);
      await soon(async () => {
        await come(shown);
        expect(shown.says.join()).toContain('Open its setup in the Lab');
      });
      return shown.says.slice(shown.says.findIndex((line) => line.startsWith(`button "Details of ${name}`)));
    };
    expect(await details('first')).toMatchInlineSnapshot(`
      [
        "button "Details of first", expanded",
        "50 % unseen tasks",
        "14 iterations 16 minutes ago",
        "Name",
        "field "Name": first",
        "Note",
        "field "Note": (What you changed, and how it went)",
        "button "Open in the Lab: first"",
        "link "Open its setup in the Lab" → #/lab?v=1&ev=0.9.0&preset=calculator-mini&seed=1",
        "button "Queue more like it…: first"",
        "fold "Export: first"",
        "button "Delete: first"",
        "Its weights are kept, so it can go on.",
        "It goes on from second. Changed since then: Seed 7 → 1.",
        "Trained on CPU with engine 1.",
        "Its setup changed after iteration 4, so its curve does not come from its setup alone.",
        "checkbox "Compare second"",
        "button "Details of second"",
        "50 % unseen tasks",
        "iteration 5 of 14 16 minutes ago",
        "checkbox "Compare third"",
        "button "Details of third"",
        "50 % unseen tasks",
        "14 iterations on the page now",
        "fold "# Experiments configurations compared over several seeds"",
        "# Results of your own",
        "Choose or drop the JSON that npm run experiment wrote. It is read here and sent nowhere.",
        "file "File of results"",
      ]
    `);
    expect((await details('second')).filter((line) => !line.startsWith('link'))).toMatchInlineSnapshot(`
      [
        "button "Details of second", expanded",
        "50 % unseen tasks",
        "iteration 5 of 14 16 minutes ago",
        "Name",
        "field "Name": second",
        "Note",
        "field "Note": (What you changed, and how it went)",
        "button "Resume: second"",
        "button "Queue more like it…: second"",
        "fold "Export: second"",
        "button "Delete: second"",
        "Its weights are kept, so it can go on.",
        "Fingerprint of its first iterations: cd",
        "checkbox "Compare third"",
        "button "Details of third"",
        "50 % unseen tasks",
        "14 iterations on the page now",
        "fold "# Experiments configurations compared over several seeds"",
        "# Results of your own",
        "Choose or drop the JSON that npm run experiment wrote. It is read here and sent nowhere.",
        "file "File of results"",
      ]
    `);
    expect(shown.all('.details')).toHaveLength(1);
    expect(await details('third')).toMatchInlineSnapshot(`
      [
        "button "Details of third", expanded",
        "50 % unseen tasks",
        "14 iterations on the page now",
        "Name",
        "field "Name": third",
        "Note",
        "field "Note": (What you changed, and how it went)",
        "link "Open its setup in the Lab" → #/lab?v=1&ev=0.9.0&preset=calculator-mini&seed=1",
        "button "Queue more like it…: third"",
        "fold "Export: third"",
        "button "Delete: third", disabled",
        "It is in the Lab and has not ended, so it cannot be deleted: press Reset there first.",
        "Its weights are not kept any more. Its curves and some of its rollouts are.",
        "It goes on from a run that is deleted.",
        "fold "# Experiments configurations compared over several seeds"",
        "# Results of your own",
        "Choose or drop the JSON that npm run experiment wrote. It is read here and sent nowhere.",
        "file "File of results"",
      ]
    `);
    shown.press('Details of third');
    expect(shown.all('.details')).toHaveLength(0);
    await details('second');
    shown.write('Name', '  Slow one ');
    await come(shown);
    expect(shown.says.join()).toContain('Slow one');
    shown.press('Delete: ');
    await come(shown);
    expect(shown.says).toContain('Slow one is deleted.');
    expect(shown.all('.run')).toHaveLength(2);
    shown.press('Bring it back');
    await come(shown);
    expect(shown.all('.run')).toHaveLength(3);
  });

  it('has what experiments found, and reads a file of such results that is chosen or dropped', async () => {
    const asked: unknown[] = [];
    let ends = 0;
    vi.spyOn(fileReader, 'readFile').mockImplementation((read, found, failed) => {
      const readResults = async (file: { name: string }) => {
        asked.push(file.name);
        if (file.name === 'bad.json') throw new Error('It has no rows.');
        return sampleResults;
      };
      void read({ readResults } as never).then(found, (error: Error) => failed(error.message));
      return () => void ends++;
    });
    keep();
    const shown = await open();
    const own = shown.find('[aria-labelledby="own-results"]');
    const drop = (files: object[]) => shown.tell(own, 'drop', { dataTransfer: { files } });
    expect([shown.tell(own, 'dragover'), drop([])]).toEqual([true, true]);
    await come(shown);
    expect(asked).toEqual([]);
    drop([{ name: 'bad.json' }]);
    expect(own.textContent).toContain('Reading');
    await come(shown);
    expect(own.querySelector('[role="alert"]')!.textContent).toBe('It has no rows.');
    drop([]);
    const input = own.querySelector('input')! as Html;
    input.files = [];
    shown.tell(input, 'change');
    await come(shown);
    expect(asked).toEqual(['bad.json']);
    input.files = [{ name: 'good.json' }];
    shown.tell(input, 'change');
    await soon(async () => {
      await come(shown);
      expect(own.querySelectorAll('[role="row"], tr').length).toBeGreaterThan(1);
    });
    expect([asked, own.querySelector('[role="alert"]'), ends]).toEqual([['bad.json', 'good.json'], null, 2]);
  });

  it('compares the runs that were asked for, and queues runs like one of them', async () => {
    keep(kept('a'), kept('b'), kept('c'));
    const shown = await open();
    page.workspace.queue!.wanted = ['a', 'c'];
    await soon(async () => {
      await come(shown, 50);
      expect(document.activeElement?.id).toBe('compare-title');
    });
    const ticked = ['a', 'b', 'c'].map((name) => shown.control(`Compare ${name}`).checked);
    expect([ticked, page.workspace.queue!.wanted]).toEqual([[true, false, true], null]);
    const dialogs = () => shown.all('dialog').filter((dialog) => dialog.open).length;
    expect(dialogs()).toBe(0);
    shown.press('Queue runs…');
    await soon(async () => {
      await come(shown);
      expect(dialogs()).toBe(1);
    });
  });

  it('resumes a run in the Lab', async () => {
    keep(kept('first', { finished: false, iteration: 5 }));
    const resume = vi.spyOn(page.tabRun.commands.resume, 'run').mockReturnValue();
    const shown = await open();
    shown.press('Details of first');
    await soon(async () => {
      await come(shown);
      shown.press('Resume');
    });
    expect(resume).toHaveBeenCalledWith(expect.objectContaining({ id: 'first' }));
    expect(location.hash).toMatch(/^#\/lab\?/);
  });

  it('lays the curves of ticked runs over each other, with what differs', async () => {
    keep(kept('first'), kept('second', { config: { ...config(), seed: 7 } }), kept('third', { configChanges: [3] }));
    const shown = await open();
    expect(shown.says).toContain('Tick runs to lay their curves over each other.');
    for (const name of ['first', 'second']) {
      shown.click(shown.control(`Compare ${name}`));
      await come(shown, 50);
    }
    const top = () => shown.says.slice(shown.says.indexOf('# Compare'), shown.says.indexOf('# Your runs'));
    expect(top()).toMatchInlineSnapshot(`
      [
        "# Compare",
        "Metric",
        "choice "Metric": Success: unseen tasks of 17",
        "Over",
        "choice "Over": Iterations of Iterations | Sampled tokens | Time",
        "Smoothing",
        "range "Smoothing": 0",
        "Group by",
        "choice "Group by": setup, over seeds of each run | setup, over seeds",
        "button "Untick all"",
        "figure "Success: unseen tasks: Success: unseen tasks rose from 50 % to 100 % by iteration 2."",
        "# Success: unseen tasks",
        "button "Enlarge Success: unseen tasks"",
        "button "About Success: unseen tasks, and its numbers"",
        "Share of tasks solved. Unseen tasks: answered greedily. Practice: the rollouts that the agent le…",
        "slider "Success: unseen tasks at iteration": latest: first, 2 seeds 100 % (100 % to 100 %)",
        "Success: unseen tasks rose from 50 % to 100 % by iteration 2.",
        "Each line is the mean of the runs of a group, in a band from the least to the greatest.",
        "# What differs",
        "region "What differs"",
        "Setting | first | second",
        "Seed | 1 | 7",
        "fold "Report One HTML file with your words, these curves, the runs and links that run them again…",
      ]
    `);
    shown.write('Group by', 'runs');
    shown.write('Over', 'time');
    expect(top().filter((line) => /^(checkbox|choice|Time|Runs)/.test(line))).toMatchInlineSnapshot(`
      [
        "choice "Metric": Success: unseen tasks of 17",
        "choice "Over": Time of Iterations | Sampled tokens | Time",
        "choice "Group by": each run of each run | setup, over seeds",
        "Time is what the iterations took to sample, to run tools, to update and to validate, without pau…",
      ]
    `);
    shown.click(shown.control('Compare third'));
    await come(shown, 50);
    expect(top().filter((line) => /^(Dashed|These)/.test(line))).toMatchInlineSnapshot(`
      [
        "Dashed line: the setup of third changed after iteration 3.",
      ]
    `);
    shown.press('Untick all');
    await come(shown);
    expect(shown.says).toContain('Tick runs to lay their curves over each other.');
  });

  it('leads runs through their settings to their results, and names the one under the pointer', async () => {
    keep(kept('first'), kept('second', { config: { ...config(), iterations: 5, seed: 7 } }));
    const shown = await open();
    for (const name of ['first', 'second']) {
      shown.click(shown.control(`Compare ${name}`));
      await come(shown, 50);
    }
    expect(shown.says).toContain('# Settings and where they lead');
    const [line, other] = shown.all('.parallel path');
    const said = () => shown.find('.parallel + p').textContent;
    expect(said()).toMatch(/^2 runs from setting to setting\. All end at 100\s%\.$/);
    shown.tell(line, 'pointerenter');
    const faint = () => [line, other].map(({ classList }) => classList.contains('faint'));
    expect([said(), ...faint()]).toEqual([line.textContent, false, true]);
    shown.tell(line, 'pointerleave');
    expect([/^2 runs/.test(said()), ...faint()]).toEqual([true, false, false]);
  });
});
