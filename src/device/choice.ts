/** Which device a run is trained on: what was asked for, and what there is. */

export const deviceChoices = ['auto', 'gpu', 'cpu'] as const;

/** `auto` is a GPU if there is a real one, and else the CPU. */
export type DeviceChoice = (typeof deviceChoices)[number];

export type DeviceKind = 'gpu' | 'cpu';

/** @param gpu the adapter that WebGPU offers, if any: one that computes on the CPU is slower than our own CPU device */
export function chosenDevice(choice: DeviceChoice, gpu: { readonly software: boolean } | null): DeviceKind {
  if (choice === 'cpu' || gpu === null) return 'cpu';
  return choice === 'gpu' || !gpu.software ? 'gpu' : 'cpu';
}
