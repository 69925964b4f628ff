/** Pretrained models of a hub: what one would cost, its download, and those that this browser keeps. */
import { proxy, wrap, type Remote } from 'comlink';
import type { RunConfig } from '../../../config/config';
import type { Pretrained } from '../../../config/pretrained-schema';
import { recordedModel } from '../../../lib/recorded-model';
import { listening } from '../../../lib/listening';
import { sentenceOf } from '../../../lib/sentences';
import type { KeptModel } from '../../../run/models/kept-models';
import type { ModelProgress } from '../../../run/models/model-download';
import type { ModelOffer, ModelsApi } from '../../../worker/models';
import { pageWorker } from '../../trainer/page-worker';
import type { PretrainedModels } from './pretrained-models.svelte';

type Api = Pick<Remote<ModelsApi>, keyof ModelsApi>;
type Machine = Parameters<ModelsApi['offer']>[2];

const openWorker = (): Api => wrap<ModelsApi>(pageWorker('models'));

export class HubModels {
  /** Latest first. */
  kept = $state.raw<readonly KeptModel[]>([]);
  offer = $state.raw<ModelOffer | null>(null);
  /** Of the download that is under way; null: none is. */
  progress = $state.raw<ModelProgress | null>(null);
  isBusy = $state(false);
  /** Why the last order failed, a sentence; empty: it did not. */
  problem = $state('');
  #opened: Api | null = null;

  /** @param open starts the worker, once it is needed */
  constructor(
    private readonly models: Pick<PretrainedModels, 'give' | 'giveRecorded'>,
    private readonly open: () => Api = openWorker,
  ) {}

  get #api(): Api {
    return (this.#opened ??= this.open());
  }

  /** Reads what is kept. A browser that keeps nothing, in a private window for example, has none. */
  async refresh(): Promise<void> {
    this.kept = await this.#api.kept().catch(() => []);
  }

  /** Asks the hub what a model would cost. @param machine rejects with a sentence if it cannot be known */
  ask(name: string, config: RunConfig, machine: () => Promise<Machine>): Promise<void> {
    this.offer = null;
    return this.#do(async () => {
      this.offer = await this.#api.offer(name, $state.snapshot(config), await machine());
    });
  }

  /** Downloads what was offered, and uses it. */
  download(): Promise<void> {
    return this.#do(async () => {
      this.progress = { doneBytes: 0, totalBytes: this.offer!.fetchBytes, file: '' };
      try {
        const model = await listening(
          (progress: ModelProgress) => (this.progress = progress),
          (tell) => this.#api.download(proxy(tell)),
        );
        if (model) {
          this.offer = null;
          await this.models.give(await this.#api.files(model.folder));
        }
      } finally {
        this.progress = null;
        await this.refresh();
      }
    });
  }

  stop(): void {
    void this.#api.stop();
  }

  use({ folder }: KeptModel): Promise<void> {
    return this.#do(async () => this.models.give(await this.#api.files(folder)));
  }

  /** Opens the model that a setup names, where it comes with the page or is kept here. */
  async find({ name, digest }: Pretrained): Promise<void> {
    if (name === recordedModel.name) return this.models.giveRecorded();
    await this.refresh();
    const model = this.kept.find((each) => each.digest === digest);
    if (model) await this.use(model);
  }

  remove({ folder }: KeptModel): Promise<void> {
    return this.#do(async () => {
      await this.#api.remove(folder);
      await this.refresh();
    });
  }

  async #do(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.problem = '';
    try {
      await work();
    } catch (error) {
      this.problem = sentenceOf(error);
    } finally {
      this.isBusy = false;
    }
  }
}
