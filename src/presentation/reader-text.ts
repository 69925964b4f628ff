/** Sentences of the rollouts: the list, the group, the conversation and the tokens. */
import { plural, plain, signed } from '../lib/format';
import { moment } from './token-words';
import type { Filter } from './rollout-list';

const solved = (success: boolean): string => (success ? 'solved' : 'failed');

export const text = {
  title: 'Rollouts',
  empty: (busy: boolean) =>
    `No rollouts yet. ${busy ? 'After the first iteration' : 'Press Train:'} every rollout appears here, ` +
    `token by token.`,
  solved,
  right: 'right',
  wrong: 'wrong',
  error: 'error',
  head: {
    step: (iteration: number | null) => `iteration ${iteration}`,
    everything: 'all iterations',
    newer: (iteration: number | null) => `newer: ${iteration}`,
    solved: (count: number, of: number) => `${count} of ${of} solved`,
    kept: (count: number, of: number) => `${count} of ${of} tasks kept`,
  },
  bar: {
    label: 'Choose rollouts',
    earlier: 'Earlier iteration',
    later: 'Later iteration',
    step: 'Iteration',
    latest: 'Latest',
    show: 'Show',
    filters: { all: 'all', solved: 'solved', failed: 'failed', errors: 'with errors' } satisfies Record<Filter, string>,
    byTask: 'by task',
    bestFirst: 'best first',
    everything: 'all iterations',
    search: 'Search text',
    searchLabel: 'Search in rollouts',
  },
  filter: {
    label: 'Filter by expression',
    placeholder: 'reward < 0 and turns > 2',
    fields: 'Fields',
    at: (sentence: string, at: number) => `${sentence} At character ${at + 1}.`,
  },
  list: {
    label: 'List of rollouts',
    none: (search: string) => (search ? `No rollout here contains “${search}”.` : 'No rollout here matches.'),
    showAll: 'Show all',
    next: 'next',
    previous: 'previous',
    desk: 'Reward desk',
    rows: (count: number) => plural(count, 'row'),
    columns: {
      solved: 'solved',
      prompt: 'prompt',
      answer: 'answer',
      reward: 'reward',
      advantage: 'advantage',
      turns: 'turns',
      errors: 'errors',
    },
    advantageHint: 'Better (right) or worse (left) than the other rollouts of the same task',
    turn: (count: number) => (count === 1 ? 'turn' : 'turns'),
    error: (count: number) => (count === 1 ? 'error' : 'errors'),
    group: (iteration: number | null, count: number, mean: number) =>
      (iteration === null ? '' : `iteration ${iteration} · `) +
      `${plural(count, 'rollout')} · mean reward ${plain(mean)}`,
  },
  /** Tasks that a finished run still fails at. */
  failing: {
    title: 'Where it still fails',
    rollouts: (failed: number, count: number) => `${failed} of ${plural(count, 'rollout')} failed`,
    more: (count: number) => `… and ${plural(count, 'more task')}.`,
  },
  reader: {
    newTask: (iteration: number) => `iteration ${iteration} · a new task`,
    tabs: 'How to read it',
    conversation: 'Conversation',
    tokens: 'Tokens',
    group: 'Rollouts',
    json: 'JSON',
  },
  copy: {
    text: 'Copy text',
    json: 'Copy JSON',
    link: 'Copy link',
    asText: 'Text',
    asJson: 'JSON',
    asLink: 'Link',
    copied: (what: string) => `${what} copied.`,
    failed: 'This browser did not allow it. Mark the JSON and copy it by hand.',
    noLink: 'Only rollouts of recorded runs have a link.',
    missing: (key: string) => `The recorded run has no rollout ${key}, so another is shown.`,
  },
  group: {
    label: 'Rollouts of the same task',
    count: (count: number) => `${plural(count, 'rollout')} of`,
    mean: (reward: number) => `mean reward ${plain(reward)}.`,
    rollout: (n: number, success: boolean, reward: number, advantage: number) =>
      `Rollout ${n}: ${solved(success)}, reward ${plain(reward)}, advantage ${signed(advantage)}`,
  },
  /** The token at which answers to one task part. */
  choice: {
    title: 'Where they part:',
  },
  /** Where the heads looked. */
  inside: {
    open: 'Look inside: where its heads looked',
    close: 'Close',
    title: 'Where its heads looked',
    agent: 'by the agent',
    now: 'as it is now',
    after: (iteration: number) => moment(iteration, false),
    heads: 'Layer and head',
    every: 'mean of all',
    layer: (n: number) => `layer ${n}`,
    head: (layer: number, head: number, token: string, share: string) =>
      `Layer ${layer}, head ${head}: ${share} on ${token}`,
    legend:
      'A number is the largest share in percent that the head gave to one token. The tokens above are tinted by the ' +
      'shares of the chosen one.',
    seen: 'Seen most',
    likeliest: (after: number, updating: boolean) => `Likeliest here, ${moment(after, updating)}`,
    own: 'The token that was written:',
    asking: 'Looking …',
    notPredicted: 'The environment wrote this token, so the agent did not predict it: choose one of the agent’s.',
    problem: (reason: string) => `This could not be read: ${reason}`,
  },
} as const;
