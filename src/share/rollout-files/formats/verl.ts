/**
 * What verl writes into `trainer.rollout_data_dir`, and into `validation_data_dir`: a file `STEP.jsonl` a step with
 * input, output, gts, score, step and what the reward function returned beside the score (`_dump_generations` in
 * verl/trainer/ppo/ray_trainer.py). `score` is the sum of the scores of the tokens, before any KL penalty.
 */
import { termNames } from '../columns';
import { numberOf, stepOf, textOf, type Format } from '../format';

const others = new Set(['input', 'output', 'gts', 'score', 'step']);

export const format: Format = {
  title: 'verl',
  fields: 'input, output, score and step',
  recognises: (fields) => 'input' in fields && 'output' in fields,
  read(rows) {
    const extras = termNames(rows, others, isExtra);
    const rollouts = rows.map((row) => ({
      step: stepOf(row),
      prompt: textOf(row, 'input'),
      response: textOf(row, 'output'),
      rewards: [numberOf(row, 'score'), ...extras.map((name) => extraOf(row.fields[name]))],
    }));
    const terms = [{ name: 'score', weight: 1 }, ...extras.map((name) => ({ name, weight: 0 }))];
    return { terms, rollouts, hasLogProbs: false };
  },
};

/** A key is a term if it is a number, true, false or null in every row, and not always null. */
const isExtra = (value: unknown): boolean | null => (value === null ? null : extraOf(value) !== null);

function extraOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
