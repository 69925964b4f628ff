/**
 * Question asked: does a larger model need fewer samples? Each size has the best of four learning rates (`size-rates`),
 * and its warm start's rate falls with the width, since one rate for all would compare rates.
 */
import type { ExperimentFile } from '../experiment/plan';

/** Layers, width, and the learning rate that `size-rates` found best. */
const sizes = [
  { layers: 2, width: 32, rate: 1.2e-3 },
  { layers: 2, width: 64, rate: 6e-4 },
  { layers: 4, width: 128, rate: 3e-4 },
  { layers: 4, width: 256, rate: 1.5e-4 },
];

/** A row for each size, all else equal. */
export const sizeRows = sizes.map(({ layers, width, rate }) => ({
  name: `width-${width}`,
  title: `${layers} layers of width ${width}`,
  kind: 'train' as const,
  changes: {
    'model.layers': layers,
    'model.width': width,
    'model.heads': width / 16,
    'model.kvHeads': width / 16,
    'model.mlpWidth': 3 * width,
    'warmStart.learningRate': (0.005 * 64) / width,
    'optimizer.learningRate': rate,
  },
}));

export const experiment: ExperimentFile = {
  name: 'size',
  title: 'Size of the model',
  question:
    'Does a larger model learn the calculator with fewer samples? Models of 28 thousand to 3.4 million parameters ' +
    'practise 64 rollouts an iteration. The warm start’s learning rate falls with the width. That of reinforcement ' +
    'is the best of four for each size, by the area under practice on another seed (`size-rates`): 0.0384 divided ' +
    'by the width. With width 256 twice that is as good.',
  finding:
    'On average larger models need fewer samples up to 860 thousand parameters (by the area under practice 28 ' +
    'thousand is ahead of 110 on two of five seeds), and from 110 thousand on they end no higher. Practice reaches ' +
    '90 % (mean of four iterations) after 8 to 17 iterations with 110 thousand parameters, after 7 to 8 with 860 ' +
    'thousand, and after 8 to 9 with 3.4 million. The area under practice of both larger models is above that of ' +
    '110 thousand on each of five seeds (means 87 and 84 %); between the two it differs by at most 2.5 points, in ' +
    'both directions. Ends are 92 to 100 % for these three. With 28 thousand one seed of five does not reach 90 %, ' +
    'and ends are 78 to 100 %. The two larger models have four layers and the others two. Greedily their warm ' +
    'starts solve 14 to 31 %, and those of the others 0 to 37 %; sampled success begins no higher (37 to 41 % in ' +
    'the mean of each size).',
  base: 'calculator-mini',
  reference: 'width-64',
  changes: {
    'warmStart.recorded': false,
    'rollout.tasks': 8,
    iterations: 24,
    'evaluation.tasks': 256,
    'evaluation.every': 1000,
  },
  seeds: 5,
  rows: sizeRows,
};
