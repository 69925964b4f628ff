/**
 * Question asked: when does it matter that a tool's words are not credited? The paper found PPO to fall from .3719 to
 * .3136 without the advantage mask; it does not say at which λ, nor how long its tools' results are. Here both are
 * doses: λⁿ is what is left of a reward behind n words.
 */
import type { ExperimentFile } from '../experiment/plan';
import speech from './speech.js?raw';

const lengths = [10, 40, 130];
const lambdas = [0.9, 0.95, 0.98, 0.99, 1];

const noAdvantage = { 'algorithm.advantageMask': false };

const row = (
  name: string,
  title: string,
  lambda: number,
  words: number,
  changes: Readonly<Record<string, string | number | boolean>> = {},
) => ({
  name: `${name}-${String(lambda).replace('.', '')}-${words}`,
  title: `${title}, λ ${lambda}, ${words} words`,
  kind: 'train' as const,
  algorithm: 'ppo' as const,
  reference: `both-095-${words}`,
  changes: {
    'algorithm.lambda': lambda,
    'environment.options.words': words,
    'model.context': 32 + words,
    'critic.network': 'separate',
    ...changes,
  },
});

export const experiment: ExperimentFile = {
  name: 'masks',
  title: 'Masks, by λ and the length of results',
  question:
    'When does it matter that tool results are not credited (advantage mask)? One choice decides; a result of 10, ' +
    '40 or 130 words stands between it and the reward. Its first word tells whether the choice was right. Without ' +
    'the mask each word counts as an action, so at λ below 1 the choice keeps λⁿ of the reward behind n words, ' +
    'unless a critic that foresees the reward hands it over. It learns at the agent’s words alone, or at results, ' +
    'too. Read the curves of practice beside the ends: the warm start’s likelier choice is the right one, for all ' +
    'tasks on three or four of five seeds and for 72 to 80 % on the others.',
  finding:
    'Without the advantage mask λ counts the tool’s words, where the critic learns at them: the harm goes with λⁿ, ' +
    'which is what the choice keeps of its reward behind n words if the critic hands nothing over. Where that is ' +
    '.13 or more, a right door is taken in 96 to 100 % of the episodes of the last four iterations on every seed, ' +
    'at every length, as with the mask (at λ .95, its one row). At .072 (λ .98, 130 words) it is taken in 93 to 99 ' +
    '%, and at .015 (λ .9, 40 words) in 94 to 100, but 90 % are reached later than at λ 1 on each seed. At .0013 ' +
    'one seed of five ends at 99 % in practice and the others at 50 to 63 (greedily three end at 100), and at a ' +
    'millionth none stays learned: greedily each ends below its warm start there, four at 50 %. A critic that ' +
    'learns at the agent’s words alone makes λ matter less behind 130 words: at λ .9 and .95 six of ten seeds end ' +
    'at 93 to 100 %, three at 84 to 86, and one takes no door any more, where one of ten is above 93 with the ' +
    'other critic. Behind 10 and 40 words four of 20 seeds end at 46 to 82 % in practice at these λ (greedily ' +
    'three of them at 100), and with the other critic none below 94. At λ .98 and .99 all seeds learn (91 to 100 ' +
    '%). Explained variance of the critic that learns at results does not show the harm (medians from iteration 5 ' +
    'on .54 to .95 at λ 0.9 and 130 words). All rows have one learning rate, which was tuned for none.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460, first version), exact match on multi-hop questions',
    finding: 'PPO fell from .3719 to .3136 without the advantage mask.',
  },
  base: 'pixels',
  reference: 'both-095-130',
  changes: {
    'environment.name': 'speech',
    'environment.source': speech,
    'environment.options.words': 10,
    'warmStart.recorded': false,
    'warmStart.learningRate': 0.004,
    'warmStart.demonstrations': 1000,
    'warmStart.steps': 100,
    'warmStart.batch': 16,
    'context.rule': 'append',
    'rollout.tasks': 8,
    'rollout.group': 8,
    'rollout.maxTokens': 8,
    'rollout.maxTurns': 2,
    'model.layers': 2,
    'model.width': 64,
    'model.heads': 4,
    'model.kvHeads': 4,
    'model.mlpWidth': 192,
    iterations: 20,
    'optimizer.learningRate': 1e-3,
    'optimizer.warmup': 0,
    'algorithm.miniBatches': 2,
    'evaluation.tasks': 64,
    'evaluation.every': 1000,
  },
  seeds: 5,
  rows: lengths.flatMap((words) => [
    row('both', 'Both masks', 0.95, words),
    ...lambdas.map((lambda) => row('no', 'No advantage mask', lambda, words, noAdvantage)),
    ...lambdas.map((lambda) =>
      row('learns', 'No advantage mask, critic learns at results', lambda, words, {
        ...noAdvantage,
        'critic.onResults': true,
      }),
    ),
  ]),
};
