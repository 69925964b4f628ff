/**
 * All that the page says of a run is of the run that is shown: the recorded one of its own preset, the author's of an
 * open link, or this tab's.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { presets } from '../../src/rl/config/presets';
import { engineVersion, openRunLink, runLink } from '../../src/rl/config/run-link';
import { LinkOpener } from '../../src/ui/share/link-opener';
import { LiveRun } from '../../src/ui/lab/live-run.svelte';
import { Notices } from '../../src/ui/shell/notices.svelte';
import { Recordings, type RecordedRun } from '../../src/ui/lab/recordings.svelte';
import { Replay } from '../../src/ui/lab/replay.svelte';
import { SavedRunsView } from '../../src/ui/lab/saved-runs.svelte';
import { Setup } from '../../src/ui/setup/setup.svelte';
import { DisplayedRun } from '../../src/ui/lab/displayed-run.svelte';
import { packRecording } from '../../src/share/recording-file';
import type { Catalog } from '../../src/rl/config/catalog';
import type { SavedRun } from '../../src/worker/protocol';
import type { DeviceKind } from '../../src/device/choice';
import type { RunConfig } from '../../src/rl/config/config';
import type { OpenedLink } from '../../src/rl/config/run-link';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { metricsRow } from './metrics-row';

const configOf = (name: string): RunConfig => presets.find((preset) => preset.name === name)!.config;
const environmentOf = (name: string) => ({ title: `Title of ${name}`, examples: [`asked in ${name}`], rewards: {} });
const catalog = {
  fields: [],
  presets: presets.map(({ name, title, config }) => ({
    name,
    title,
    config,
    environment: environmentOf(config.environment.name),
  })),
} as unknown as Catalog;

const rollout = (iteration: number, success: boolean, prompt: string): RolloutView => ({
  ...{ iteration, index: 0, group: 0, taskId: 't', prompt, reward: 0, advantage: 0, success, end: 'answer', steps: [] },
});

/** Success on unseen tasks is told apart from practice by its value. */
const recordingOf = (name: string) =>
  ({
    ...{ preset: name, config: configOf(name), vocabulary: [], specialTokens: [], groups: 16 },
    metrics: [1, 2, 3].map((i) => metricsRow(i, { success: 0.3, validationSuccess: i === 2 ? null : i / 4 })),
    rollouts: [rollout(1, false, `asked by ${name}`), rollout(3, true, `asked by ${name}`)],
    answers: [[0, 2, 3].map((iteration) => rollout(iteration, iteration > 0, `asked by ${name}`))],
  }) as unknown as RecordedRun;

/** The page's own addresses of recordings, answered by hand. */
let answers: Map<string, (recording: RecordedRun | null) => Promise<unknown>>;
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  answers = new Map();
  vi.stubGlobal('fetch', (url: string) => {
    const name = /([\w-]+)\.json$/.exec(url)![1];
    return new Promise((resolve) => {
      answers.set(name, (recording) => {
        resolve(recording ? Response.json(packRecording(recording)) : new Response('', { status: 404 }));
        return settled();
      });
    });
  });
});

afterEach(() => void vi.unstubAllGlobals());

function page() {
  const [setup, run, recordings] = [new Setup(), new LiveRun(), new Recordings('recordings/')];
  const replay: Replay = new Replay(() => shown.toReplay);
  const shown: DisplayedRun = new DisplayedRun(run, replay, setup, recordings, 'calculator');
  setup.adopt(catalog);
  const choose = (name: string) => {
    setup.choosePreset(name);
    for (const preset of shown.wanted) void recordings.ask(preset);
  };
  const begin = (config: RunConfig) => {
    run.clear('preparing');
    shown.view = 'live';
    const author = shown.compareRun(config);
    for (const preset of shown.wanted) void recordings.ask(preset);
    return author;
  };
  choose('calculator');
  return { setup, run, recordings, replay, shown, choose, begin };
}

const start = (run: LiveRun, config: RunConfig) =>
  run.take({ type: 'started', config, title: '', vocabulary: [], specialTokens: [], parameters: 1 }, 0);

describe('recordings', () => {
  it('plays the chosen preset’s, whichever answer comes last', async () => {
    const { choose, replay, shown } = page();
    choose('bandit');
    choose('calculator-mini');
    choose('bandit');
    await answers.get('bandit')!(recordingOf('bandit'));
    await answers.get('calculator-mini')!(recordingOf('calculator-mini'));
    await answers.get('calculator')!(recordingOf('calculator'));
    expect(replay.recording?.preset).toBe('bandit');
    expect(shown.environment?.title).toBe('Title of bandit');
    expect(shown.answers[0][2].prompt).toBe('asked by bandit');
    choose('calculator-mini');
    expect(replay.recording?.preset).toBe('calculator-mini');
  });

  it('goes over from a long run to a short one', async () => {
    const { choose, replay } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    replay.play(true);
    expect([replay.shown, replay.rollouts.length]).toEqual([3, 2]);
    choose('bandit');
    const { metrics, ...rest } = recordingOf('bandit');
    await answers.get('bandit')!({ ...rest, metrics: metrics.slice(0, 1) });
    expect(replay.rollouts.map(({ prompt }) => prompt)).toEqual(['asked by bandit']);
  });

  it('says so where a preset has none, or where the file is of another preset', async () => {
    const { choose, replay, shown } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    for (const [name, file] of [
      ['bandit', null],
      ['multi-hop', recordingOf('calculator')],
    ] as const) {
      choose(name);
      expect(replay.missing).toBe(false);
      await answers.get(name)!(file);
      expect([replay.missing, replay.recording, shown.metrics, shown.rollouts, shown.answers]).toEqual([
        true,
        null,
        [],
        [],
        [],
      ]);
      expect(shown.environment?.title).toBe(`Title of ${configOf(name).environment.name}`);
    }
  });
});

describe('a run', () => {
  it('keeps its heading, its ghost and its before and after when another preset is chosen', async () => {
    const { choose, shown, begin, run, setup } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    choose('bandit');
    await answers.get('bandit')!(recordingOf('bandit'));
    begin(configOf('bandit'));
    choose('calculator');
    for (const until of ['ordered', 'started']) {
      expect(shown.environment?.title, until).toBe('Title of bandit');
      expect(shown.answers[0][0].prompt, until).toBe('asked by bandit');
      expect(shown.askable, until).toEqual(['asked in bandit']);
      expect(shown.total, until).toBe(configOf('bandit').iterations);
      // The validations of the bandit's recorded run, and not its practice.
      expect(shown.ghost?.points, until).toEqual([
        { x: 1, y: 0.25 },
        { x: 3, y: 0.75 },
      ]);
      start(run, configOf('bandit'));
    }
    expect(setup.preset?.name).toBe('calculator');
  });

  it('is not drawn against a run in another environment', async () => {
    const { shown, begin } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    const config = configOf('calculator');
    begin({ ...config, optimizer: { ...config.optimizer, learningRate: 1e-5 } });
    expect(shown.ghost).not.toBeNull();
    begin({ ...config, environment: { ...config.environment, options: { ...config.environment.options, max: 9 } } });
    expect(shown.ghost).toBeNull();
  });

  it('in an environment of its own has nothing of a preset', async () => {
    const { setup, shown, begin, replay } = page();
    await answers.get('calculator')!(recordingOf('calculator'));
    const config = {
      ...configOf('calculator'),
      environment: { ...configOf('calculator').environment, source: 'export const meta = {};' },
    };
    setup.loadLinked('calculator', config);
    expect([replay.recording, replay.missing, shown.environment, shown.answers, shown.metrics]).toEqual([
      null,
      true,
      null,
      [],
      [],
    ]);
    begin(config);
    expect([shown.environment, shown.ghost, shown.answers, shown.askedBefore, shown.askable]).toEqual([
      null,
      null,
      [],
      [],
      [],
    ]);
  });
});

describe('a link', () => {
  const config = configOf('calculator');
  const linkOf = (success: number, more: Partial<RunConfig> = {}, device: DeviceKind = 'gpu') =>
    runLink(
      { ...config, ...more },
      { validation: [{ iteration: 1, success }], fingerprint: ['a'.repeat(16)], adapter: 'a GPU', device },
    );
  const opened = async (success: number) => openRunLink(await linkOf(success));
  const found = { type: 'reproduction', digests: 1, identicalTo: 1, comparedTo: 1, difference: 0 } as const;

  it('has a verdict only of the run and the link that were compared', async () => {
    const { shown, begin, run } = page();
    shown.author = await opened(0.5);
    expect(begin(config)).toBe(shown.author);
    run.take(found, 0);
    expect(shown.reproduction(null)?.kind).toBe('identical');
    shown.author = await opened(1);
    expect(shown.reproduction(null)).toBeNull();
    shown.author = await opened(0.5);
    expect(shown.reproduction(null)?.kind).toBe('identical');
    expect(begin({ ...config, seed: 9 })).toBeNull();
    expect(shown.reproduction(null)).toBeNull();
  });

  it('made on the CPU names it, and its run is compared on a GPU too', async () => {
    const { shown, setup, begin } = page();
    const author = await openRunLink(await linkOf(0.5, {}, 'cpu'));
    shown.author = author;
    setup.loadLinked(author.preset, author.config);
    expect(setup.config?.device).toBe('cpu');
    expect(begin({ ...author.config, device: 'gpu' })).toBe(author);
    expect(begin({ ...author.config, seed: 9 })).toBeNull();
  });

  it('draws its author’s success on unseen tasks, and an older one’s practice by that name', async () => {
    const { shown } = page();
    shown.view = 'author';
    shown.author = await opened(0.5);
    expect(shown.ghost).toEqual({ name: 'author’s run', points: [{ x: 1, y: 0.5 }] });
    shown.author = { ...shown.author, validation: null, curve: [0.1, 0.5, 0.9], reached: 6 };
    expect(shown.ghost?.name).toBe('author’s run, practice');
    expect(shown.ghost?.points.map(({ x }) => x)).toEqual([1, 3.5, 6]);
  });

  async function links(hash: string, saved: readonly SavedRun[] = []) {
    const parts = page();
    const notices = new Notices();
    const savedRuns = new SavedRunsView();
    savedRuns.list = saved;
    const resumed: string[] = [];
    let tellAddress = (_: string) => {};
    const address = new Promise<string>((resolve) => (tellAddress = resolve));
    const go = (to: string) => {
      vi.stubGlobal('location', { hash: to });
      return arriving.open();
    };
    const arriving = new LinkOpener({
      ...{ setup: parts.setup, shown: parts.shown, saved: savedRuns, notices },
      api: () => ({ openLink: openRunLink, plan: () => Promise.resolve(null), address: () => address }) as never,
      show: () => undefined,
      resume: (run) => resumed.push(run.id),
      writeOwn: () => undefined,
    });
    vi.stubGlobal('history', {
      replaceState: (_: unknown, __: string, to: string) => vi.stubGlobal('location', { hash: to }),
    });
    await go(hash);
    return { ...parts, notices, go, resumed, arriving, tellAddress };
  }

  it('that somebody sent is a letter; going back closes it', async () => {
    const { shown, setup, notices, go } = await links(`#/lab?${await linkOf(0.5, { seed: 77 })}`);
    expect([shown.author?.shared, setup.config?.seed, notices.list]).toEqual([true, 77, []]);
    await go('#/lab');
    expect([shown.author, setup.config?.seed]).toEqual([null, config.seed]);
  });

  it('that the page keeps for itself opens in silence, as the setup', async () => {
    const { shown, setup, notices } = await links(`#/lab?v=1&ev=${engineVersion}&preset=bandit&seed=7`);
    expect([shown.author, setup.preset?.name, setup.config?.seed, notices.list]).toEqual([null, 'bandit', 7, []]);
  });

  it('that is opened while the address of an edit is still being made stays open', async () => {
    const { shown, setup, go, arriving, tellAddress } = await links('#/lab');
    setup.load(setup.preset!, { ...config, seed: 11 });
    const kept = arriving.keepAddress();
    await Promise.resolve();
    const link = `#/lab?${await linkOf(0.5, { seed: 77 })}`;
    const opening = go(link);
    tellAddress('v=1&seed=11');
    await Promise.all([kept, opening]);
    expect([location.hash, shown.author?.shared, setup.config?.seed]).toEqual([link, true, 77]);
  });

  it('that stands in the address and is not opened yet stays there', async () => {
    const { setup, arriving, tellAddress } = await links('#/lab');
    setup.load(setup.preset!, { ...config, seed: 11 });
    const link = `#/lab?${await linkOf(0.5, { seed: 77 })}`;
    vi.stubGlobal('location', { hash: link });
    tellAddress('v=1&seed=11');
    await arriving.keepAddress();
    expect(location.hash).toBe(link);
  });

  it('of a run that this browser has saved is no letter', async () => {
    const run = {
      id: 'mine',
      config,
      iteration: 5,
      finished: false,
      fingerprint: ['a'.repeat(16), 'b'.repeat(16)],
    } as unknown as SavedRun;
    const { shown, notices, resumed } = await links(`#/lab?${await linkOf(0.5)}`, [run]);
    expect(shown.author).toBeNull();
    expect(notices.list[0].sentence).toBe('This link is of a run of yours, which this browser has saved at step 5.');
    notices.list[0].action!.act();
    expect(resumed).toEqual(['mine']);
    const onCpu = await links(`#/lab?${await linkOf(0.5, {}, 'cpu')}`, [run]);
    expect([onCpu.shown.author, onCpu.notices.list.length]).toEqual([null, 1]);
    const other = { ...run, fingerprint: ['c'.repeat(16)] };
    expect((await links(`#/lab?${await linkOf(0.5)}`, [other])).shown.author).not.toBeNull();
    expect(
      (await links(`#/lab?${await linkOf(0.5)}`, [{ ...run, fingerprint: undefined }])).shown.author,
    ).not.toBeNull();
  });

  it.each([
    ['v=9&preset=bandit', /^This link cannot be opened\. It was made by a version with another link format\.$/],
    ['v=1&preset=bandit&x=!!!', /^This link cannot be opened\. Its packed part cannot be used: .*\.$/],
    ['v=1&preset=nope', /^This link cannot be opened\. This version has no preset called "nope"\.$/],
  ])('that cannot be read, %s, says why and offers the start page', async (link, why) => {
    const { shown, setup, notices } = await links(`#/lab?${link}`);
    expect([shown.author, setup.preset?.name]).toEqual([null, 'calculator']);
    expect(notices.list).toHaveLength(1);
    expect(notices.list[0].sentence).toMatch(why);
    expect(notices.list[0].action?.label).toBe('Open the calculator');
    notices.list[0].action!.act();
    expect([location.hash, notices.list]).toEqual(['#/lab', []]);
  });

  it.each(['#/runners', '#/qwerty', '#lab/x'])('to %s is said to name no page', async (hash) => {
    const { notices } = await links(hash);
    expect(notices.list.map(({ sentence }) => sentence)).toEqual([
      'This address names no page of Agentlet. This is the Lab.',
    ]);
  });

  it.each(['#/lab', '#lab', '#/lab?', '#/', '', '#/runs', '#/learn/2'])(
    'to a page by %j needs no word',
    async (hash) => {
      expect((await links(hash)).notices.list).toEqual([]);
    },
  );

  it('does not replace a newer one that was opened meanwhile', async () => {
    const { shown, go } = await links('#/lab');
    const older: Promise<void> = go(`#/lab?${await linkOf(0.25)}`);
    await Promise.all([older, go(`#/lab?${await linkOf(1)}`)]);
    expect((shown.author as OpenedLink | null)?.validation).toEqual([{ iteration: 1, success: 1 }]);
  });
});
