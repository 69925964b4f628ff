// @vitest-environment dom
/** The curves of the chosen runs over each other: what can be grouped, and how. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { presetByName } from '../../../src/config/presets';
import type { ComparedRun } from '../../../src/presentation/compared-runs';
import * as files from '../../../src/ui/base/download';
import Compare from '../../../src/ui/pages/runs/Compare.svelte';
import { reactive } from '../../helpers/dom/root.svelte';
import type { PageState } from '../../../src/ui/state/page-state.svelte';
import { show, type Shown } from '../../helpers/dom/shown';
import { FakeBrowser, stubPage } from '../../helpers/fake-trainer';
import { metricsRow } from '../../helpers/metrics-row';
import { soon } from '../../helpers/soon';

stubPage();

let page: PageState;
beforeEach(async () => {
  page = await new FakeBrowser().open();
});

const { config } = presetByName('calculator-mini');

const runOf = (i: number): ComparedRun => ({
  id: `${i}`,
  name: `run ${i}`,
  config: { ...config, seed: i },
  record: { metrics: [1, 2].map((at) => metricsRow(at, { validationSuccess: at / 2, entropy: i })), rollouts: [] },
  configChanges: [],
});
const runsOf = (count: number) => Array.from({ length: count }, (_, i) => runOf(i + 1));

const open = (compared: readonly ComparedRun[], more: object = {}) => {
  const runs = reactive({ compared, left: 0, chooseOnly: vi.fn(async () => undefined), ...more });
  return { shown: show(Compare, { runs: runs as never, fields: [] }, page), runs };
};
const choiceOf = (shown: Shown, name: string) => shown.says.find((line) => line.startsWith(`choice "${name}"`));
const isBanded = (shown: Shown) => shown.says.some((line) => line.startsWith('Each line is the mean'));

describe('grouping', () => {
  it('is offered for several runs only', () => {
    const { shown, runs } = open(runsOf(1));
    expect(choiceOf(shown, 'Group by')).toBeUndefined();
    runs.compared = runsOf(2);
    shown.tell(shown.root, 'nothing');
    expect(choiceOf(shown, 'Group by')).toBe('choice "Group by": setup, over seeds of each run | setup, over seeds');
  });

  it('draws more runs than there are lines as bands, and each run again once they are fewer', () => {
    const { shown, runs } = open(runsOf(6));
    shown.write('Group by', 'runs');
    const look = (count: number) => {
      runs.compared = runsOf(count);
      shown.tell(shown.root, 'nothing');
      return [choiceOf(shown, 'Group by'), isBanded(shown)];
    };
    expect([look(6), look(7), look(5)]).toEqual([
      ['choice "Group by": each run of each run | setup, over seeds', false],
      ['choice "Group by": setup, over seeds of each run (disabled) | setup, over seeds', true],
      ['choice "Group by": each run of each run | setup, over seeds', false],
    ]);
  });

  it('is by a setting in which the runs differ, if one is chosen', () => {
    const changed = runsOf(4).map((run, i) => ({
      ...run,
      config: { ...run.config, iterations: i < 2 ? 5 : 9, rollout: { ...run.config.rollout, tasks: i + 1 } },
    }));
    const { shown } = open(changed);
    for (const path of ['iterations', 'rollout.tasks']) {
      shown.write('Group by', path);
      expect(shown.control('Group by').value).toBe(path);
    }
    expect(isBanded(shown)).toBe(true);
  });
});

it('saves what was found as one file, and keeps the words for the next visit', async () => {
  const saved: [string, Blob][] = [];
  const download = vi.spyOn(files, 'download').mockImplementation((...args) => void saved.push(args));
  onTestFinished(() => download.mockRestore());
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: stored.set.bind(stored),
  });
  const compared = runsOf(2);
  const list = compared.map((run) => ({
    ...run,
    title: 'Calculator',
    note: `note ${run.id}`,
    iteration: 2,
    curve: [1],
  }));
  const { shown } = open(compared, { list: list.map((run) => ({ ...run, validation: 0.5 })) });
  shown.click(shown.find('summary'));
  shown.write('Title', 'Two seeds');
  shown.write('What you found', 'They agree.\n\nNothing else differs.');
  shown.press('Save the report');
  await soon(async () => {
    await vi.advanceTimersByTimeAsync(0);
    expect(saved).toHaveLength(1);
  });
  const [name, blob] = saved[0];
  const html = await blob.text();
  expect(name).toBe('agentlet-report.html');
  for (const part of ['<h1>Two seeds</h1><p>They agree.</p><p>Nothing else differs.</p>', 'note 1', 'note 2'])
    expect(html).toContain(part);
  const links = [...html.matchAll(/<a href="[^"#]*#\/lab\?([^"]*)"/g)].map(([, link]) => link.replaceAll('&amp;', '&'));
  expect(links).toEqual([1, 2].map((seed) => `v=1&ev=0.9.0&preset=calculator-mini&from=share&seed=${seed}`));
  expect(open(compared).shown.control('What you found').value).toBe('They agree.\n\nNothing else differs.');
});
