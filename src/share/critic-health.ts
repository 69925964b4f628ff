/** When a critic is no help, for the page and the terminal alike. */

/** A critic that explains less in each of `explainingPatience` measured iterations is no help. */
export const leastExplained = 0.1;
export const explainingPatience = 10;
/** Success of rollouts from which on tasks count as solved: their few failures are chance, which nothing explains. */
export const solvedSuccess = 0.8;

interface CriticMetrics {
  readonly success: number;
  readonly diagnostics?: { readonly explainedVariance: number | null };
}

/** Whether a run's critic is no help so far. @param rows ascending by iteration */
export function explainsNothing(rows: readonly CriticMetrics[]): boolean {
  const recent = rows
    .map(({ success, diagnostics }) => ({ success, share: diagnostics?.explainedVariance ?? null }))
    .filter((row): row is { success: number; share: number } => row.share !== null)
    .slice(-explainingPatience);
  return (
    recent.length === explainingPatience &&
    recent.every(({ success, share }) => share < leastExplained && success < solvedSuccess)
  );
}
