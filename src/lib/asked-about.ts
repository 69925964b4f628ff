/** A question about rows of data, for worlds that say `rowsInChat`. @param rows JSON lines */
export const askedAbout = (question: string, rows: string): string => `${question}\n${rows.trim()}`;
