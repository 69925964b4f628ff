/** Share of its tasks that the oracle of a world solves at least: all, unless chance decides. */
const byChance: Readonly<Record<string, number>> = { 'frozen-lake': 0.7 };

export const oracleSuccess = (world: string): number => byChance[world] ?? 1;
