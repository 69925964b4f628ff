/** Reasons why a trainer crashed, or why its sandbox did not start. */

export const text = {
  silent: 'it gave no sign of life for 20 seconds',
  notLoaded: 'its script could not be loaded',
  sandbox: {
    silent: 'it did not answer',
    fault: (reason: string) => `A sandbox worker could not be started: ${reason}. Reload the page to try again.`,
    notLoaded: 'The sandbox could not be loaded. Reload the page to try again.',
    closed: 'The sandbox was closed before its worker was started.',
  },
} as const;
