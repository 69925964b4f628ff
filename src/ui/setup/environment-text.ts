/** What the page says of environments that are not built in. */

const kibibytes = (bytes: number): string => (bytes / 1024).toFixed(1);

export const words = {
  origin: {
    own: (title: string) => (title === '' ? 'Your own environment' : `Your own: ${title}`),
    link: (title: string) => (title === '' ? 'From a link' : `From a link: ${title}`),
    saved: (title: string) => (title === '' ? 'From a saved run' : `From a saved run: ${title}`),
  },
  unknown: 'The page knows its tasks and tools once its code has run.',
  undescribed: 'What it means is known once the code has run.',
  open: 'Your own environment…',
  title: 'Your own environment',
  about:
    'One JavaScript module: tasks, tools and a reward. It runs in a sandbox, and only when you press Check or Run.',
  label: 'Code of the environment (JavaScript)',
  kept: 'What you type is kept in this browser.',
  start: 'Start from',
  inSetup: 'The environment in the setup',
  use: 'Insert',
  undoable: 'This replaces the text. Ctrl+Z brings it back.',
  file: 'Open a file',
  drop: 'You can also drop a file on the text.',
  notText: (name: string) => `${name} is not a text file. Choose a JavaScript file (.js).`,
  fileTooLong: (name: string, bytes: number, most: number) =>
    `${name} has ${kibibytes(bytes)} KiB and was not opened: ${kibibytes(most)} KiB is the limit.`,
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  size: (bytes: number, most: number) => `${kibibytes(bytes)} of ${kibibytes(most)} KiB`,
  tooLong: (bytes: number, most: number) => `Too long: shorten it by ${kibibytes(bytes - most)} KiB.`,
  check: 'Check',
  checking: 'Checking…',
  run: 'Run',
  runAnyway: 'Run anyway',
  report: 'What the check found',
  loaded: (title: string) => `The module can be loaded: ${title}.`,
  kinds: { good: 'Good', note: 'Note', problem: 'Problem' },
  changed: 'The code or the setup has changed since this check.',
  problems: 'With these problems the run may fail or learn nothing. Mend them, or press “Run anyway”.',
  goTo: (line: number) => `Go to line ${line}`,
  notReady: 'The trainer is not ready yet. Try again in a moment.',
  noGpu: 'Check works here. To run it, this browser needs WebGPU.',
  busy: 'A run is training. Pause it, then press Run.',
} as const;
