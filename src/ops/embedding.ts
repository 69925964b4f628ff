/**
 * Selects rows of a table by token. The table may also be the head's weight: gradients add up. It may hold halves,
 * which are exact in float32.
 */
import { linearGrid } from '../device/commands';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { elementConstants, rowGrid, type Rows } from './rows';

/**
 * @param table [V, D]
 * @param tokens u32 [N], each below V
 * @returns [N, D]
 */
export function embedding(tape: Tape, table: Tensor, tokens: Tensor, rows?: Rows): Tensor {
  const constants = constantsOf(table, tokens, rows);
  const { V, N, W } = constants;
  const y = tape.activation('embedded', [N, table.shape[1]]);
  dispatchRows(tape, table, tokens, y, rows);

  tape.onBackward(() => {
    if (!table.grad) return;
    const first = tape.constant('embedded.first', [V], 'u32');
    const next = tape.constant('embedded.next', [N], 'u32');
    const links = { tokens, firstOut: first, nextOut: next, ...(rows && { rows: rows.tensor }) };
    tape.dispatch('embedding', 'link', constants, links, linearGrid(V));
    const bindings = { first, next, dy: y.grad!, dtable: table.grad };
    tape.dispatch('embedding', 'backward', constants, bindings, linearGrid(V * W));
  });
  return y;
}

/** Appends y [N, D] = rows of the table [V, D] by token, N of them or `rows`. */
export function dispatchRows(tape: Tape, table: Tensor, tokens: Tensor, y: Tensor, rows?: Rows): void {
  const constants = constantsOf(table, tokens, rows);
  const grid = rowGrid(constants.N, constants.W, rows);
  if (table.type === 'f16') tape.dispatch('embedding', 'halves', constants, { words: table, tokens, y }, grid);
  else tape.dispatch('embedding', 'forward', constants, { table, tokens, y }, grid);
}

function constantsOf(table: Tensor, tokens: Tensor, rows?: Rows) {
  const [V, D] = table.shape;
  return { ...elementConstants(D), V, N: tokens.shape[0], BOUNDED: rows !== undefined };
}
