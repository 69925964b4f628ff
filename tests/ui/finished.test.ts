import { expect, test } from 'vitest';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { presetByName } from '../../src/config/presets';
import { ideasFor, outcomeOf } from '../../src/ui/panels/run/finished';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { catalogOf } from '../helpers/catalog';
import { metricsRow } from '../helpers/metrics-row';
import { plainSpaces } from '../helpers/plain-spaces';

const run = (...validated: readonly (number | null)[]) =>
  validated.map((validationSuccess, i) => metricsRow(i + 1, { validationSuccess }));

test.each<[string, readonly (number | null)[], string]>([
  ['rose', [0.14, null, 0.98], 'The agent now solves 98 % of new tasks. After iteration 1 it solved 14 %.'],
  ['fell', [0.5, null, 0.1], 'The agent got worse: it solves 10 % of new tasks. After iteration 1 it solved 50 %.'],
  ['stayed low', [0.12, 0.3, 0.13], 'The agent solves 13 % of new tasks, about as many as after iteration 1.'],
  ['rose by two points', [0.5, 0.52], 'The agent now solves 52 % of new tasks. After iteration 1 it solved 50 %.'],
  [
    'fell by two points',
    [0.52, 0.5],
    'The agent got worse: it solves 50 % of new tasks. After iteration 1 it solved 52 %.',
  ],
  ['was just good', [0.95, 0.96], 'The agent solves 96 % of new tasks, as it did after iteration 1.'],
  ['was just not good', [0.94, 0.95], 'The agent solves 95 % of new tasks, about as many as after iteration 1.'],
  ['was good from the start', [1, null, 1], 'The agent solves 100 % of new tasks, as it did after iteration 1.'],
  ['was validated once', [null, 0.4], 'The agent solves 40 % of new tasks.'],
])('a run whose success %s', (_, validated, sentence) =>
  expect(plainSpaces(outcomeOf(run(...validated))!)).toBe(sentence),
);

test('nothing is said of a run that was never validated', () => expect(outcomeOf(run(null, null))).toBeNull());

test('each idea for the next run changes one thing of the setup', () => {
  const { config } = presetByName('calculator');
  const setup = new Setup();
  setup.adopt(catalogOf('calculator'));
  const newSeed = () => setup.set(['seed'], 77);
  const apply = (name: string) => {
    setup.restoreAll();
    ideasFor(config, newSeed)
      .find((idea) => idea.name.startsWith(name))!
      .apply(setup);
    return setup.config!;
  };
  expect(apply('Another seed').seed).toBe(77);
  expect(apply('Half the').optimizer.learningRate).toBe(config.optimizer.learningRate / 2);
  expect(apply('Algorithm RLOO').algorithm.name).toBe('rloo');
  expect(apply('No copied').warmStart.demonstrations).toBe(0);
  const names = ideasFor(withAlgorithm(config, 'rloo'), newSeed).map(({ name }) => name);
  expect(names[2], 'another one than the run has').toBe('Algorithm GRPO');
  const scratch = { ...config, warmStart: { ...config.warmStart, demonstrations: 0 } };
  expect(ideasFor(scratch, newSeed), 'it copied none').toHaveLength(3);
});
