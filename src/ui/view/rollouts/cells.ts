/**
 * A rollout as a flat row of token cells: each token in order with who wrote it, whether it is in the loss, and the
 * numbers the trainer used. Pure; decides nothing about colours.
 */
import type { RolloutView, StepView } from '../../../rl/rollouts/view';
import { lineOf } from '../../base/format';

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

/** Cells that are drawn before somebody asks for all: each is an element. */
export const maxDrawnCells = 4096;

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

/** The first `count` cells, by their steps. */
export function cellsByStep(cells: readonly TokenCell[], count: number): readonly (readonly TokenCell[])[] {
  const steps: TokenCell[][] = [];
  for (const cell of cells.slice(0, count)) (steps[cell.step - 1] ??= []).push(cell);
  return Array.from(steps, (step) => step ?? []);
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

/** The beginning of a token's text, with white space made visible. */
export const visible = (text: string): string =>
  lineOf(text).replaceAll(' ', '␣').replaceAll('\n', '⏎').replaceAll('\t', '⇥') || '∅';

/** Where the attempts at one task part: each against the best one, token for token. Pure. */
export interface Attempt {
  readonly rollout: RolloutView;
  /** From the agent's first token on: what stands before is the task, which all share. */
  readonly cells: readonly TokenCell[];
  /** Number of leading cells that the best attempt has too. */
  readonly shared: number;
}

export interface Divergence {
  /** Best reward first. */
  readonly attempts: readonly Attempt[];
  /** Where best and worst part, as a place among their cells; null where rewards or tokens are the same. */
  readonly parting: number | null;
}

export function divergence(
  group: readonly RolloutView[],
  vocabulary: readonly string[],
  specialTokens: readonly number[],
): Divergence {
  const sorted = group.toSorted((a, b) => b.reward - a.reward || a.index - b.index);
  const cells = sorted.map((rollout) => acted(tokenCells(rollout, vocabulary, specialTokens)));
  const attempts = sorted.map((rollout, i): Attempt => ({
    rollout,
    cells: cells[i],
    shared: sharedCells(cells[0], cells[i]),
  }));
  const worst = attempts.at(-1);
  const parts = worst && worst.rollout.reward < attempts[0].rollout.reward && !isSame(worst, attempts[0]);
  return { attempts, parting: parts ? worst.shared : null };
}

/** Cells of an attempt that are drawn, one of several: from its first, or around the mark if that is far behind. */
export function drawnCells(
  { cells }: Attempt,
  mark: number | null,
  attempts: number,
): { readonly from: number; readonly to: number } {
  const most = Math.max(64, Math.floor(maxDrawnCells / attempts));
  const latest = Math.max(0, cells.length - most);
  const from = mark === null || mark < most ? 0 : Math.min(latest, mark - (most >> 1));
  return { from, to: Math.min(cells.length, from + most) };
}

const acted = (cells: readonly TokenCell[]): readonly TokenCell[] =>
  cells.slice(
    Math.max(
      0,
      cells.findIndex(({ author }) => author === 'agent'),
    ),
  );

function sharedCells(a: readonly TokenCell[], b: readonly TokenCell[]): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared].id === b[shared].id && a[shared].author === b[shared].author) shared++;
  return shared;
}

const isSame = (a: Attempt, b: Attempt): boolean => a.cells.length === b.cells.length && a.shared === b.cells.length;

/** The attempts with the same tokens, each once: a group may repeat itself. */
export function distinct({ attempts }: Divergence): readonly { readonly attempt: Attempt; readonly times: number }[] {
  const found = new Map<string, { attempt: Attempt; times: number }>();
  for (const attempt of attempts) {
    const key = `${attempt.rollout.reward} ${attempt.cells.map(({ id }) => id).join()}`;
    const known = found.get(key);
    if (known) known.times++;
    else found.set(key, { attempt, times: 1 });
  }
  return [...found.values()];
}
