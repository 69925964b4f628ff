/** Sentences about links: sharing one, opening one, and the run of its author. */
import { withStop } from '../../../lib/sentences';

const firstSteps = (count: number) => (count === 1 ? 'first iteration matches' : `first ${count} iterations match`);

export const text = {
  /** Links and addresses that were opened. */
  address: {
    unknown: 'This address names no page of Agentlet. This is the Lab.',
    meant: (page: string) => `This address names no page of Agentlet. Did you mean ${page}?`,
    open: (page: string) => `Open ${page}`,
    pages: {
      worlds: 'the worlds',
      editor: 'the editor',
      results: 'the results of the experiments',
      runs: 'your runs',
      learn: 'the lessons',
    },
    unreadable: (problem: string) => `This link cannot be opened. ${withStop(problem)}`,
    openStart: 'Open the calculator',
    own: ({ iteration, finished }: { readonly iteration: number; readonly finished: boolean }) => {
      const at = iteration === 0 ? ' in its warm start' : ` at iteration ${iteration}`;
      return `This link is of a run of yours, which this browser has saved${finished ? '' : at}.`;
    },
  },
  author: {
    title: 'Someone sent you this run',
    setupTitle: 'Someone sent you this setup',
    codeTitle: 'This address brings its own environment',
    addressTitle: 'Part of this address was not used as it is written',
    result: (success: string, step: string) =>
      `The link says: the author’s agent solved ${success} of unseen tasks at iteration ${step}.`,
    practiceResult: (success: string, step: string) =>
      `The link says: the author’s agent solved ${success} of its practice rollouts at iteration ${step}.`,
    noCurve: 'This link contains settings only, no results.',
    where: (adapter: string | null, version: string) =>
      `The link says: ${adapter === null ? 'made' : `trained on ${adapter},`} with engine ${version}.`,
    onCpu: 'It was made on the CPU, so the CPU is chosen here too: there it gives exactly the same numbers.',
    again: 'Run it here',
    curve: (from: string, to: string) => `Success of the author’s agent: ${from} at first, ${to} at the end`,
    foreign:
      'This link brings its own environment code, written by whoever made it. It has not run. It runs only in the ' +
      'sandbox, without network or page, and only once you train.',
    code: 'The code',
    notices: 'About this link',
  },
  /** How a run compares with the run of its link. */
  reproduction: {
    where: (sameAdapter: boolean) => (sameAdapter ? 'not bit for bit' : 'other device'),
    place: (comparedTo: number, last: number) => {
      const upTo = comparedTo === 1 ? 'at iteration 1' : `up to iteration ${comparedTo}`;
      return comparedTo < last ? `${upTo} of ${last}` : upTo;
    },
    curveDiffers: (difference: string, place: string, where: string | null) => {
      const bits = where === null ? ', although the fingerprints match' : ` (${where})`;
      return `Not the same run: success differs by up to ${difference} ${place}${bits}.`;
    },
    identical: (steps: number, carried: number) =>
      `Same run: the ${firstSteps(steps)} bit for bit (the link holds ${carried}).`,
    /** Not all that the link says was compared. `rest`: what was not. */
    bitsSoFar: (steps: number, rest: string) => `The ${firstSteps(steps)} bit for bit; ${rest}.`,
    closeSoFar: (difference: string, place: string, where: string, rest: string) =>
      `Success differs by at most ${difference} ${place} (${where}); ${rest}.`,
    notCompared: (success: string, step: number) =>
      `the link’s ${success} at iteration ${step} could not be compared yet`,
    moreDigests: (carried: number) => `the link holds ${carried}, and the others were not compared yet`,
    noClaim: 'the link has no result that could be compared',
    bitsDiffer: (step: number, where: string) => `Not the same bits: iteration ${step} differs (${where}).`,
    close: (difference: string, place: string, where: string, identicalTo: number) => {
      const bits = identicalTo === 0 ? '' : ` The ${firstSteps(identicalTo)} bit for bit.`;
      return `Reproduced: success differs by at most ${difference} ${place} (${where}).${bits}`;
    },
  },
  setupKept: 'Another setup was opened; your own edits are kept.',
  ownSetup: 'Back to your setup',
} as const;
