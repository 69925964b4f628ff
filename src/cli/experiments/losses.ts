/**
 * Question asked: what do clips and gates of the policy loss do once rollouts are old? Each batch is reused for 32
 * updates (4 epochs of 8 mini-batches), at the preset's learning rate and at twice that.
 */
import type { AlgorithmName } from '../../rl/algorithms/table';
import type { ExperimentFile } from '../experiment/plan';

type Changes = Readonly<Record<string, number>>;

const row = (name: string, title: string, algorithm: AlgorithmName, changes: Changes = {}) => ({
  ...{ name, title, algorithm, kind: 'train' as const },
  changes: { 'algorithm.epochs': 4, 'algorithm.miniBatches': 8, ...changes },
});
const clips = (low: number, high: number): Changes => ({ 'algorithm.clipLow': low, 'algorithm.clipHigh': high });
/** A dual clip that never acts. */
const noDualClip: Changes = { 'algorithm.dualClip': 100 };

export const experiment: ExperimentFile = {
  name: 'losses',
  title: 'Losses under many updates on old rollouts',
  question:
    'Every batch of rollouts is used for 32 updates, so that ratios leave 1 and clips act. Which losses still learn ' +
    'to call, and which lose what the warm start could do? Every row but the first has the ratio of new to old ' +
    'probabilities; all compare a rollout with its group.',
  finding:
    'The loss without a ratio learns nothing from old rollouts: 0 to 11 % on every seed, at both rates. At twice the ' +
    'rate neither do the ratio without a clip, CISPO and SAPO (0 to 5 %), which never cut a gradient off. ' +
    'Losses with a hard clip still learn there: GSPO 58 %, GMPO 46 %, a clip of 0.2 and 0.28 44 %, of 0.2 33 %. At ' +
    'the preset’s rate the clip adds little to the ratio: 75 and 68 %.',
  paper: {
    source: 'PPO (arXiv 1707.06347), table 1, on control tasks; GSPO (arXiv 2507.18071) and CISPO (arXiv 2506.13585)',
    finding:
      'without a clip PPO fell below a random policy (−.39 against .82 with clip .2); GSPO and CISPO report higher ' +
      'rewards than GRPO at equal compute.',
  },
  base: 'calculator-mini',
  reference: 'clip-lr-0-0006',
  changes: { 'warmStart.recorded': false, 'warmStart.steps': 100, iterations: 15, 'evaluation.every': 1000 },
  grid: { lr: [6e-4, 1.2e-3] },
  seeds: 5,
  rows: [
    row('no-ratio', 'No ratio (GPG)', 'gpg'),
    row('no-clip', 'Ratio, no clip', 'grpo', { ...clips(1, 10), ...noDualClip }),
    row('clip', 'Clip 0.2', 'grpo', clips(0.2, 0.2)),
    row('no-dual-clip', 'Clip 0.2, no dual clip', 'grpo', { ...clips(0.2, 0.2), ...noDualClip }),
    row('clip-higher', 'Clip 0.2 and 0.28', 'grpo'),
    row('gspo', 'GSPO, clip 0.03', 'gspo'),
    row('gspo-tight', 'GSPO, clip 0.003', 'gspo', clips(0.003, 0.004)),
    row('cispo', 'CISPO', 'cispo'),
    row('sapo', 'SAPO', 'sapo'),
    row('gmpo', 'GMPO', 'gmpo'),
  ],
};
