/**
 * A row of an experiment that trains with an algorithm, titled as in the table of algorithms. All make two updates an
 * iteration, also those whose own setting is one: tables compare estimators and losses, not numbers of updates.
 */
import { algorithmNames, algorithms, type AlgorithmName } from '../../algorithms/table';
import type { ExperimentFile } from './plan';

type ExperimentRowInput = NonNullable<ExperimentFile['rows']>[number];

export const algorithmRow = (name: AlgorithmName, more: Partial<ExperimentRowInput> = {}): ExperimentRowInput => ({
  name,
  title: algorithms[name].title,
  kind: 'train',
  algorithm: name,
  ...more,
  changes: { 'algorithm.epochs': 1, 'algorithm.miniBatches': 2, ...more.changes },
});

/** The algorithms that the tables of methods compare: all of the table but variants of another. */
export const comparedAlgorithms = algorithmNames().filter((name) => algorithms[name].variantOf === undefined);
