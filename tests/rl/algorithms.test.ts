import { expect, test } from 'vitest';
import { algorithmNames, algorithms } from '../../src/rl/algorithms/table';
import { withAlgorithm } from '../../src/rl/config/with-algorithm';
import { configProblems } from '../../src/rl/config/config';
import { lessonConfig } from '../helpers/lessons';

test.each(algorithmNames())('%s: its settings fit together, and what they do not name is neutral', (name) => {
  const config = withAlgorithm(withAlgorithm(lessonConfig, 'dapo'), name);
  expect(configProblems(config)).toEqual([]);
  expect(config).toEqual(withAlgorithm(lessonConfig, name));
  expect(config.algorithm).toMatchObject({ ...algorithms[name].defaults?.algorithm, name });
});
