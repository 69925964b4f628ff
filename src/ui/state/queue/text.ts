/** Sentences of the queue: its order form, its list, and what it reports. */
import { plural } from '../../../lib/format';
import { withStop } from '../../../lib/sentences';

const runs = (count: number): string => plural(count, 'run');
const waitsAgain = 'It waits in the queue again, and what was saved of it is kept.';

export const text = {
  title: 'Queue',
  about: 'Trains several runs one after another: more seeds, values of one number, or ways of one switch.',
  add: 'Queue runs…',
  start: 'Start',
  goOn: 'Continue',
  pause: 'Pause',
  compare: (count: number) => (count === 1 ? 'Show its curve' : `Compare these ${count}`),
  clear: 'Clear what has ended',
  list: 'Queued runs',
  place: (done: number, all: number) => `${done} of ${all} done`,
  left: (duration: string) => `about ${duration} left`,
  item: {
    running: 'in the Lab',
    waits: 'waits',
    waitsSaved: 'waits; goes on where it was saved',
    done: 'done',
    failed: (reason: string) => `failed: ${withStop(reason)}`,
    first: 'First',
    remove: 'Remove',
    again: 'Try again',
    named: (action: string, name: string) => `${action}: ${name}`,
  },
  waitsFor: {
    trainer: 'The next run begins when the trainer is ready.',
    run: 'The next run begins when the run in the Lab has ended.',
    paused: 'The run in the Lab is paused. Continue saves it and begins the next run.',
    failed: 'The run in the Lab has failed. Continue begins the next run.',
    last: 'The queue stops after this run.',
  },
  notStored: 'This browser does not keep the queue: it is gone when the page is closed.',
  /** Why the queue is paused. */
  stopped: {
    reloaded: (count: number) => `${runs(count)} wait${count === 1 ? 's' : ''} in the queue since your last visit.`,
    reset: (name: string) => `The queue is paused, because its run was reset: ${name}. ${waitsAgain}`,
    replaced: (name: string) =>
      `The queue is paused, because another run took the place of its run: ${name}. ${waitsAgain}`,
    unable: (name: string, reason: string) =>
      `The queue is paused, because ${name} could not begin: ${withStop(reason)}`,
    open: 'Open the queue',
  },
  /** Stored runs that this version cannot train. `problem`: the first reason, where there is one. */
  leftOut: (count: number, problem: string | null) =>
    `${runs(count)} of the queue ${count === 1 ? 'was' : 'were'} left out: what this browser has stored of ` +
    `${count === 1 ? 'it' : 'them'} is not of this version${problem === null ? '.' : ` (${problem})`}`,
  said: {
    added: (count: number) => `${runs(count)} queued.`,
    began: (name: string) => `Training: ${name}.`,
    done: (name: string, waiting: number) =>
      `${name} is done. ${waiting === 0 ? 'None waits.' : `${runs(waiting)} left.`}`,
    failed: (name: string, reason: string) => `${name} failed: ${withStop(reason)}`,
    removed: (name: string) => `${name} is removed.`,
    moved: (name: string) => `${name} is next.`,
    paused: 'The queue is paused.',
    allDone: (done: number, failed: number) =>
      `The queue is done: ${runs(done)} finished${failed > 0 ? `, ${failed} failed` : ''}.`,
  },
  line: (place: number, all: number, name: string) => `Queue, run ${place} of ${all}: ${name}`,
  noReason: 'The trainer gave no reason.',
  ownWorld: 'own world',
  form: {
    title: 'Queue runs',
    like: (name: string, algorithm: string, seed: number) => `All are like ${name} with ${algorithm} and seed ${seed}`,
    ofSetup: 'the setup of the Lab.',
    ofRun: (name: string) => `the run ${name}.`,
    varies: 'They differ in',
    kinds: { seeds: 'the seed only', number: 'one number', choice: 'one switch or choice' },
    setting: 'Setting',
    values: 'Values, with commas between',
    ways: 'Ways',
    moreSeeds: 'More seeds',
    seeds: 'Seeds of each',
    noWay: 'Tick at least one way.',
    tooMany: (count: number, waiting: number, most: number) =>
      waiting === 0
        ? `${runs(count)} are too many: at most ${most} can wait in the queue.`
        : `${runs(count)} are too many beside the ${waiting} that wait: at most ${most} can wait in the queue.`,
    cannotTrain: (name: string, problem: string) => `${name} cannot be trained: ${withStop(problem)}`,
    takes: (duration: string | null) =>
      duration === null ? 'How long they take here is not known yet.' : `They take about ${duration} here.`,
    names: 'Names of the runs',
    queue: (count: number) => `Queue ${runs(count)}`,
    notReady: 'The trainer is not ready yet. Try again in a moment.',
  },
} as const;
