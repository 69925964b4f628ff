/**
 * The pretrained models whose files the visitor has given. The trainer reads them; the page keeps the files, which the
 * next trainer needs too.
 */
import type { RunConfig } from '../../../config/config';
import { listening } from '../../../lib/listening';
import { sentenceOf } from '../../../lib/sentences';
import type { PartialSettings } from '../../../lib/recorded-model';
import type { GivenFiles, GivenModel } from '../../../worker/protocol';
import { mayNameModel, namesModel } from '../../base/address';
import { keepFolder } from '../../base/model-folders';
import type { TrainerClient } from '../../trainer/trainer-client';
import { fetchRecordedModel } from './recorded-model';
import type { Setup } from './setup.svelte';
import { text } from './text';

type Given = GivenFiles & { readonly known: GivenModel };

export class PretrainedModels {
  #given = $state.raw<readonly Given[]>([]);
  /** Share of the bytes that was read of the model that is being opened; null: none is. */
  share = $state<number | null>(null);
  /** The visitor asked for a pretrained model, and the setup may have none yet. */
  isAsked = $state(false);
  /** Why the last folder was refused, a sentence; empty: it was not. */
  refusal = $state('');
  /** The model that comes with the page is being fetched. */
  isFetching = $state(false);
  /** The address names a model, or may name one, and it is not known yet whether that is here. */
  isAwaited = $state(false);
  /** The setup's model is looked for among the page's and those that the browser keeps. */
  isSought = $state(false);
  /** What waits for the files of a model, by its digest. */
  #waiting: { readonly digest: string; readonly act: () => void } | null = null;

  /** The one that was given last. */
  readonly latest = $derived(this.#given[0]?.known ?? null);
  /** That of the setup; null if it has none, or its files are not here. */
  readonly ofSetup = $derived.by(() => this.#find(this.setup.config));
  /** The setup names a model whose files are not here. */
  readonly isMissing = $derived.by(() => this.setup.config?.model.pretrained !== undefined && this.ofSetup === null);

  constructor(
    private readonly setup: Setup,
    private readonly trainer: () => TrainerClient | null,
  ) {}

  /**
   * Opens files: for a setup that lacks its model they must be that model's, any other setup gets the model.
   * @param handle of the folder, to be kept
   * @param settings that a setup which gets the model takes too
   */
  async give(
    files: GivenFiles,
    handle: FileSystemDirectoryHandle | null = null,
    settings: PartialSettings = {},
  ): Promise<void> {
    const client = this.trainer();
    if (this.share !== null) return;
    this.refusal = client ? '' : text.environment.notReady;
    if (!client) return;
    const wanted = this.isMissing ? this.setup.config : null;
    this.share = 0;
    try {
      const known = await listening(
        (share: number) => (this.share = share),
        (tell) => client.giveModel(files, wanted, tell),
      );
      // Before the setup has its model: its plan still says that it is missing.
      if (wanted) await this.setup.askPlans((config) => client.api.plan(config));
      this.#given = [{ ...files, known }, ...this.#given.filter((each) => each.known.digest !== known.digest)];
      if (handle) void keepFolder(known.digest, handle);
      if (!wanted) this.setup.useModel(known, settings);
      this.#goOn(known);
    } catch (error) {
      this.refusal = sentenceOf(error);
    } finally {
      this.share = null;
    }
  }

  /** Opens the model that comes with the page; a setup that gets it also gets the settings with which it learns. */
  async giveRecorded(): Promise<void> {
    if (this.isFetching) return;
    this.isFetching = true;
    this.refusal = '';
    try {
      const preset = this.isMissing ? null : (this.setup.preset?.name ?? null);
      const { files, settings } = await fetchRecordedModel(preset);
      await this.give(files, null, settings);
    } catch {
      this.refusal = text.model.notFetched;
    } finally {
      this.isFetching = false;
    }
  }

  /** The page opens at this address. */
  async awaitModel(hash: string): Promise<void> {
    this.isAwaited = mayNameModel(hash);
    if (this.isAwaited && !(await namesModel(hash).catch(() => false))) this.isAwaited = false;
  }

  /** Acts at once, or as soon as the files of the config's model are given. */
  whenHere(config: RunConfig, act: () => void): void {
    const { pretrained } = config.model;
    this.#waiting = pretrained && !this.#find(config) ? { digest: pretrained.digest, act } : null;
    if (!this.#waiting) act();
  }

  /** Gives all of them to another trainer. */
  async handOver(client: TrainerClient): Promise<void> {
    for (const each of this.#given) await client.giveModel(each, null, () => undefined);
  }

  #find(config: RunConfig | null): GivenModel | null {
    const digest = config?.model.pretrained?.digest;
    return this.#given.find(({ known }) => known.digest === digest)?.known ?? null;
  }

  #goOn({ digest }: GivenModel): void {
    const waiting = this.#waiting;
    if (waiting?.digest !== digest) return;
    this.#waiting = null;
    waiting.act();
  }
}
