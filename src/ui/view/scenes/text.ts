/** Sentences of drawings. */
export const text = {
  player: 'Play the episode',
  play: 'Play it',
  pause: 'Hold it',
  back: 'One step back',
  forward: 'One step on',
  scrubber: 'Step of the episode',
  at: (step: number, last: number) => (step === 0 ? 'before the first step' : `step ${step} of ${last}`),
  png: 'PNG',
  save: 'Save this drawing as a picture (PNG)',
  drawing: 'The drawing comes …',
  none: 'There is no drawing of this rollout.',
  crowd: {
    title: 'Its rollouts',
    awaited: 'They play here once an iteration is over.',
    head: (iteration: number, solved: number, count: number) =>
      `of iteration ${iteration}, by task · ${solved} of ${count} ended well · press one to read it`,
    one: (place: number, success: boolean) => `Rollout ${place}: ${success ? 'solved' : 'failed'}`,
  },
} as const;
