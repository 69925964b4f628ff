/** Messages between the page and the worker that downloads and keeps pretrained models; types only. */
import type { RunConfig } from '../config/config';
import type { DeviceKind } from '../device/choice';
import type { Machine } from '../rl/model-bill';
import type { KeptModel } from '../run/models/kept-models';
import type { ModelProgress } from '../run/models/model-download';
import type { GivenFiles } from './protocol';

/** What a download would bring, and what it would cost. */
export interface ModelOffer {
  /** `owner/name` */
  readonly name: string;
  /** The commit. */
  readonly revision: string;
  readonly licence: string | null;
  readonly fetchBytes: number;
  /** Memory and time of a run, a sentence each. */
  readonly bill: readonly string[];
}

export interface ModelsApi {
  /**
   * Asks the hub about a model; no weight is fetched. Rejects with a sentence.
   * @param name as a person types it @param config a run that is to train it
   */
  offer(
    name: string,
    config: RunConfig,
    machine: Omit<Machine, 'memoryBytes'> & { readonly kind: DeviceKind },
  ): Promise<ModelOffer>;
  /** Fetches what was offered last. Rejects with a sentence. @returns null if it was stopped; what has come is kept */
  download(onProgress: (progress: ModelProgress) => void): Promise<KeptModel | null>;
  stop(): Promise<void>;
  /** Latest first. */
  kept(): Promise<readonly KeptModel[]>;
  /** Its files, for a trainer. Rejects with a sentence. */
  files(folder: string): Promise<GivenFiles>;
  remove(folder: string): Promise<void>;
}
