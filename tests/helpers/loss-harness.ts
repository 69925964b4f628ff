/** Runs one loss kernel on given logits and labels on the real device and reads everything back. */
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { writeTensor, type Tensor } from '../../src/device/tensor';
import type { LossInputs } from '../../src/ops/policy-loss';
import { testDevice } from './devices';

export interface LossResult {
  /** [M, 8]: log-prob, entropy, loss, KL, ratio, clipped, dual-clipped, old − log-prob. */
  readonly stats: Float32Array;
  /** Gradient of the summed weighted loss at the logits, [M, V]. */
  readonly gradient: Float32Array;
}

/**
 * @param sites old log-prob, reference log-prob, advantage, weight of each site
 * @param sequenceOf ascending: sites of the same number are one sequence; one for all if not given
 */
export async function runLoss(
  logits: readonly (readonly number[])[],
  targets: readonly number[],
  sites: readonly (readonly [number, number, number, number])[],
  build: (tape: Tape, logits: Tensor, inputs: LossInputs) => void,
  sequenceOf: readonly number[] = sites.map(() => 0),
): Promise<LossResult> {
  const device = await testDevice();
  const [M, V] = [logits.length, logits[0].length];
  const tape = new Tape(device, true);
  const tensor = tape.activation('logits', [M, V]);
  const inputs = {
    targets: tape.constant('targets', [M], 'u32'),
    sites: tape.constant('sites', [M, 4]),
    sequences: tape.constant('sequences', [M, 2], 'u32'),
    stats: tape.constant('stats', [M, 8]),
  };
  build(tape, tensor, inputs);
  const plan = tape.seal();
  await device.compiled();
  writeTensor(device, tensor, Float32Array.from(logits.flat()));
  writeTensor(device, inputs.targets, Uint32Array.from(targets));
  writeTensor(device, inputs.sites, Float32Array.from(sites.flat()));
  const bounds = sequenceOf.flatMap((sequence) => [sequenceOf.indexOf(sequence), sequenceOf.lastIndexOf(sequence) + 1]);
  writeTensor(device, inputs.sequences, Uint32Array.from(bounds));
  new Commands(device).run(plan.forward).submit();
  const result = { stats: await readTensor(device, inputs.stats), gradient: await readTensor(device, tensor.grad!) };
  if (device.uncapturedError) throw new Error(device.uncapturedError);
  plan.destroy();
  return result;
}
