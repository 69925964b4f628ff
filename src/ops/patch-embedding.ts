/** Embeds patches of images in place of tokens. */
import { linearGrid } from '../device/commands';
import type { Tape } from '../device/tape';
import { writeTensor, type Tensor } from '../device/tensor';
import { elementConstants, rowGrid, Rows } from './rows';

/** The patches of a replay: none until they are set. */
export class Patches {
  readonly numbers: Tensor; // [P, K]
  /** Row of each patch. */
  readonly places: Tensor; // u32 [P]
  readonly rows: Rows;

  /** @param tape owns the tensors @param most P @param size K, numbers of a patch */
  constructor(
    private readonly tape: Tape,
    most: number,
    size: number,
  ) {
    this.numbers = tape.constant('patches', [most, size]);
    this.places = tape.constant('patch places', [most], 'u32');
    this.rows = new Rows(tape, 0);
  }

  /** Takes effect on all that is encoded and submitted later. @param places distinct rows, one a patch */
  set(numbers: Float32Array, places: Uint32Array): void {
    this.rows.set(places.length);
    if (places.length === 0) return;
    writeTensor(this.tape.device, this.numbers, numbers);
    writeTensor(this.tape.device, this.places, places);
  }
}

/**
 * Overwrites the rows of x [N, D] at which patches stand with weight · patch + bias. No gradient reaches what was
 * there.
 * @param weight [D, K] @param bias [D]
 */
export function patchEmbedding(tape: Tape, x: Tensor, patches: Patches, weight: Tensor, bias: Tensor): void {
  const [D, K] = weight.shape;
  const constants = { ...elementConstants(K), D };
  const { numbers, places, rows } = patches;
  const inputs = { patches: numbers, places, rows: rows.tensor };
  const grid = rowGrid(numbers.shape[0], D, rows);
  tape.dispatch('patch-embedding', 'forward', constants, { ...inputs, weight, bias, x }, grid);
  tape.onBackward(() => {
    const [dx, dweight, dbias] = [x.grad!, weight.grad!, bias.grad!];
    const weights = linearGrid(D * constants.W);
    tape.dispatch('patch-embedding', 'weights', constants, { ...inputs, dy: dx, dweight }, weights);
    tape.dispatch('patch-embedding', 'biases', constants, { places, rows: rows.tensor, dx, dbias }, linearGrid(D));
  });
}
