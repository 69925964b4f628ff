/** A measured value and the limit that it must keep. */

export interface Row {
  readonly name: string;
  readonly value: string;
  readonly limit: string;
  readonly passes: boolean;
}

export const atMost = (name: string, value: number, limit: number, unit = ''): Row => ({
  name,
  value: shown(value) + unit,
  limit: `≤ ${limit}${unit}`,
  passes: value <= limit,
});

export const atLeast = (name: string, value: number, limit: number, unit = ''): Row => ({
  name,
  value: shown(value) + unit,
  limit: `≥ ${limit}${unit}`,
  passes: value >= limit,
});

export const mustBe = (name: string, value: string, limit: string): Row => ({
  name,
  value,
  limit,
  passes: value === limit,
});

/** Worth knowing, and without a limit. */
export const unlimited = (name: string, value: number, unit: string): Row => ({
  name,
  value: shown(value) + unit,
  limit: 'no limit',
  passes: true,
});

/** What cannot be measured fails, and does not keep the others from being measured. */
export async function measured(name: string, measure: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await measure();
  } catch (error) {
    return [mustBe(name, (error as Error).message.split('\n')[0], 'a value')];
  }
}

/** The value that this share of the others does not exceed; NaN of an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

const shown = (value: number): string => String(Number(value.toFixed(value < 1 ? 3 : 1)));
