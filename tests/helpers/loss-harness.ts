/** Runs one loss kernel on given logits and labels on the real device and reads everything back. */
import { Commands, readTensor } from '../../src/gpu/commands';
import { Tape } from '../../src/gpu/tape';
import { writeTensor, type Tensor } from '../../src/gpu/tensor';
import type { LossInputs } from '../../src/ops/policy-loss';
import { testDevice } from './gpu';

export interface LossResult {
  /** [M, 8]: log-prob, entropy, loss, k3, ratio, clipped, dual-clipped, old − log-prob. */
  readonly stats: Float32Array;
  /** Gradient of the summed weighted loss at the logits, [M, V]. */
  readonly gradient: Float32Array;
}

/** @param sites old log-prob, reference log-prob, advantage, weight of each site */
export async function runLoss(
  logits: readonly (readonly number[])[],
  targets: readonly number[],
  sites: readonly (readonly [number, number, number, number])[],
  build: (tape: Tape, logits: Tensor, inputs: LossInputs) => void,
): Promise<LossResult> {
  const device = await testDevice();
  const [M, V] = [logits.length, logits[0].length];
  const tape = new Tape(device, true);
  const tensor = tape.activation('logits', [M, V]);
  const inputs = {
    targets: tape.constant('targets', [M], 'u32'),
    sites: tape.constant('sites', [M, 4]),
    stats: tape.constant('stats', [M, 8]),
  };
  build(tape, tensor, inputs);
  const plan = await tape.seal();
  writeTensor(device, tensor, Float32Array.from(logits.flat()));
  writeTensor(device, inputs.targets, Uint32Array.from(targets));
  writeTensor(device, inputs.sites, Float32Array.from(sites.flat()));
  new Commands(device).run(plan.forward).submit();
  const result = { stats: await readTensor(device, inputs.stats), gradient: await readTensor(device, tensor.grad!) };
  if (device.taint) throw new Error(device.taint);
  plan.destroy();
  return result;
}
