/** What the page says of the run of a link's author, and of this tab's run beside it. */
import { describe, expect, it, vi } from 'vitest';
import { engineVersion, openRunLink, runLink } from '../../src/config/run-link';
import { LinkOpener } from '../../src/ui/state/link-opener';
import { Notices } from '../../src/ui/base/notices.svelte';
import { SavedRunsView } from '../../src/ui/state/run/saved-runs.svelte';
import type { SavedRun } from '../../src/run/store/saved-run';
import type { DeviceKind } from '../../src/device/choice';
import type { RunConfig } from '../../src/config/config';
import type { OpenedLink } from '../../src/config/run-link';
import { answerRecordings, configOf, page } from '../helpers/displayed-run';

answerRecordings();

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
    savedRuns.offered = saved[0] ?? null;
    const resumed: string[] = [];
    const play = vi.fn();
    let tellAddress = (_: string) => {};
    const address = new Promise<string>((resolve) => (tellAddress = resolve));
    const go = (to: string) => {
      vi.stubGlobal('location', { hash: to });
      return arriving.open();
    };
    const arriving = new LinkOpener({
      setup: parts.setup,
      shown: parts.shown,
      saved: savedRuns,
      notices,
      api: () => ({ plan: () => Promise.resolve(null) }) as never,
      links: async () => ({ openRunLink, addressOf: () => address }),
      show: () => undefined,
      resume: (run) => resumed.push(run.id),
      writeOwn: () => undefined,
      play,
      showResults: () => undefined,
    });
    vi.stubGlobal('history', {
      replaceState: (_: unknown, __: string, to: string) => vi.stubGlobal('location', { hash: to }),
    });
    await go(hash);
    return { ...parts, notices, go, resumed, arriving, tellAddress, play, savedRuns };
  }

  it('takes the place of edits, which a notice gives back', async () => {
    const { setup, notices, go } = await links('#/lab');
    setup.load(setup.preset!, { ...config, seed: 11 });
    await go(`#/lab?${await linkOf(0.5, { seed: 77 })}`);
    const { kind, action } = notices.list.at(-1)!;
    expect([setup.config?.seed, kind]).toEqual([77, 'setup']);
    action!.act();
    expect(setup.config?.seed).toBe(11);
  });

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

  it('that asks for a round begins one, unless code came with it, which waits for a press', async () => {
    const own = { ...config, environment: { name: 'own', options: {}, source: 'export {}' } };
    expect((await links('#/lab?v=1&preset=bandit')).play).not.toHaveBeenCalled();
    expect((await links('#/lab?v=1&preset=bandit&play')).play).toHaveBeenCalledOnce();
    expect((await links(`#/lab?${await runLink(own, null)}&play`)).play).not.toHaveBeenCalled();
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
    const { shown, notices, resumed, savedRuns } = await links(`#/lab?${await linkOf(0.5)}`, [run]);
    expect([shown.author, savedRuns.offered], 'one offer is enough').toEqual([null, null]);
    expect(notices.list[0].sentence).toBe(
      'This link is of a run of yours, which this browser has saved at iteration 5.',
    );
    notices.list[0].action!.act();
    expect(resumed).toEqual(['mine']);
    const onCpu = await links(`#/lab?${await linkOf(0.5, {}, 'cpu')}`, [run]);
    expect([onCpu.shown.author, onCpu.notices.list.length]).toEqual([null, 1]);
    const other = { ...run, fingerprint: ['c'.repeat(16)] };
    const foreign = await links(`#/lab?${await linkOf(0.5)}`, [other]);
    expect([foreign.shown.author === null, foreign.savedRuns.offered]).toEqual([false, other]);
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

  it('to a page that is near asks whether that was meant', async () => {
    const { notices } = await links('#/sokobn');
    expect(notices.list[0].sentence).toBe('This address names no page of Agentlet. Did you mean Sokoban?');
    notices.list[0].action!.act();
    expect(location.hash).toBe('#/lab?v=1&preset=sokoban');
  });

  it('to a preset needs no version, as people type it', async () => {
    const { setup, notices } = await links('#/lab?preset=sokoban&seed=7');
    expect([setup.preset?.name, setup.config?.seed, notices.list]).toEqual(['sokoban', 7, []]);
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
