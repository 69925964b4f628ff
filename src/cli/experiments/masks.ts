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
    'of the credit away: without the mask, the first call keeps a thousandth.',
  finding:
    'Each mask has its condition. The advantage mask decides where λ is below 1 and results are long: at 0.95 PPO ' +
    'solves 34 to 35 % without it, its warm start, and 98 to 100 % with it; at 1 it makes no difference. Without the ' +
    'loss mask as well, also λ = 1 and GRPO are hurt, on some seeds and not on others: 21 to 98 % and 24 to 100 %. ' +
    'The paper’s order of the three PPO rows is that of λ = 0.95.',
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
