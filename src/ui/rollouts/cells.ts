/**
 * A rollout as a flat row of token cells: each token in order with who wrote it, whether it is in the loss, and the
 * numbers the trainer used. Pure; decides nothing about colours.
 */
import type { RolloutView, StepView } from '../../rl/rollouts/view';

export interface TokenCell {
  /** Place in the rollout, from 0. */
  readonly index: number;
  /** Step it belongs to, from 1. */
  readonly step: number;
  readonly startsStep: boolean;
  readonly author: 'environment' | 'agent';
  readonly id: number;
  readonly text: string;
  /** Only the host can write this id. */
  readonly special: boolean;
  readonly inLoss: boolean;
  /** Null for tokens that the environment wrote. */
  readonly advantage: number | null;
  /** Nats. */
  readonly logProb: number | null;
  /** Nats. */
  readonly entropy: number | null;
  /** The critic's estimate before the token; null without a critic. */
  readonly value: number | null;
  /** Place among the agent's tokens of its turn; null for tokens that the environment wrote. */
  readonly place: number | null;
}

export function tokenCells(
  rollout: RolloutView,
  vocabulary: readonly string[],
  specialTokens: readonly number[],
): TokenCell[] {
  const special = new Set(specialTokens);
  const cells: TokenCell[] = [];
  rollout.steps.forEach((step, at) => {
    const prompted = step.promptTokens.length;
    [...step.promptTokens, ...step.tokens].forEach((id, i) => {
      cells.push({
        index: cells.length,
        step: at + 1,
        startsStep: i === 0,
        author: i < prompted ? 'environment' : 'agent',
        id,
        text: vocabulary[id] ?? `#${id}`,
        special: special.has(id),
        inLoss: step.lossMask[i] === 1,
        ...(i < prompted ? nothing : numbers(step, i - prompted)),
      });
    });
  });
  return cells;
}

const nothing = { advantage: null, logProb: null, entropy: null, value: null, place: null } as const;

function numbers(step: StepView, i: number): Pick<TokenCell, keyof typeof nothing> {
  return {
    advantage: step.advantages[i] ?? null,
    logProb: step.logProbs[i] ?? null,
    entropy: step.entropies[i] ?? null,
    value: step.values?.[i] ?? null,
    place: i,
  };
}

export const lossCount = (cells: readonly TokenCell[]): number =>
  cells.reduce((count, cell) => count + Number(cell.inLoss), 0);

/**
 * Largest |advantage| in a group of rollouts: full strength means the same in all of them, so that they can be
 * compared.
 */
export function strongest(group: readonly RolloutView[]): number {
  let max = 0;
  for (const rollout of group)
    for (const step of rollout.steps) for (const advantage of step.advantages) max = Math.max(max, Math.abs(advantage));
  return max;
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

/** White space made visible. */
export const visible = (text: string): string =>
  text.replaceAll(' ', '␣').replaceAll('\n', '⏎').replaceAll('\t', '⇥') || '∅';
