/** Sentences of the page around the Lab: header, introduction, shortcuts. */
import { formatKibibytes } from '../../lib/format';

export const text = {
  promise: 'Train a tool-using agent, here in your browser',
  /** Of the browser's tab while there is a run. */
  tabTitle: (status: string, world: string | null) => `${status}${world === null ? '' : ` · ${world}`} – Agentlet`,
  startPage: 'Agentlet, start page',
  skip: 'Skip to the charts',
  skipHeader: 'Skip to the page',
  pages: { label: 'Pages', gallery: 'Worlds', lab: 'Lab', runs: 'Runs', learn: 'Learn' },
  export: 'Export',
  later: {
    loading: 'Loading…',
    offline: 'This page could not be loaded. Is the connection gone? Reload when it is back.',
    replaced: 'This part of the page could not be loaded: the site has a newer version since you opened it.',
    reload: 'Reload',
  },
  codeMissing: 'A part of this page could not be loaded. Is the connection gone?',
  fileReaderFailed: 'The file could not be read: it needs more memory than there is, or a part of the page is missing.',
  fileTooLong: (name: string, bytes: number, maxBytes: number) =>
    `${name} has ${formatKibibytes(bytes)} KiB and was not opened: ${formatKibibytes(maxBytes)} KiB is the limit.`,
  longText: {
    /** In place of the rest of a text. */
    cut: (shown: string, all: string) => `… the first ${shown} of ${all} characters.`,
    showAll: 'Show all',
  },
  newVersion: {
    ready: 'A new version is ready.',
    othersAreOpen: 'A new version is ready. Close the other tabs of Agentlet first, then reload.',
    reload: 'Reload',
  },
  framed: { sentence: 'Agentlet does not run inside other sites.', open: 'Open it in a tab of its own' },
  local: (on: 'cpu' | 'gpu' | null) =>
    `${on === null ? '' : `runs on your ${on.toUpperCase()} · `}nothing leaves this tab`,
  theme: { label: 'Theme', system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  menu: 'Device, theme and help',
  presentShort: 'Present',
  present: 'Present: larger type, only the curve and the reader',
  commands: 'Commands',
  commandsHint: (key: string) => `Commands, pages, lessons and worlds (${key})`,
  shortcuts: 'Keyboard shortcuts',
  close: 'Close',
  dismiss: 'Dismiss',
  intro: {
    watch: 'Notice:',
    before: 'Before',
    halfway: 'Halfway',
    now: 'Now',
    after: 'After',
    beforeComes: 'Its answer comes before the first iteration.',
    nowComes: 'Its answer comes after the first iteration, and anew at each validation.',
    play: 'Play it yourself',
    nowYou: 'Now you',
    nowYouIn: (world: string) => `Now you: play ${world} yourself`,
    nextTask: (shown: number, count: number) => `Task ${shown} of ${count} · next`,
    atStep: (iteration: number) => `iteration ${iteration}`,
    recorded: 'from the recorded run',
    live: 'the same new task, asked before your run and at each validation',
    foreign: 'An environment from a link',
    foreignTask: 'Its tasks and tools are in code that somebody else wrote.',
  },
} as const;
