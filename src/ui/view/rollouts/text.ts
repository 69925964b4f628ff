/** Sentences of the rollouts: the list, the group, the conversation and the tokens. */
import { plural, plain, signed } from '../../../lib/format';
import type { Filter } from '../../../presentation/rollout-list';

const solved = (success: boolean): string => (success ? 'solved' : 'failed');

const moment = (after: number, updating: boolean): string => {
  if (updating) return `during iteration ${after + 1}`;
  return after === 0 ? 'before iteration 1' : `after iteration ${after}`;
};

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
    step: (step: number | null) => `iteration ${step}`,
    everything: 'all iterations',
    newer: (step: number | null) => `newer: ${step}`,
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
    group: (step: number | null, count: number, mean: number) =>
      `${step === null ? '' : `iteration ${step} · `}${plural(count, 'rollout')} · mean reward ${plain(mean)}`,
  },
  /** Tasks that a finished run still fails at. */
  failing: {
    title: 'Where it still fails',
    rollouts: (failed: number, count: number) => `${failed} of ${plural(count, 'rollout')} failed`,
    more: (count: number) => `… and ${plural(count, 'more task')}.`,
  },
  reader: {
    newTask: (step: number) => `iteration ${step} · a new task, which it never practised`,
    desk: 'Reward desk',
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
  tokens: {
    inLoss: (count: number) => `${plural(count, 'token')} in the loss`,
    of: (count: number) => `of ${count}; only these are trained on.`,
    cut: (shown: number, all: number) => `The first ${shown} of ${all} tokens.`,
    legend: 'Legend',
    sample: 'abc',
    special: 'end',
    legends: {
      environment: 'environment wrote it',
      loss: 'agent wrote it, in the loss (underlined)',
      masked: 'agent, masked',
      special: 'special token',
      up: 'bar above: made more likely',
      down: 'bar below: made less likely',
    },
    card: 'Token',
    fields: {
      id: 'id',
      author: 'written by',
      training: 'training',
      advantage: 'advantage',
      probability: 'probability',
      logProb: 'log-prob, old',
      newLogProb: 'log-prob, new',
      ratio: 'ratio',
      kl: 'KL to start',
      value: 'critic’s value',
      entropy: 'entropy',
    },
    /** What each field says, for the fold under the card. */
    meanings: {
      id: 'Number of the token in the vocabulary.',
      author: 'The agent or the environment.',
      training: 'Only tokens in the loss are trained on.',
      advantage: 'How much better than expected the rollout went from here on. Positive: made more likely.',
      probability: 'How likely the agent found this token when it wrote it.',
      logProb: 'Logarithm of that probability.',
      newLogProb: 'The same by the agent as it is now.',
      ratio: 'New probability divided by old. Clipped: the loss stops pushing the token further.',
      kl: 'How far the agent has moved from the agent it started as, for this token.',
      value: 'What the critic expected the rollout to earn from here on. Only algorithms with a critic have it.',
      entropy: 'How undecided the agent was here, in nats. 0 is certain.',
    },
    meaning: 'What these numbers mean',
    free: ' · not clipped',
    clipped: ' · clipped',
    dualClipped: ' · clipped (dual)',
    formula: (algorithm: string) => `Loss of this token in ${algorithm}`,
    noFormula: 'The environment wrote this token, so it has no loss.',
    likeliest: 'The likeliest other tokens here',
    atUpdate:
      'As the update of its iteration began: the agent that learned was the agent that wrote, so every ratio is 1.',
    now: (after: number, updating: boolean) => `By the agent now, ${moment(after, updating)}.`,
    partial: 'Tokens of the environment are in this run’s loss too; they are left out of the sequence here.',
    compute: 'Compute with the agent as it is now',
    again: 'Compute again',
    back: 'As its update began',
    computing: 'Reading the rollout…',
    recorded:
      'A recording has no agent to ask: train a run here to see the likeliest other tokens and where its heads look.',
    authors: { agent: 'agent', environment: 'environment' },
    isSpecial: ' · special',
    training: (inLoss: boolean) => (inLoss ? 'in the loss' : 'masked'),
    nats: (entropy: number) => `${entropy.toFixed(3)} nats`,
    none: '–',
    list: 'Tokens',
    turn: (n: number) => `turn ${n}`,
    turnLabel: (n: number) => `Turn ${n}`,
    advantage: (value: number) => `, advantage ${signed(value)}`,
    seen: (share: string) => `, seen with ${share}`,
  },
  /** The token at which answers to one task part. */
  choice: {
    title: 'Where the answers part, it wrote',
    others: 'anything else',
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
