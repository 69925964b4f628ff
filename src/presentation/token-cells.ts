/** Cells of tokens as the page draws them: their tint, their text, and how many of them. Pure. */
import type { RolloutView } from '../rl/rollouts/view';
import type { Compared, Divergence, TokenCell } from '../share/rollout-tokens';
import { lineOf } from '../lib/format';
import { text } from './text';

/** Cells that are drawn before somebody asks for all: each is an element. */
export const maxDrawnCells = 4096;

/** The first `count` cells, by their steps. */
export function cellsByStep(cells: readonly TokenCell[], count: number): readonly (readonly TokenCell[])[] {
  const steps: TokenCell[][] = [];
  for (const cell of cells.slice(0, count)) (steps[cell.step - 1] ??= []).push(cell);
  return Array.from(steps, (step) => step ?? []);
}

/** Steps of the tint on each side of zero. */
export const tintSteps = 10;
/** Share of the advantage's colour in a cell's ground at full strength; more would cost the text its contrast. */
export const fullTintPercent = 45;

/** Signed strength −1 … 1 in tenths; 0 for tokens outside the loss. Anything but zero shows at least one step. */
export function tint(cell: TokenCell, full: number): number {
  if (!cell.inLoss || cell.advantage === null || cell.advantage === 0 || full === 0) return 0;
  const steps = Math.max(1, Math.round(Math.min(1, Math.abs(cell.advantage) / full) * tintSteps));
  return (Math.sign(cell.advantage) * steps) / tintSteps;
}

/** The beginning of a token's text, with white space made visible. */
export const visible = (text: string): string =>
  lineOf(text).replaceAll(' ', '␣').replaceAll('\n', '⏎').replaceAll('\t', '⇥') || '∅';

/**
 * Shares of two choices: the token that was written, and the one that another agent wrote in its place.
 * @param rival null where its share is not known: then all other tokens stand together
 */
export function choiceShares(
  vocabulary: readonly string[],
  written: { readonly id: number; readonly probability: number },
  rival: { readonly id: number; readonly share: number } | null,
): { readonly name: string; readonly note?: string; readonly share: number }[] {
  const nameOf = (id: number): string => visible(vocabulary[id] ?? `#${id}`);
  return [
    { name: nameOf(written.id), share: written.probability },
    rival
      ? { name: nameOf(rival.id), share: rival.share }
      : { name: '', note: text.divergence.others, share: 1 - written.probability },
  ];
}

/** Cells of a rollout that are drawn, one of several: from its first, or around the mark if that is far behind. */
export function drawnCells(
  { cells }: Compared<unknown>,
  mark: number | null,
  rollouts: number,
): { readonly from: number; readonly to: number } {
  const most = Math.max(64, Math.floor(maxDrawnCells / rollouts));
  const latest = Math.max(0, cells.length - most);
  const from = mark === null || mark < most ? 0 : Math.min(latest, mark - (most >> 1));
  return { from, to: Math.min(cells.length, from + most) };
}

/** Where the best and the worst rollout of a task part, in a sentence. */
export function partingWords({ compared, parting }: Divergence<Pick<RolloutView, 'reward'>>): string {
  const words = text.divergence;
  const best = compared[0];
  const worst = compared[compared.length - 1];
  if (best.rollout.reward === worst.rollout.reward) return words.equal;
  if (parting === null) return words.same;
  const next = (cells: readonly TokenCell[]) => (parting < cells.length ? visible(cells[parting].text) : words.ended);
  const { step } = best.cells[parting] ?? worst.cells[parting];
  return words.parted(step, next(best.cells), next(worst.cells));
}
