/** Words of the palette of commands. */

export const text = {
  title: 'Commands',
  placeholder: 'A command, page, lesson or world',
  none: 'No command has these words.',
  count: (count: number) => `${count} command${count === 1 ? '' : 's'}`,
  kinds: {
    run: 'run',
    page: 'page',
    lesson: 'lesson',
    world: 'world',
    lab: 'Lab',
    export: 'export',
    view: 'view',
  },
  lesson: (number: number, title: string) => `${number}. ${title}`,
  compare: 'Compare the latest runs',
  chat: 'Talk to the agent',
  settings: 'All settings',
  edit: 'Write an environment',
  fit: 'Fit the charts',
  file: (name: string) => `Export: ${name}`,
  endPresent: 'End presenting',
  shortcuts: 'Keyboard shortcuts',
  noAgent: 'There is no agent yet.',
} as const;
