/**
 * What TRL's trainers log with `log_completions` (GRPOTrainer and RLOOTrainer, `log`): a table of step, prompt,
 * completion, a column for each reward function under its name, columns of `log_extra`, and advantage. TRL writes it as
 * Parquet and to W&B; this reads its JSON. Null is a reward function that does not apply, which TRL's sum leaves out.
 * The table holds neither `reward_weights` nor which numbers are rewards, so every column of numbers weighs 1.
 */
import { termNames } from '../columns';
import { inWords, nameOf, numberOf, refuse, stepOf, textOf, type Format, type FileRow } from '../format';

/** Columns that are no rewards, the index that pandas adds among them. */
const others = new Set(['mode', 'step', 'prompt', 'completion', 'advantage', 'index', '__index_level_0__']);

export const format: Format = {
  title: 'TRL',
  fields: 'step, prompt, completion and rewards',
  recognises: (fields) => 'prompt' in fields && 'completion' in fields,
  read(rows) {
    const names = termNames(rows, others, isNumber);
    const rollouts = rows.map((row) => {
      const rewards = names.map((name) => rewardOf(row, name));
      if (rewards.every((reward) => reward === null))
        refuse(row, 'there is no reward', 'Add a column of numbers, named after its reward function.');
      const { advantage = null } = row.fields;
      return {
        step: stepOf(row),
        prompt: textOf(row, 'prompt'),
        response: textOf(row, 'completion'),
        rewards,
        ...(advantage !== null && { advantages: [numberOf(row, 'advantage')] }),
      };
    });
    return { terms: names.map((name) => ({ name, weight: 1 })), rollouts, hasLogProbs: false };
  },
};

/** A column with a number in some row is a reward. */
const isNumber = (value: unknown): true | null => (typeof value === 'number' ? true : null);

function rewardOf(row: FileRow, name: string): number | null {
  const value = row.fields[name] ?? null;
  if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value;
  return refuse(
    row,
    `${nameOf(name)} is ${inWords(value)}, and must be a number`,
    'Write null where the reward function gave none, or remove the row.',
  );
}
