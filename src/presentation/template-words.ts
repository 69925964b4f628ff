/** Where a model's own chat template would write a rollout otherwise, in words; and its tokens as lines. Pure. */
import type { Rewriting, TemplateReading } from '../rl/diagnostics/template-reading';
import type { TokenCell } from '../share/rollout-tokens';
import { visible } from './token-cells';
import { text } from './token-words';

const words = text.template;

/** A sentence; null for a model without a template of its own. */
export function templateWords(reading: TemplateReading | null | undefined): string | null {
  if (!reading) return null;
  const { rewritings, refused } = reading;
  if (refused !== undefined) return words.refused(refused);
  return rewritings.length === 0 ? words.same : words.differs(rewritings.length);
}

/** The rewriting that a token is part of; one that only adds tokens stands at the next one. */
export const rewritingAt = (reading: TemplateReading | null | undefined, index: number): Rewriting | undefined =>
  reading?.rewritings.find(({ at, count }) => index >= at && index < at + Math.max(1, count));

/** What the template would write there. */
export function rewritingWords({ count, instead }: Rewriting, vocabulary: readonly string[]): string {
  const written = instead.map((id) => visible(vocabulary[id] ?? `#${id}`)).join('');
  if (count === 0) return words.adds(written);
  return instead.length === 0 ? words.drops(count) : words.replaces(count, written);
}

/** A line a token: who wrote it, its id, its text, and what the template would write instead. */
export function tokenLines(
  cells: readonly TokenCell[],
  reading: TemplateReading | null,
  vocabulary: readonly string[],
): string[] {
  const width = Math.max(0, ...cells.map(({ id }) => String(id).length));
  return cells.flatMap((cell, i) => {
    const { index, step, author, id } = cell;
    const rewriting = rewritingAt(reading, index);
    const note = rewriting ? words.mark(rewriting.at === index ? rewritingWords(rewriting, vocabulary) : '') : '';
    const head = step === cells[i - 1]?.step ? [] : [text.turn(step)];
    const line = `  ${author === 'agent' ? '>' : ' '} ${String(id).padStart(width)}  ${visible(cell.text)}${note}`;
    return [...head, line];
  });
}
