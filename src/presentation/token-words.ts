/** Sentences of a rollout's tokens. */
import { plural, signed } from '../lib/format';

/** When the agent was as it is meant. */
export const moment = (after: number, updating: boolean): string => {
  if (updating) return `during iteration ${after + 1}`;
  return after === 0 ? 'before iteration 1' : `after iteration ${after}`;
};

export const text = {
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
    template: 'chat template',
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
    template: 'What a pretrained model’s own template would write here if it rendered the conversation again.',
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
  ids: 'Ids beside the text',
  /** What a pretrained model's own chat template would make of the conversation. */
  template: {
    same: 'Rendered again by the model’s chat template, the conversation has the same tokens.',
    differs: (places: number) =>
      `Rendered again by the model’s chat template, the conversation would differ in ${plural(places, 'place')}, ` +
      `which ${places === 1 ? 'is' : 'are'} marked. It is trained on as it was sampled.`,
    refused: (sentence: string) => `The model’s chat template does not render the conversation again: ${sentence}`,
    adds: (written: string) => `adds ${written} before it`,
    drops: (count: number) => (count === 1 ? 'leaves it out' : `leaves out these ${count} tokens`),
    replaces: (count: number, written: string) =>
      count === 1 ? `writes ${written} instead` : `writes ${written} instead of these ${count} tokens`,
    mark: (what: string) => (what === '' ? '  ~' : `  ~ the template ${what}`),
    rewritten: 'the chat template would write otherwise',
  },
} as const;
