/** Words of the list of keys. */

export const text = {
  title: 'Keyboard',
  enabled: 'Single-key shortcuts',
  hint: 'Shortcuts are off while you type. Switch them off if a screen reader uses the same keys.',
  list: [
    ['Ctrl+K', 'every command, page, lesson and world'],
    ['Space', 'train or pause'],
    ['.', 'one step'],
    ['R', 'back to before step 1'],
    ['J K', 'next and previous rollout'],
    ['[ ]', 'agent of an earlier and a later step'],
    ['L', 'logarithmic axis of the focused chart'],
    ['0', 'fit the charts'],
    ['C', 'talk to the agent'],
    ['E', 'edit an environment'],
    ['?', 'this list'],
  ] as const,
} as const;
