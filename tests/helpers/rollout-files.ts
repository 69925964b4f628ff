/** Small files of rollouts as other trainers write them. */
import {
  compareImportedEstimators,
  importedCredits,
  importedDefaults,
  type ImportedCredit,
} from '../../src/rl/diagnostics/imported-comparison';

/** Rollouts of one step under every estimator. */
export const compareImported = (rollouts: readonly ImportedCredit[]) =>
  importedCredits(
    compareImportedEstimators(rollouts, importedDefaults),
    rollouts,
    rollouts.map((_, i) => i),
  );

/** A file's bytes. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const attempt = (step: number, prompt: string, completion: string, accuracy: number, format: number | null) => ({
  step,
  prompt,
  completion,
  accuracy_reward: accuracy,
  format_reward: format,
});

/**
 * TRL's table, two steps. In step 10 a group of four whose first solves the task and a group of two that are alike;
 * `advantage` is GRPO's, of the sum of both rewards.
 */
export const trlRows = [
  { ...attempt(5, 'What is 1 + 1?', '2', 1, 0), advantage: 0 },
  { ...attempt(10, 'What is 2 + 2?', 'It is 4.', 1, 0.5), advantage: 1.4999 },
  { ...attempt(10, 'What is 2 + 2?', '5', 0, 0), advantage: -0.5 },
  { ...attempt(10, 'What is 3 + 3?', '6', 1, 0), advantage: 0 },
  { ...attempt(10, 'What is 2 + 2?', '22', 0, 0), advantage: -0.5 },
  { ...attempt(10, 'What is 2 + 2?', '', 0, null), advantage: -0.5 },
  { ...attempt(10, 'What is 3 + 3?', 'six', 1, 0), advantage: 0 },
];

/** The dump of one step of verl, as `7.jsonl`; its reward function returned `acc` and `pred` beside the score. */
export const verlRows = [1, -1, -1, 1].map((score, i) => ({
  input: 'system\nYou are helpful.\nuser\nWhat is 2 + 2?\nassistant\n',
  output: `Answer: ${i + 3}`,
  gts: '4',
  score,
  step: 7,
  acc: score > 0,
  pred: i === 3 ? 'four' : i + 3,
}));

const unipoResponse = (id: number, strings: readonly string[], reward: number) => ({
  id: `step0_p0_sample${id}`,
  reward,
  advantage: reward === 1 ? 1 : -1,
  response_text: strings.join(''),
  response_length: strings.length,
  tokens: {
    ids: strings.map((_, i) => i),
    strings,
    log_probs: strings.map(() => -0.5),
    old_log_probs: strings.map(() => -0.5),
    advantages: strings.map((_, i) => (reward === 1 ? 1 : -1) + i / 10),
  },
});

/** UNIPO's log: an entry with a prompt and two responses, and one with metrics alone. */
export const unipoLog = {
  header: { task: 'math reasoning', dataset: 'GSM8K', algorithm: 'grpo', totalSteps: 2, hparams: { gamma: 1 } },
  entries: [
    {
      step: 0,
      is_first_step_after_rollout_phase: true,
      metrics: { policy_objective: 0.1, reward: 0.5 },
      prompts: [
        {
          prompt: 'Compute $2 + 2$.',
          responses: [unipoResponse(0, ['The', ' answer', ' is', ' $4$.'], 1), unipoResponse(1, ['5', '.'], 0)],
        },
      ],
    },
    { step: 1, metrics: { policy_objective: 0.2, reward: 0.5 } },
  ],
};

/** Rows of which each brings number columns of its own, as `log_extra` keyed by example does. */
export const ownColumns = (rows: number, perRow = 100, of: object = { step: 1, prompt: 'p', completion: '', r: 1 }) =>
  linesOf(
    Array.from({ length: rows }, (_, i) => ({
      ...of,
      ...Object.fromEntries(Array.from({ length: perRow }, (_, k) => [`a${i * perRow + k}`, 1])),
    })),
  );

/** UNIPO's log of one step with responses of that many tokens each. */
export const manyTokens = (tokens: number, responses = 2): string => {
  const ids = `[${'7,'.repeat(tokens - 1)}7]`;
  const response = `{"reward":1,"response_text":"x","tokens":{"ids":${ids}}}`;
  const prompts = `[{"prompt":"p","responses":[${Array(responses).fill(response).join()}]}]`;
  return `{"header":{},"entries":[{"step":4,"prompts":${prompts}}]}`;
};
