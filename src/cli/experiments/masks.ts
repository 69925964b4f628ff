/**
 * Question asked: what do the two masks do, that keep an agent from learning the tools' words and from crediting them?
 * The paper found PPO to fall from .3719 to .3136 without the advantage mask, and to .3022 without the loss mask as
 * well.
 */
import type { ExperimentFile } from '../experiment/plan';

const noLoss = { 'algorithm.lossMask': false };
const noAdvantage = { 'algorithm.advantageMask': false };
/** At λ = 1 advantages of tokens telescope: the advantage mask would only change by what they are whitened. */
const discounted = { 'algorithm.lambda': 0.95 };
const neither = { ...noLoss, ...noAdvantage };

export const experiment: ExperimentFile = {
  name: 'masks',
  title: 'Masks on multi-hop questions',
  question:
    'What happens if tool results are trained on (no loss mask), or credited (no advantage mask)? Two kinds of ' +
    'row are controls. Without the loss mask alone, tool results have no advantage, so only the number of tokens ' +
    'that the loss is divided by changes. GRPO without the advantage mask alone is GRPO, bit for bit. PPO ' +
    'without the advantage mask and the two rows without either mask can differ.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460, first version), exact match on multi-hop questions',
    finding: 'PPO fell from .3719 to .3136 without the advantage mask, and to .3022 without the loss mask as well.',
  },
  base: 'multi-hop',
  reference: 'ppo',
  changes: { 'warmStart.recorded': false, iterations: 20, 'evaluation.tasks': 256, 'evaluation.every': 1000 },
  rows: [
    { name: 'ppo', title: 'PPO, both masks', kind: 'train', algorithm: 'ppo', changes: discounted, paper: 0.3719 },
    {
      name: 'ppo-no-loss-mask',
      title: 'PPO, no loss mask (control)',
      kind: 'train',
      algorithm: 'ppo',
      changes: { ...discounted, ...noLoss },
    },
    {
      name: 'ppo-no-advantage-mask',
      title: 'PPO, no advantage mask',
      kind: 'train',
      algorithm: 'ppo',
      changes: { ...discounted, ...noAdvantage },
      paper: 0.3136,
    },
    {
      name: 'ppo-neither',
      title: 'PPO, neither mask',
      kind: 'train',
      algorithm: 'ppo',
      changes: { ...discounted, ...neither },
      paper: 0.3022,
    },
    { name: 'grpo', title: 'GRPO, both masks', kind: 'train', algorithm: 'grpo', reference: 'grpo' },
    {
      name: 'grpo-no-loss-mask',
      title: 'GRPO, no loss mask (control)',
      kind: 'train',
      algorithm: 'grpo',
      reference: 'grpo',
      changes: noLoss,
    },
    {
      name: 'grpo-no-advantage-mask',
      title: 'GRPO, no advantage mask (control)',
      kind: 'train',
      algorithm: 'grpo',
      reference: 'grpo',
      changes: noAdvantage,
    },
    {
      name: 'grpo-neither',
      title: 'GRPO, neither mask',
      kind: 'train',
      algorithm: 'grpo',
      reference: 'grpo',
      changes: neither,
    },
  ],
};
