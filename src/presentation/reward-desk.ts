/** Scores of rollouts before and after, by group, in the order in which they moved. Pure. */
import type { Rescoring } from '../rl/diagnostics/rescoring';
import type { RolloutView } from '../rl/rollouts/view';
import { plain, signed } from '../lib/format';
import { groupKeyOf, keyOf } from '../share/rollout-groups';

/** A number before and after. */
export interface Move {
  readonly before: string;
  readonly after: string;
  readonly tone: 'up' | 'down' | 'none';
}

export interface DeskRow {
  readonly key: string;
  readonly rollout: RolloutView;
  readonly reward: Move;
  /** Null where there are no advantages. */
  readonly advantage: Move | null;
}

export interface DeskGroup {
  readonly key: string;
  readonly prompt: string;
  /** The largest change of an advantage in it, of a reward where there are no advantages. */
  readonly movement: number;
  readonly rows: readonly DeskRow[];
}

/** Groups that moved most come first, others as they are. @param rollouts those that were scored, in their order */
export function deskGroups(rollouts: readonly RolloutView[], { before, after, missing }: Rescoring): DeskGroup[] {
  const measure = missing === null ? 'advantage' : 'reward';
  const groups = new Map<string, { prompt: string; movement: number; rows: DeskRow[] }>();
  rollouts.forEach((rollout, i) => {
    const was = before[i];
    const is = after[i];
    const key = groupKeyOf(rollout);
    const group = groups.get(key) ?? { prompt: rollout.prompt, movement: 0, rows: [] };
    groups.set(key, group);
    group.movement = Math.max(group.movement, Math.abs((is[measure] ?? 0) - (was[measure] ?? 0)));
    const advantage =
      was.advantage === null || is.advantage === null ? null : moveOf(was.advantage, is.advantage, signed);
    group.rows.push({ key: keyOf(rollout), rollout, reward: moveOf(was.reward, is.reward, plain), advantage });
  });
  return [...groups].map(([key, group]) => ({ key, ...group })).sort((a, b) => b.movement - a.movement);
}

/** A change that does not show in the words has no tone. */
function moveOf(before: number, after: number, words: (value: number) => string): Move {
  const was = words(before);
  const is = words(after);
  return { before: was, after: is, tone: was === is ? 'none' : after > before ? 'up' : 'down' };
}
