/**
 * Opens the page's address: a shared run, a setup, nothing, or a link that this version cannot read. Also
 * writes the visitor's own setup into the address; such an address opens without a word.
 */
import type { SavedRun } from '../../run/store/saved-run';
import type { TrainerApi } from '../../worker/protocol';
import type { RunConfig } from '../../config/config';
import type { OpenedLink } from '../../config/run-link';
import { pageOf, readAddress, writeAddress, type Address, type RunLinks } from '../base/address';
import { sameJson } from '../../lib/same-json';
import type { Notices } from '../base/notices.svelte';
import type { SavedRunsView } from './run/saved-runs.svelte';
import type { Setup } from './setup/setup.svelte';
import type { DisplayedRun } from './run/displayed-run.svelte';
import { text as lab } from './run/text';
import { text } from './run/share-text';
import { nearest } from '../../lib/nearest';

type Api = Pick<TrainerApi, 'plan'>;

export interface LinkOpenerParts {
  readonly setup: Setup;
  readonly shown: DisplayedRun;
  readonly saved: SavedRunsView;
  readonly notices: Notices;
  /** Null while there is no trainer. */
  readonly api: () => Api | null;
  readonly links: () => Promise<Pick<RunLinks, 'addressOf' | 'openRunLink'>>;
  /** Displays the right run after a link was opened or closed. */
  readonly show: () => void;
  readonly resume: (run: SavedRun) => void;
  /** Opens where a world of one's own is written. */
  readonly writeOwn: () => void;
  /** Opens a round in the agent's place. */
  readonly play: () => void;
  /** Unfolds the tables of the experiments. */
  readonly showResults: () => void;
}

export class LinkOpener {
  /** The config as the preset, the address or a saved run gave it; any other is the visitor's own. */
  #given: RunConfig | null = null;
  /** The address that was opened or written last; any other is a link that waits to be opened. */
  #known = '';

  constructor(private readonly parts: LinkOpenerParts) {}

  /**
   * Opens what the address bar says. Runs and edits that are here stay. Rejects with a sentence if the trainer did not
   * answer.
   */
  async open(): Promise<void> {
    const { hash } = location;
    if (pageOf(hash) === 'lab') await this.#open().finally(() => (this.#known = hash));
  }

  async #open(): Promise<void> {
    const { shown, setup, notices } = this.parts;
    const address = readAddress(location.hash);
    notices.dismiss('address');
    if (address.kind === 'link') {
      await this.#openLink(address);
      return;
    }
    if (address.kind === 'own') this.parts.writeOwn();
    else if (address.kind === 'start') this.replaceSetup(() => setup.chooseFirst());
    else this.#explain(location.hash);
    shown.author = null;
    this.parts.show();
  }

  async #openLink({ link, rollout, plays }: Extract<Address, { kind: 'link' }>): Promise<void> {
    const { shown, setup, notices, saved } = this.parts;
    const { openRunLink } = await this.parts.links();
    const opened = await openRunLink(link);
    // Another address may have been opened meanwhile.
    const now = readAddress(location.hash);
    if (now.kind !== 'link' || now.link !== link) return;
    const own = saved.madeLink(opened);
    if (opened.problem !== null) this.#refuse(opened.problem);
    else this.replaceSetup(() => setup.loadLinked(opened.preset, opened.config));
    shown.author = opened.problem === null && !own && this.#concernsReader(opened) ? opened : null;
    if (own) {
      if (saved.offered?.id === own.id) saved.offered = null;
      const action = { label: lab.saved.open, act: () => this.parts.resume(own) };
      notices.show({ kind: 'address', sentence: text.address.own(own), action });
    }
    shown.wantedRollout = rollout;
    this.parts.show();
    // Code that came with a link runs only after a person's press.
    if (plays && opened.config.environment.source === undefined) this.parts.play();
  }

  /** Says that an address names no page, and offers the page that it may have meant. */
  #explain(hash: string): void {
    const { notices, setup } = this.parts;
    const meant = meantBy(hash, setup.catalog?.presets ?? []);
    if (!meant) return notices.show({ kind: 'address', sentence: text.address.unknown, action: null });
    const act = () => {
      if (meant.hash === null) this.parts.showResults();
      else location.hash = meant.hash;
    };
    const action = { label: text.address.open(meant.name), act };
    notices.show({ kind: 'address', sentence: text.address.meant(meant.name), action });
  }

  #refuse(problem: string): void {
    const act = () => {
      writeAddress(null);
      void this.open();
    };
    const sentence = text.address.unreadable(problem);
    this.parts.notices.show({ kind: 'address', sentence, action: { label: text.address.openStart, act } });
  }

  /** Somebody sent it, or there is something to read before training: foreign code, or what was left out. */
  #concernsReader({ shared, config, notices }: OpenedLink): boolean {
    const { source } = config.environment;
    return shared || notices.length > 0 || (source !== undefined && !this.parts.setup.isOwn(source));
  }

  /** Replaces the setup by one from outside; a notice gives the visitor's own edits back. */
  replaceSetup(load: () => void): void {
    const { setup, notices } = this.parts;
    const own = setup.config === this.#given || !setup.edited ? null : setup.snapshot();
    load();
    this.#given = setup.config;
    if (!own || sameJson(own.config, setup.config)) return;
    const back = () => setup.load(own.preset, own.config);
    notices.show({
      kind: 'setup',
      sentence: text.setupKept,
      action: { label: text.ownSetup, act: back },
    });
  }

  /** Asks what the setup needs, and writes it into the address if it is the visitor's own. */
  async keepAddress(): Promise<void> {
    const { setup } = this.parts;
    const { config } = setup;
    const api = this.parts.api();
    if (!api || !config) return;
    await setup.askPlans((each) => api.plan(each));
    if (setup.config !== config || config === this.#given || setup.problem !== null) return;
    this.#given = null;
    const { addressOf } = await this.parts.links();
    const address = await addressOf(config);
    if (setup.config !== config || location.hash !== this.#known) return;
    writeAddress(address);
    this.#known = location.hash;
  }
}

/** What an address that names no page may have meant: people type addresses by hand. Pure. */
export interface MeantPage {
  readonly name: string;
  /** Null is the fold of the experiments' tables, which is on the Lab's page. */
  readonly hash: string | null;
}

const words = text.address.pages;

const pages: Readonly<Record<string, MeantPage>> = {
  ...ofNames(['gallery', 'worlds', 'home', 'start', 'presets'], { name: words.worlds, hash: '#/' }),
  ...ofNames(['editor', 'environment', 'own', 'new'], { name: words.editor, hash: '#/lab?own' }),
  ...ofNames(['results', 'experiments', 'tables'], { name: words.results, hash: null }),
  ...ofNames(['run', 'runs', 'compare', 'queue', 'saved'], { name: words.runs, hash: '#/runs' }),
  ...ofNames(['learn', 'lessons', 'teachers', 'help', 'docs'], { name: words.learn, hash: '#/learn' }),
};

/** @param presets those that an address can name @returns null if no page is near */
export function meantBy(
  hash: string,
  presets: readonly { readonly name: string; readonly title: string }[],
): MeantPage | null {
  const word = /^#?\/?(?:lab\/|lab\?)?([\w-]{1,40})/.exec(hash)?.[1];
  if (word === undefined) return null;
  const worlds = new Map(presets.map(({ name, title }) => [name, { name: title, hash: `#/lab?v=1&preset=${name}` }]));
  const near = nearest(word, [...Object.keys(pages), ...worlds.keys()]);
  return near === null ? null : (worlds.get(near) ?? pages[near]);
}

function ofNames(names: readonly string[], page: MeantPage): Readonly<Record<string, MeantPage>> {
  return Object.fromEntries(names.map((name) => [name, page]));
}
