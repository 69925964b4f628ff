/**
 * Question asked: when does it matter that a tool's words are neither credited nor trained on? The paper found PPO to
 * fall from .3719 to .3136 without the advantage mask, and to .3022 without the loss mask as well; it does not say at
 * which λ, nor how long its tools' results are. Here both are doses: λⁿ is what is left of a reward behind n words.
 */
import type { ExperimentFile } from '../experiment/plan';
import speech from './speech.js?raw';

const lengths = [10, 40, 130];
const lambdas = [0.9, 0.95, 1];

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
    'When does it matter that tool results are neither credited (advantage mask) nor trained on (loss mask)? One ' +
    'choice decides, and a result of 10, 40 or 130 words that tell nothing stands between it and the reward. Without ' +
    'the advantage mask each word counts as an action, so at λ below 1 the choice keeps λⁿ of the reward behind n ' +
    'words, unless a critic that foresees the reward hands it over. That critic learns at the agent’s words alone, or ' +
    'also at results. Read the curves of practice: half of the choices are right before the first iteration.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460, first version), exact match on multi-hop questions',
    finding: 'PPO fell from .3719 to .3136 without the advantage mask, and to .3022 without the loss mask as well.',
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
