/**
 * Opens the page's address: a shared run, a setup, nothing, or a link that this version cannot read. Also
 * writes the visitor's own setup into the address; such an address opens without a word.
 */
import type { SavedRun, TrainerApi } from '../../worker/protocol';
import type { RunConfig } from '../../rl/config/config';
import type { OpenedLink } from '../../rl/config/run-link';
import { readAddress, writeAddress } from './address';
import { pageOf } from '../shell/page';
import { sameJson } from '../setup/config-path';
import type { Notices } from '../shell/notices.svelte';
import type { SavedRunsView } from '../lab/saved-runs.svelte';
import type { Setup } from '../setup/setup.svelte';
import type { DisplayedRun } from '../lab/displayed-run.svelte';
import { text as lab } from '../lab/text';
import { text } from './text';

type Api = Pick<TrainerApi, 'openLink' | 'address' | 'plan'>;

export interface LinkOpenerParts {
  readonly setup: Setup;
  readonly shown: DisplayedRun;
  readonly saved: SavedRunsView;
  readonly notices: Notices;
  /** Null while there is no trainer. */
  readonly api: () => Api | null;
  /** Displays the right run after a link was opened or closed. */
  readonly show: () => void;
  readonly resume: (run: SavedRun) => void;
  /** Opens where a world of one's own is written. */
  readonly writeOwn: () => void;
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
    const api = this.parts.api();
    const address = readAddress(location.hash);
    notices.dismiss('address');
    if (address.kind === 'link') {
      if (api) await this.#openLink(api, address.link, address.rollout);
      return;
    }
    if (address.kind === 'own') this.parts.writeOwn();
    else if (address.kind === 'start') this.replaceSetup(() => setup.chooseFirst());
    else notices.show({ kind: 'address', sentence: text.address.unknown, action: null });
    shown.author = null;
    this.parts.show();
  }

  async #openLink(api: Api, link: string, rollout: string | null): Promise<void> {
    const { shown, setup, notices, saved } = this.parts;
    const opened = await api.openLink(link);
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
    const address = await api.address(config);
    if (setup.config !== config || location.hash !== this.#known) return;
    writeAddress(address);
    this.#known = location.hash;
  }
}
