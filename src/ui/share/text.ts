/** Sentences about links: sharing one, opening one, and the run of its author. */
import { stepsInWords, withStop } from '../shell/sentences';

export const text = {
  dialog: {
    title: 'Share this run',
    label: 'Link',
    copy: 'Copy link',
    copied: 'Copied.',
    copyFailed: 'This browser did not allow copying; the link is selected, so press Ctrl+C or ⌘C.',
    making: 'Making the link…',
    forClass: 'For a class: hide parts of the Lab',
    hide: 'Whoever opens the link does not see',
    carries: 'It carries',
    carriesSetup: 'the settings that differ from the preset, and the seed',
    carriesCurve:
      'the curve so far and a fingerprint of the first steps, so that others can see whether their run is the same',
    changed: (steps: readonly number[]) =>
      `no curve: the reward of this run changed after ${stepsInWords(steps)}, so its curve does not come from its ` +
      'settings alone. Whoever opens the link trains with the last reward from the first step',
    carriesVersion: 'the engine version and the name of the GPU, or that it was the CPU',
    not: 'It carries no weights, no rollouts and nothing about you. No server keeps it: the link itself is the run.',
    length: (length: string) => `${length} characters.`,
    fits: 'It fits in a chat message.',
    long: 'Too long for a Discord message; mail and most chats take it.',
    tooLong: 'Too long for many services; send the checkpoint file instead.',
    notReady: 'the trainer is not ready yet',
    failed: (reason: string) => `The link could not be made: ${reason}. Close this and try again.`,
  },
  parts: {
    intro: 'the first words and answers',
    setup: 'the setup',
    curves: 'the curves',
    rollouts: 'the list of rollouts',
    reader: 'the reader of rollouts',
    chat: 'the chat',
    health: 'the health',
    results: 'the results of experiments',
  },
  /** Links and addresses that were opened. */
  address: {
    unknown: 'This address names no page of Agentlet. This is the Lab.',
    unreadable: (problem: string) => `This link cannot be opened. ${withStop(problem)}`,
    openStart: 'Open the calculator',
    own: ({ iteration, finished }: { readonly iteration: number; readonly finished: boolean }) => {
      const at = iteration === 0 ? ' in its warm start' : ` at step ${iteration}`;
      return `This link is of a run of yours, which this browser has saved${finished ? '' : at}.`;
    },
  },
  author: {
    title: 'Someone sent you this run',
    setupTitle: 'Someone sent you this setup',
    codeTitle: 'This address brings its own environment',
    addressTitle: 'This address was not followed to the letter',
    result: (success: string, step: string) => `The author’s agent solved ${success} of unseen tasks at step ${step}.`,
    practiceResult: (success: string, step: string) =>
      `The author’s agent solved ${success} of its practice attempts at step ${step}.`,
    noCurve: 'This link contains settings only, no results.',
    where: (adapter: string) => `Trained on ${adapter}`,
    engine: (version: string) => `engine ${version}`,
    onCpu: 'It was made on the CPU, so the CPU is chosen here too: there it gives exactly the same numbers.',
    again: 'Run it here',
    foreign:
      'This link brings its own environment code, written by whoever made it. It has not run. It runs only in the ' +
      'sandbox, without network or page, and only after you press Train.',
    code: 'The code',
    notices: 'About this link',
  },
  /** Names of the curve that a run is drawn against. */
  ghost: {
    recorded: 'recorded run',
    author: 'author’s run',
    authorPractice: 'author’s run, practice',
  },
  /** How a run compares with the run of its link. */
  reproduction: {
    where: (sameAdapter: boolean) => (sameAdapter ? 'not bit for bit' : 'other device'),
    place: (comparedTo: number, last: number) =>
      `${comparedTo === 1 ? 'at step 1' : `up to step ${comparedTo}`}${comparedTo < last ? ` of ${last}` : ''}`,
    curveDiffers: (difference: string, place: string, where: string | null) => {
      const bits = where === null ? ', although the fingerprints match' : ` (${where})`;
      return `Not the same run: success differs by up to ${difference} ${place}${bits}.`;
    },
    identical: (steps: number, carried: number) =>
      `Same run: the ${firstSteps(steps)} bit for bit (the link holds ${carried}).`,
    bitsDiffer: (step: number, where: string) => `Not the same bits: step ${step} differs (${where}).`,
    close: (difference: string, place: string, where: string, identicalTo: number) => {
      const bits = identicalTo === 0 ? '' : ` The ${firstSteps(identicalTo)} bit for bit.`;
      return `Reproduced: success differs by at most ${difference} ${place} (${where}).${bits}`;
    },
  },
  setupKept: 'Another setup was opened; your own edits are kept.',
  ownSetup: 'Back to your setup',
} as const;

function firstSteps(count: number): string {
  return count === 1 ? 'first step matches' : `first ${count} steps match`;
}
