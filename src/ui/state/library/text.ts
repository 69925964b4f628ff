/** Sentences of the page of runs. */
import { plural } from '../../../lib/format';
import { stepsInWords, withStop } from '../../../lib/sentences';

export const text = {
  title: 'Runs',
  about:
    'Every run that you trained in this browser is kept until you delete it: its setup, its curves and some of its ' +
    'rollouts. The latest four keep their weights, too, so they can go on. Short of space, ' +
    'the browser may delete them: download what you want to keep.',
  space: (used: string) => `This site uses ${used} of this browser’s space.`,
  loading: 'Looking for your runs…',
  none: 'You have not trained a run yet. Pick a world, press Train in the Lab, and the run is here afterwards.',
  toWorlds: 'Pick a world',
  problem: (reason: string) => `The runs could not be read: ${withStop(reason)}`,
  search: 'Search',
  searchHint: 'name, note, world or algorithm',
  count: (shown: number, all: number) => (shown === all ? plural(all, 'run') : `${shown} of ${all} runs`),
  nothingFound: 'No run has all of these words.',
  deleted: (name: string) => `${name} is deleted.`,
  undo: 'Bring it back',
  list: 'Your runs',
  order: 'Order',
  orders: { latest: 'latest first', best: 'most successful first', world: 'by world', name: 'by name' },
  row: {
    compare: (name: string) => `Compare ${name}`,
    full: (most: number) => `${most} lines are the most that fit on a chart: take one off first.`,
    details: (name: string) => `Details of ${name}`,
    what: (title: string, algorithm: string, seed: number) => `${title} · ${algorithm} · seed ${seed}`,
    steps: (done: number, total: number) => (done === total ? `${total} iterations` : `iteration ${done} of ${total}`),
    warm: 'warm start',
    here: 'on the page now',
    unseen: 'unseen tasks',
    practice: 'practice',
    noResult: 'no iteration yet',
    name: 'Name',
    note: 'Note',
    noteHint: 'What you changed, and how it went',
    resume: 'Resume',
    open: 'Open in the Lab',
    setup: 'Open its setup in the Lab',
    queue: 'Queue more like it…',
    remove: 'Delete',
    named: (action: string, name: string) => `${action}: ${name}`,
    hereStays: 'It is in the Lab and has not ended, so it cannot be deleted: press Reset there first.',
    parent: (name: string) => `It goes on from ${name}.`,
    parentGone: 'It goes on from a run that is deleted.',
    changed: (changes: string) => `Changed since then: ${withStop(changes)}`,
    made: (adapter: string, engine: string) => `Trained on ${adapter} with engine ${engine}.`,
    setupChanged: (steps: readonly number[]) =>
      `Its setup changed after ${stepsInWords(steps)}, so its curve does not come from its setup alone.`,
    fingerprint: (digest: string) => `Fingerprint of its first iterations: ${digest}`,
    foreign: 'Its world is code that came with a link or that you wrote.',
    weights: 'Its weights are kept, so it can go on.',
    noWeights: 'Its weights are not kept any more. Its curves and some of its rollouts are.',
  },
  compare: {
    title: 'Compare',
    hint: 'Tick runs to lay their curves over each other.',
    loading: 'Reading the curves…',
    marks: (name: string, steps: readonly number[]) =>
      `Dashed line: the setup of ${name} changed after ${stepsInWords(steps)}.`,
    clear: 'Untick all',
    left: (count: number) =>
      `${count} run${count === 1 ? ' does' : 's do'} not fit on the chart. Untick others to make room.`,
    metric: 'Metric',
    over: 'Over',
    bands: 'Seeds as a band',
    bandsHint:
      'Runs that differ in their seed only become one line, their mean, in a band from the least to the greatest.',
    smoothing: 'Smoothing',
    diff: 'What differs',
    same: 'These runs have the same setup and the same seed.',
    setting: 'Setting',
    off: 'off',
    timeIs: 'Time is what the iterations took to sample, to run tools, to update and to validate, without pauses.',
  },
  results: {
    title: 'Results of your own',
    hint: 'Choose or drop the JSON that npm run experiment wrote. It is read here and sent nowhere.',
    file: 'File of results',
    reading: 'Reading the file…',
  },
} as const;
