/** Reasons why a trainer crashed. */

export const text = {
  silent: 'it gave no sign of life for 20 seconds',
  notLoaded: 'its script could not be loaded',
} as const;
