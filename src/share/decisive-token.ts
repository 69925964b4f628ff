/**
 * The token at which answers to one task part: the first agent chose wrongly there, the last one chose otherwise and
 * solved the task. Probabilities are those that were logged. Pure.
 */

interface AnswerStep {
  readonly promptTokens: readonly number[];
  readonly tokens: readonly number[];
  readonly logProbs: readonly number[];
}

interface Answer {
  readonly success: boolean;
  readonly steps: readonly AnswerStep[];
}

/** What an agent wrote there, and how likely it was to. */
export interface Choice {
  readonly id: number;
  readonly probability: number;
  /** The step, and the place among its tokens. From 0. */
  readonly step: number;
  readonly index: number;
}

/**
 * @param answers to one task, from the first agent to the last
 * @returns one choice for each answer, null where it had parted before; null where nothing was learned, or where the
 * answers part in something that the environment wrote
 */
export function decisiveChoices(answers: readonly Answer[]): readonly (Choice | null)[] | null {
  const [first, last] = [answers[0], answers.at(-1)];
  if (!first || !last || first.success || !last.success) return null;
  const [before, after] = [written(first), written(last)];
  const place = before.findIndex(({ id }, i) => id !== after[i]?.id);
  const choices = answers.map((answer) => choiceAt(written(answer), before, place));
  return choices[0] && choices.at(-1) ? choices : null;
}

/** What the other side wrote in the place of a choice: the last agent, or the first where the last wrote the same. */
export function rivalOf(choice: Choice, choices: readonly (Choice | null)[]): number {
  const last = choices.at(-1)!.id;
  return choice.id === last ? choices[0]!.id : last;
}

interface Token {
  readonly id: number;
  readonly step: number;
  readonly index: number;
  /** Null if the environment wrote it. */
  readonly logProb: number | null;
}

const written = ({ steps }: Answer): Token[] =>
  steps.flatMap(({ promptTokens, tokens, logProbs }, step) => [
    ...promptTokens.map((id, index) => ({ id, step, index, logProb: null })),
    ...tokens.map((id, index) => ({ id, step, index, logProb: logProbs[index] ?? null })),
  ]);

function choiceAt(tokens: readonly Token[], before: readonly Token[], place: number): Choice | null {
  const token = tokens[place];
  if (token?.logProb == null) return null;
  const isSame = before.slice(0, place).every(({ id }, i) => tokens[i].id === id);
  const { id, step, index } = token;
  return isSame ? { id, step, index, probability: Math.exp(token.logProb) } : null;
}
