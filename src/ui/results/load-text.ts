/** Why a table of results could not be loaded. */

export const text = {
  answered: (url: string, status: number) => `${url} answered ${status}.`,
  otherFormat: (url: string, format: unknown) => `${url} has format ${String(format)}, this page reads format 1.`,
} as const;
