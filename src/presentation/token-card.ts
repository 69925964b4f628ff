/** The numbers of one token as text. Pure. */
import type { Explanation, TokenNumbers } from '../rl/diagnostics/token-explanation';
import type { CurrentExplanation } from '../run/token-session';
import type { TokenCell } from '../share/rollout-tokens';
import { inPercent } from '../lib/amounts';
import { signed } from '../lib/format';
import { text as words } from './token-words';

export type FieldName = keyof typeof words.fields;

/**
 * Fields of the card in their order. Those that only a reading knows are missing without one.
 * @param template what the model's own template would write instead; null: the same
 */
export function cardFields(
  cell: TokenCell,
  numbers: TokenNumbers | null,
  isRead: boolean,
  template: string | null = null,
): readonly (readonly [FieldName, string])[] {
  const three = (value: number | null | undefined): string => (value == null ? words.none : minus(value.toFixed(3)));
  const all: readonly (readonly [FieldName, string | null])[] = [
    ['id', `${cell.id}${cell.special ? words.isSpecial : ''}`],
    ['author', words.authors[cell.author]],
    ['training', words.training(cell.inLoss)],
    ['advantage', cell.advantage === null ? words.none : signed(cell.advantage)],
    ['probability', cell.logProb === null ? words.none : percent(Math.exp(cell.logProb))],
    ['logProb', three(cell.logProb)],
    ['newLogProb', isRead ? three(numbers?.logProb) : null],
    ['ratio', numbers ? `${three(numbers.ratio)}${clipWords(numbers)}` : words.none],
    ['kl', three(numbers?.kl)],
    ['value', three(cell.value)],
    ['entropy', cell.entropy === null ? words.none : words.nats(cell.entropy)],
    ['template', template],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

const minus = (number: string): string => number.replace('-', '−');
export const percent = (share: number): string => inPercent((share * 100).toFixed(1));

function clipWords({ clipped, dualClipped }: TokenNumbers): string {
  if (dualClipped) return words.dualClipped;
  return clipped ? words.clipped : words.free;
}

/** The formula, and the formula with the token's numbers and what they make. */
export function formulaLines({ formula, numbers, loss }: TokenNumbers): readonly [string, string] {
  return [formula, `${numbers} = ${minus(String(Number(loss.toFixed(3))))}`];
}

/** The likeliest tokens but the one that was sampled, five at most. */
export function others(numbers: TokenNumbers, own: number): NonNullable<TokenNumbers['likeliest']> {
  return (numbers.likeliest ?? []).filter(({ id }) => id !== own).slice(0, 5);
}

/** By which agent the ratio is, in a sentence. */
export function momentWords(explanation: Explanation | CurrentExplanation): string {
  const moment = 'after' in explanation ? words.now(explanation.after, explanation.updating) : words.atUpdate;
  return explanation.partial ? `${moment} ${words.partial}` : moment;
}
