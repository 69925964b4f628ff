/** Pretrained models whose files the page gave to the trainer. A run that goes on after a fault reads them again. */
import type { RunConfig } from '../config/config';
import { openModel, type OpenedModel } from '../config/open-model';
import { missingModel, requireModel } from '../config/pretrained';
import type { Pretrained } from '../config/pretrained-schema';
import { formatBytes } from '../lib/amounts';
import { bytesOfBlob } from '../lib/byte-source';
import { pretrainedNetwork } from '../model/families';
import type { Network } from '../model/model';
import type { OpenModel } from '../rl/rollouts/setup';
import type { GivenFiles, GivenModel } from './protocol';

export class GivenModels {
  private readonly models = new Map<string, OpenedModel>();

  /**
   * @param maxBytes of the weights
   * @param wanted a config whose model they must be; null: any model
   * @throws a sentence if they are no such model
   */
  async take(
    { folder, files, known }: GivenFiles,
    maxBytes: number,
    wanted: RunConfig | null,
    onProgress?: (share: number) => void,
  ): Promise<GivenModel> {
    const sources = new Map([...files].map(([name, blob]) => [name, bytesOfBlob(blob, name)]));
    const onFacts = (bytes: number) => requireRoom(bytes, maxBytes);
    const model = known ? { ...known, files: sources } : await openModel(sources, folder, { onFacts, onProgress });
    if (wanted) requireModel(wanted, model);
    this.models.set(model.digest, model);
    const { files: _files, ...given } = model;
    return given;
  }

  /** What a trainer asks for the files of its config's model. */
  readonly open: OpenModel = async (pretrained) => {
    const model = this.models.get(pretrained.digest);
    if (!model) throw new Error(missingModel(pretrained));
    return model.files;
  };

  has({ digest }: Pretrained): boolean {
    return this.models.has(digest);
  }

  /** The network of a config's pretrained model; null if it has none, or its files are not here. */
  async network({ model: { pretrained, context } }: RunConfig): Promise<Network | null> {
    if (!pretrained || !this.has(pretrained)) return null;
    return pretrainedNetwork(await this.open(pretrained), { ...pretrained, context });
  }
}

function requireRoom(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new Error(
    `The weights of this model take ${formatBytes(bytes)}, and the device can hold ${formatBytes(maxBytes)}: ` +
      'choose a smaller model.',
  );
}
