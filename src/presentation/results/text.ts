/** Sentences of the experiments’ results. */
import { withStop } from '../../lib/sentences';

export const text = {
  none: 'No results of experiments ship with this page yet. This command makes some:',
  tableOf: (title: string) => `Table: ${title}`,
  method: 'Method',
  success: 'Success',
  overSeeds: 'Over seeds',
  range: (fromTo: string) => `${fromTo} (range)`,
  interval: (fromTo: string) => `${fromTo} (95\u00a0%)`,
  difference: (tasks: string) => `Difference in tasks of ${tasks}`,
  against: (reference: string, differences: string) => `${reference}: ${differences}`,
  seeds: 'Each seed',
  open: {
    title: 'Open in the Lab',
    link: (title: string, seed: number) => `Open ${title}, seed ${seed}, in the Lab`,
    script: 'a script: nothing to train',
    warmStart: 'the warm start alone',
    failed: 'it ended before its first iteration',
    imitates: 'imitates its successes, which the Lab does not do',
    unknownBase: (base: string) => `this version does not have ${base} with these settings`,
    unreadable: 'this version cannot use its settings',
    about: 'A seed’s link opens the Lab with the settings of that run: Train makes it again.',
    otherEngine: (made: string, here: string) =>
      `The table was made with engine ${made} and this is ${here}, so the numbers may differ.`,
  },
  warm: 'Warm start',
  sampled: 'Practice',
  sampledRange: (first: string, last: string) => `${first} → ${last}`,
  outside: 'Out of distribution',
  calls: 'Solved with 0 / 1 / 2 … tool calls',
  outsideCalls: 'Out of distribution with 0 / 1 / 2 … tool calls',
  callsAre: 'Solved tasks are counted by the tool calls that the agent made without an error, all seeds together.',
  peak: 'Peak of practice',
  peakAt: (success: string, step: string) => `${success} at iteration ${step}`,
  area: 'Area under practice',
  trained: (share: string) => `Iterations to ${share}`,
  never: 'never',
  updates: 'Updates',
  otherUpdates: 'another number',
  pass: (attempts: number) => `Pass@${attempts}`,
  turns: 'Turns',
  promptTokens: 'Prompt tokens',
  curve: 'Curve',
  cut: (shown: number, all: number) => `The first ${shown} of ${all} rows.`,
  curvesOf: 'Curves of each row',
  seed: (seed: number) => `seed ${seed}`,
  curves: {
    success: {
      name: 'Practice success',
      meaning: 'Share of practice rollouts that solve their task.',
      healthy: 'Healthy: it climbs on every seed.',
    },
    explainedVariance: {
      name: 'Explained variance',
      meaning:
        'Share of the variance of its λ-returns that the critic predicts. With λ below 1 they contain its own values.',
      healthy: 'Healthy: it rises towards 1. Below 0 the critic misleads.',
    },
  },
  notMeasured: 'No row of this table measures this curve.',
  notKept: 'This table was made by an engine that did not keep this curve, so nothing is drawn.',
  paper: 'Paper',
  nothing: '–',
  failed: 'failed',
  unset: 'unset',
  allRows: 'All rows',
  fromTo: (low: string, high: string) => `${low.replace(/\s%$/, '')} to ${high}`,
  finding: (finding: string) => `What was found: ${finding}`,
  found: (source: string, finding: string) => `What others found (◇). ${source}: ${finding}`,
  how: (tasks: string) =>
    `Success is on ${tasks} unseen tasks, taking the likeliest token each time. The bar is the range of seeds, or ` +
    'with 6 or more a 95 % t interval of their mean; the line is the mean, a dot one seed. A difference is the ' +
    'number of tasks that a row solved more or fewer than the row it names, one for each seed. Turns are means of an ' +
    'episode. Practice is the success of the rollouts of the first and of the last iteration; its peak is the ' +
    'highest mean over seeds, and the area under it is its mean over all iterations.',
  promptTokensAre: 'Prompt tokens are those of all prompts of an episode together.',
  outsideIs: (what: string) => `Out of distribution: ${what}`,
  endedEarly: (title: string, seed: number, reason: string) =>
    `${title}, seed ${seed}, ended early: ${withStop(reason)}`,
  made: (date: string, adapter: string, engine: string, commit: string) =>
    `Made on ${date}, on ${adapter}, with engine ${engine}, commit ${commit}, by`,
  changes: (preset: string) => `What each row changes in the preset ${preset}`,
} as const;
