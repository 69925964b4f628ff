/** Rollouts of another trainer's file as the table and its notes need them. Pure. */
import type { ImportedCredit } from '../../../rl/diagnostics/imported-comparison';
import type { GroupedRollout, RolloutFile } from '../../../share/rollout-files/rollout-file';
import type { Compared, Credited, Member, Table } from '../table';
import { text } from './text';

export type CompareImported = (rollouts: readonly ImportedCredit[]) => Promise<Credited>;

/** A rollout as the table reads it. */
export interface ImportedMember extends Member {
  readonly source: GroupedRollout;
}

export const memberOf = (source: GroupedRollout): ImportedMember => ({
  iteration: source.step,
  index: source.index,
  group: source.group,
  taskId: '',
  reward: source.reward,
  steps: [{ tokens: { length: source.tokens ?? 0 } }],
  source,
});

/** Its numbers without its text, which a comparison does not need. */
export const creditOf = ({ group, reward, tokens, values, advantages }: GroupedRollout): ImportedCredit => ({
  ...{ group, reward },
  ...(tokens !== undefined && { tokens }),
  ...(values && { values }),
  ...(advantages && { advantages }),
});

export interface ImportedGroup {
  readonly first: ImportedMember;
  readonly count: number;
}

/** Groups in the order of their numbers, which is that of the file. */
export function groupsOf(members: readonly ImportedMember[]): readonly ImportedGroup[] {
  const groups: ImportedGroup[] = [];
  for (const member of members) {
    const { first = member, count = 0 } = groups[member.group] ?? {};
    groups[member.group] = { first, count: count + 1 };
  }
  return groups;
}

/** What of a rollout the file does not hold. */
export function lacksOf({ hasLogProbs, rollouts }: Pick<RolloutFile, 'hasLogProbs' | 'rollouts'>): readonly string[] {
  const { parts } = text.lacks;
  return [
    ...(hasLogProbs ? [] : [parts.logProbs]),
    ...(rollouts.every(({ tokens }) => tokens !== undefined) ? [] : [parts.tokens]),
    ...(rollouts.every(({ values }) => values !== undefined) ? [] : [parts.values]),
    ...(rollouts.every(({ advantages }) => advantages !== undefined) ? [] : [parts.advantages]),
  ];
}

/** What the numbers of a table rest on. */
export function importedNotes(
  { batch, comparison }: Compared<ImportedMember, Credited>,
  { group }: Pick<Table<ImportedMember>, 'group'>,
): readonly string[] {
  const { notes } = text;
  const missing = new Map<string, string[]>();
  for (const { short, missing: why } of comparison.columns)
    if (why !== undefined) missing.set(why, [...(missing.get(why) ?? []), short]);
  return [
    notes.here(batch.length, groupsOf(batch).length, group.length),
    notes.settings,
    ...[...missing].map(([why, columns]) => notes.missing(columns, why)),
  ];
}
