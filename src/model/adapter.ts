/** What is trained of a pretrained model: a LoRA adapter, as a config gives it. Knows no family. */

/** Names of sets of linear layers that an adapter changes. */
export const adapterTargets = ['all-linear', 'attention', 'query-value'] as const;

export type AdapterTargets = (typeof adapterTargets)[number];

export interface AdapterSettings {
  /** r */
  readonly rank: number;
  /** α: changes are scaled by α/r. */
  readonly alpha: number;
  readonly targets: AdapterTargets;
}

/** What a config begins with. */
export const standardAdapter: AdapterSettings = { rank: 16, alpha: 32, targets: 'all-linear' };

/** How a pretrained model is used. */
export interface PretrainedSettings extends AdapterSettings {
  /** What files of its adapter call it. */
  readonly name: string;
  /** Longest episode that it is to see. */
  readonly context: number;
}
