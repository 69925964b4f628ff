/** Sentences of the environment editor. */
import { formatKibibytes } from '../../../lib/format';

export const text = {
  title: 'Your own environment',
  about:
    'One JavaScript module: tasks, tools and a reward. It runs in a sandbox, and only when you press Check or Train. ' +
    'What you type is kept in this browser.',
  label: 'Code of the environment (JavaScript)',
  leave: 'Press Esc, then Tab, to leave the code.',
  start: 'Start from',
  templates: 'Templates',
  worlds: 'Worlds',
  inSetup: 'The environment in the setup',
  use: 'Insert',
  lift: (fields: readonly { readonly title: string; readonly value: number }[]) =>
    `Set ${fields.map(({ title, value }) => `${title} to ${value}`).join(' and ')} in the setup, under All settings.`,
  empty: 'There is no code yet.',
  useTemplate: 'Insert a template',
  undoable: 'This replaces the text. Ctrl+Z in the code brings it back.',
  settings: 'Settings',
  settingsHelp: 'Model, algorithm and lengths to check and train with.',
  settingsOfSetup: 'as now set in the Lab',
  settingsOf: (title: string) => `those of ${title}`,
  file: 'Open a file',
  drop: 'You can also drop files here: a module, or rows of data (.jsonl).',
  save: 'Save file',
  notText: (name: string) => `${name} is not a text file. Choose a JavaScript file (.js).`,
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  size: (bytes: number, maxBytes: number) => `${formatKibibytes(bytes)} of ${formatKibibytes(maxBytes)} KiB`,
  tooLong: (bytes: number, maxBytes: number) => `Too long: shorten it by ${formatKibibytes(bytes - maxBytes)} KiB.`,
  syntax: 'This cannot be read as JavaScript.',
  check: 'Check',
  checkKeys: 'Ctrl+Enter or ⌘+Enter in the code',
  checking: 'Checking…',
  run: 'Train with it',
  runAnyway: 'Train anyway',
  report: 'What the check found',
  unchecked:
    'Check plays it in the sandbox, without training: it shows rewards, lengths and fuel, and whether a second play ' +
    'gives the same. A mistake is marked at its line.',
  kinds: { good: 'Good', note: 'Note', problem: 'Problem' },
  changed: 'The code or the settings have changed since this check.',
  problems: 'With these problems the run may fail or learn nothing. Mend them, or press “Train anyway”.',
  goTo: (line: number) => `Go to line ${line}`,
  busy: 'A run is training. Pause it, then press “Train with it”.',
  link: {
    length: (characters: string) => `Its link has ${characters} characters.`,
    fits: 'It fits in a chat message.',
    long: 'That is too long for a Discord message; mail and most chats take it.',
    tooLong: 'Many services cut a link of this length: save a file instead.',
    copy: 'Copy link',
    copied: 'Copied.',
    copyFailed: 'This browser did not allow copying. Press “Train with it”, then Share.',
  },
} as const;
