/** Question asked: at which learning rate does each size of `size` learn best? Its seed is in no other table. */
import type { ExperimentFile } from '../experiment/plan';
import { experiment as size, sizeRows } from './size';

/** Learning rate times the width of the model. */
const products = [0.0192, 0.0384, 0.0768, 0.1536];

export const experiment: ExperimentFile = {
  name: 'size-rates',
  title: 'Learning rates for models of several sizes',
  question: 'At which of four learning rates does a model of each size learn best? The rates fall with the width.',
  finding:
    'By the area under practice the second of four rates, 0.0384 divided by the width, is best for each size. With ' +
    'width 256 twice that is as good (91.7 % both). Widths 32 and 128 end 6 and 4 tasks of 256 higher at half of ' +
    'it, the lowest rate tried. At four times, each size is at its worst and width 32 collapses. One seed: ' +
    'differences of a point or two are within what seeds differ by.',
  base: size.base,
  reference: 'width-64-rate-2',
  changes: size.changes,
  seeds: [11],
  rows: sizeRows.flatMap((row) =>
    products.map((product, at) => {
      const rate = product / row.changes['model.width'];
      return {
        ...row,
        name: `${row.name}-rate-${at + 1}`,
        title: `${row.title}, rate ${rate}`,
        changes: { ...row.changes, 'optimizer.learningRate': rate },
      };
    }),
  ),
};
