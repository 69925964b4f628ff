/** Rollouts of another trainer's file as the table and its notes need them. Pure. */
import type { RolloutFileHead, ShownRollout } from '../../../../worker/opened-rollouts';
import type { Compared, Credited, Member, Table } from '../../../../presentation/estimators/table';
import { text } from './text';

export const memberOf = ({ step, index, group, reward, tokens }: ShownRollout['members'][number]): Member => ({
  iteration: step,
  index,
  group,
  reward,
  taskId: '',
  steps: [{ tokens: { length: tokens ?? 0 } }],
});

/** The group of the rollout being read, which is compared with the whole step. */
export function comparedOf({ members, comparison, groups, read }: ShownRollout): Compared<Member, Credited> {
  const batch = members.map(memberOf);
  const rollout = batch.find(({ index }) => index === read.index)!;
  return { batch, rollout, comparison, others: groups.length > 1 };
}

/** What of a rollout the file does not hold. */
export function lacksOf(file: RolloutFileHead): readonly string[] {
  const { parts } = text.lacks;
  return [
    ...(file.hasLogProbs ? [] : [parts.logProbs]),
    ...(file.hasTokens ? [] : [parts.tokens]),
    ...(file.hasValues ? [] : [parts.values]),
    ...(file.hasAdvantages ? [] : [parts.advantages]),
  ];
}

/** What the numbers of a table rest on. */
export function importedNotes(
  { rollouts, groups, comparison }: ShownRollout,
  { group }: Pick<Table<Member>, 'group'>,
): readonly string[] {
  const { notes } = text;
  const missing = new Map<string, string[]>();
  for (const { short, missing: why } of comparison.columns)
    if (why !== undefined) missing.set(why, [...(missing.get(why) ?? []), short]);
  return [
    notes.here(rollouts, groups.length, group.length),
    notes.settings,
    ...[...missing].map(([why, columns]) => notes.missing(columns, why)),
  ];
}
