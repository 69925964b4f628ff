/**
 * What verl writes into `trainer.rollout_data_dir`, and into `validation_data_dir`: a file `STEP.jsonl` a step with
 * input, output, gts, score, step and what the reward function returned beside the score (`_dump_generations` in
 * verl/trainer/ppo/ray_trainer.py). `score` is the sum of the scores of the tokens, before any KL penalty.
 */
import { numberOf, stepOf, textOf, type Format, type Row } from '../format';

const others = new Set(['input', 'output', 'gts', 'score', 'step']);

export const format: Format = {
  title: 'verl',
  fields: 'input, output, score and step',
  recognises: (fields) => 'input' in fields && 'output' in fields,
  read(rows) {
    const extras = extraNames(rows);
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

/** Keys that are a number, true, false or null in every row, and not always null. */
function extraNames(rows: readonly Row[]): string[] {
  const names = new Set(rows.flatMap(({ fields }) => Object.keys(fields)).filter((name) => !others.has(name)));
  return [...names].filter((name) => {
    const values = rows.map(({ fields }) => fields[name] ?? null);
    const fit = values.every((value) => value === null || extraOf(value) !== null);
    return fit && values.some((value) => value !== null);
  });
}

function extraOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
