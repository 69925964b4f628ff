/** Sentences of the page around the Lab: header, introduction, shortcuts. */

export const text = {
  promise: 'Train a tool-using agent, here in your browser',
  startPage: 'Agentlet, start page',
  skip: 'Skip to the charts',
  skipHeader: 'Skip to the page',
  pages: { label: 'Pages', gallery: 'Worlds', lab: 'Lab', runs: 'Runs', learn: 'Learn' },
  export: 'Export',
  later: {
    loading: 'Loading…',
    offline: 'This page could not be loaded. Is the connection gone? Reload when it is back.',
  },
  newVersion: {
    ready: 'A new version is ready.',
    othersAreOpen: 'A new version is ready. Close the other tabs of Agentlet first, then reload.',
    reload: 'Reload',
  },
  framed: { sentence: 'Agentlet does not run inside other sites.', open: 'Open it in a tab of its own' },
  local: 'nothing leaves this tab',
  theme: { label: 'Theme', system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  present: 'Present: larger type, only the curve and the reader',
  shortcuts: 'Keyboard shortcuts',
  close: 'Close',
  dismiss: 'Dismiss',
  intro: {
    watch: 'What to look at:',
    before: 'Before',
    halfway: 'Halfway',
    after: 'After',
    nextTask: (shown: number, count: number) => `Task ${shown} of ${count} · next`,
    atStep: (iteration: number) => `step ${iteration}`,
    recorded: 'from the recorded run',
    live: 'from your run',
    twoTasks: 'two different tasks',
    foreign: 'An environment from a link',
    foreignTask: 'Its tasks and tools are in code that somebody else wrote.',
  },
} as const;
