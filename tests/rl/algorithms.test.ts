import { expect, test } from 'vitest';
import { algorithmNames, algorithms } from '../../src/algorithms/table';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { configProblems } from '../../src/config/config';
import { lessonConfig } from '../helpers/lessons';

test.each(algorithmNames())('%s: its settings fit together, and what they do not name is neutral', (name) => {
  const config = withAlgorithm(withAlgorithm(lessonConfig, 'dapo'), name);
  expect(configProblems(config)).toEqual([]);
  expect(config).toEqual(withAlgorithm(lessonConfig, name));
  expect(config.algorithm).toMatchObject({ ...algorithms[name].defaults?.algorithm, name });
});
