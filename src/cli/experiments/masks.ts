/**
 * Question asked: when do the two masks matter, that keep an agent from learning the tools' words and from crediting
 * them? The paper found PPO to fall from .3719 to .3136 without the advantage mask, and to .3022 without the loss mask
 * as well; it does not say at which λ, nor how long its tools' results are.
 */
import type { ExperimentFile } from '../experiment/plan';

const noAdvantage = { 'algorithm.advantageMask': false };
const neither = { ...noAdvantage, 'algorithm.lossMask': false };
const lambda = (value: number) => ({ 'algorithm.lambda': value });
const ppo = { kind: 'train', algorithm: 'ppo' } as const;
const grpo = { kind: 'train', algorithm: 'grpo', reference: 'grpo' } as const;

export const experiment: ExperimentFile = {
  name: 'masks',
  title: 'Masks where the first choice decides',
  question:
    'When does it matter that tool results are neither credited (advantage mask) nor trained on (loss mask)? The ' +
    'first call decides, and about 130 tokens of two results stand between it and the reward. At λ = 1 advantages ' +
    'telescope: whatever stands between, a token gets the reward less what the critic expected of it, so the ' +
    'advantage mask changes only how they are whitened. At λ = 0.95 each token that counts as an action takes 5 % ' +
    'of the credit away, unless a critic that foresees the reward hands it over.',
  finding:
    'Not yet one. These rows are of engine 0.8.0, whose critic explained nothing, and values at result tokens, which ' +
    'the rows without the advantage mask read, were in no row’s value loss. So decay by λ, untrained values and an ' +
    'untrained critic are one number here. Rows without either mask range from 20 to 100 % over seeds: they may go ' +
    'wrong, and five seeds say no more. The experiment is to be run again with a critic that learns.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460, first version), exact match on multi-hop questions',
    finding: 'PPO fell from .3719 to .3136 without the advantage mask, and to .3022 without the loss mask as well.',
  },
  base: 'two-tools',
  reference: 'ppo-1',
  changes: {
    'environment.options.results': 'long',
    'environment.options.questions': 'crossing',
    'model.context': 192,
    'warmStart.recorded': false,
    iterations: 30,
    'rollout.tasks': 8,
    'evaluation.tasks': 128,
    'algorithm.miniBatches': 2,
    'evaluation.every': 1000,
  },
  rows: [
    { ...ppo, name: 'ppo-1', title: 'PPO λ 1, both masks', changes: lambda(1), paper: 0.3719 },
    {
      ...ppo,
      name: 'ppo-1-no-advantage-mask',
      title: 'PPO λ 1, no advantage mask',
      changes: { ...lambda(1), ...noAdvantage },
      paper: 0.3136,
    },
    {
      ...ppo,
      name: 'ppo-1-neither',
      title: 'PPO λ 1, neither mask',
      changes: { ...lambda(1), ...neither },
      paper: 0.3022,
    },
    { ...ppo, name: 'ppo-095', title: 'PPO λ 0.95, both masks', reference: 'ppo-095', changes: lambda(0.95) },
    {
      ...ppo,
      name: 'ppo-095-no-advantage-mask',
      title: 'PPO λ 0.95, no advantage mask',
      reference: 'ppo-095',
      changes: { ...lambda(0.95), ...noAdvantage },
    },
    {
      ...ppo,
      name: 'ppo-095-neither',
      title: 'PPO λ 0.95, neither mask',
      reference: 'ppo-095',
      changes: { ...lambda(0.95), ...neither },
    },
    { ...grpo, name: 'grpo', title: 'GRPO, both masks' },
    { ...grpo, name: 'grpo-neither', title: 'GRPO, neither mask', changes: neither },
  ],
};
