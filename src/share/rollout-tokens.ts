/**
 * A rollout as a row of its tokens, each in order with who wrote it, whether it is in the loss, and the numbers the
 * trainer used; and where the rollouts of one task part.
 */

/** What is read of a step. Columns of one entry a token; those of numbers have the agent's tokens only. */
interface TokenStep {
  readonly promptTokens: readonly number[];
  readonly tokens: readonly number[];
  readonly lossMask: readonly number[];
  readonly advantages: readonly number[];
  readonly logProbs: readonly number[];
  readonly entropies: readonly number[];
  readonly values?: readonly number[];
}

interface TokenRollout {
  readonly index: number;
  readonly reward: number;
  readonly steps: readonly TokenStep[];
}

export interface TokenCell {
  /** Place in the rollout, from 0. */
  readonly index: number;
  /** Step it belongs to, from 1. */
  readonly step: number;
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
  rollout: Pick<TokenRollout, 'steps'>,
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

function numbers(step: TokenStep, i: number): Pick<TokenCell, keyof typeof nothing> {
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
export function strongest(group: readonly Pick<TokenRollout, 'steps'>[]): number {
  let max = 0;
  for (const rollout of group)
    for (const step of rollout.steps) for (const advantage of step.advantages) max = Math.max(max, Math.abs(advantage));
  return max;
}

/** A rollout against the best one of its task, token for token. */
export interface Compared<Rollout> {
  readonly rollout: Rollout;
  /** From the agent's first token on: what stands before is the task, which all share. */
  readonly cells: readonly TokenCell[];
  /** Number of leading cells that the best rollout has too. */
  readonly shared: number;
}

export interface Divergence<Rollout> {
  /** Best reward first. */
  readonly compared: readonly Compared<Rollout>[];
  /** Where best and worst part, as a place among their cells; null where rewards or tokens are the same. */
  readonly parting: number | null;
}

export function divergence<Rollout extends TokenRollout>(
  group: readonly Rollout[],
  vocabulary: readonly string[],
  specialTokens: readonly number[],
): Divergence<Rollout> {
  const sorted = group.toSorted((a, b) => b.reward - a.reward || a.index - b.index);
  const cells = sorted.map((rollout) => acted(tokenCells(rollout, vocabulary, specialTokens)));
  const compared = sorted.map((rollout, i): Compared<Rollout> => ({
    rollout,
    cells: cells[i],
    shared: sharedCells(cells[0], cells[i]),
  }));
  const worst = compared.at(-1);
  const parts = worst && worst.rollout.reward < compared[0].rollout.reward && !isSame(worst, compared[0]);
  return { compared, parting: parts ? worst.shared : null };
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

const isSame = (a: Compared<unknown>, b: Compared<unknown>): boolean =>
  a.cells.length === b.cells.length && a.shared === b.cells.length;

/** The rollouts with the same tokens, each once: a group may repeat itself. */
export function distinct<Rollout extends TokenRollout>({
  compared,
}: Divergence<Rollout>): readonly { readonly one: Compared<Rollout>; readonly times: number }[] {
  const found = new Map<string, { one: Compared<Rollout>; times: number }>();
  for (const one of compared) {
    const key = `${one.rollout.reward} ${one.cells.map(({ id }) => id).join()}`;
    const known = found.get(key);
    if (known) known.times++;
    else found.set(key, { one, times: 1 });
  }
  return [...found.values()];
}
