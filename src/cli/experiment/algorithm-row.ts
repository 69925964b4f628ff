/**
 * A row of an experiment that trains with an algorithm, titled as in the table of algorithms. All make two updates an
 * iteration, also those whose own setting is one: tables compare estimators and losses, not numbers of updates.
 */
import { algorithms, type AlgorithmName } from '../../rl/algorithms/table';
import type { ExperimentFile } from './plan';

type Row = NonNullable<ExperimentFile['rows']>[number];

export const algorithmRow = (name: AlgorithmName, more: Partial<Row> = {}): Row => ({
  name,
  title: algorithms[name].title,
  kind: 'train',
  algorithm: name,
  ...more,
  changes: { 'algorithm.epochs': 1, 'algorithm.miniBatches': 2, ...more.changes },
});

/** The algorithms that the tables of methods compare. */
export const comparedAlgorithms = [
  'ppo',
  'step-ppo',
  'grpo',
  'rloo',
  'reinforce',
  'reinforce-pp',
  'gspo',
  'gigpo',
] as const satisfies readonly AlgorithmName[];
