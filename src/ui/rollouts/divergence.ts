/** Where the attempts at one task part: each against the best one, token for token. Pure. */
import type { RolloutView } from '../../rl/rollouts/view';
import { tokenCells, type TokenCell } from './cells';

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
