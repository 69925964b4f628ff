/** A small model that is trained whole here, and whose files are those of a pretrained one. Knows no family. */
import type { Device } from '../device/device';
import type { Network } from './model';
import type { ParameterStore } from './parameters';

export interface SmallSizes {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly mlpWidth: number;
  /** Positions. */
  readonly context: number;
}

export interface SmallModel {
  readonly network: Network;
  /** Its config.json. */
  readonly config: string;
  /** The pieces of its model.safetensors. */
  weights(device: Device, store: ParameterStore): AsyncIterable<Uint8Array>;
}
