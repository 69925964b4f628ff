/** The form reaches every setting, once, and what is meant for teaching says so. */
import { expect, test } from 'vitest';
import { aboutAlgorithms, algorithmNames } from '../../src/algorithms/table';
import { configFields } from '../../src/config/fields';
import { firstFields, groupAlgorithms, groupFields } from '../../src/ui/state/setup/setup-groups';
import { text } from '../../src/ui/state/setup/text';

const fields = configFields();
const groups = groupFields(fields);
const pathsOf = (section: string) =>
  groups.flatMap((group) =>
    group.sections.filter((each) => each.name === section).flatMap((each) => each.fields.map(({ path }) => path)),
  );

test('every field stands in the form exactly once; device and recorded start have controls of their own', () => {
  const folded = groups.flatMap((group) =>
    [...group.open, ...group.sections.flatMap((each) => each.fields)].map(({ path }) => path),
  );
  const paths = [...firstFields, ...folded];
  expect([...paths].sort()).toEqual(
    fields
      .map(({ path }) => path)
      .filter((path) => !['device', 'warmStart.recorded'].includes(path))
      .sort(),
  );
});

test('masks stand open; mistakes, critic, filter, process rewards and the reference have headings of their own', () => {
  const algorithm = groups.find(({ name }) => name === 'algorithm')!;
  expect(algorithm.open.map(({ path }) => path)).toEqual([
    'algorithm.klCoefficient',
    'algorithm.lossMask',
    'algorithm.advantageMask',
  ]);
  expect(algorithm.sections.map(({ name }) => text.sections[name])).toEqual([
    'Advanced',
    'KL to the reference policy',
    'Critic',
    'Process rewards and penalties',
    'Rollout filter',
    'Mistakes, for teaching',
  ]);
  expect(pathsOf('mistakes')).toEqual(['mistakes.creditReset', 'mistakes.rewardOnToolToken', 'mistakes.wrongGroups']);
  expect(pathsOf('kl')).toEqual([
    'algorithm.klPlace',
    'algorithm.klEstimator',
    'algorithm.klTarget',
    'algorithm.klHorizon',
  ]);
});

test('every algorithm is offered once, by its title, under the kind of its estimator', () => {
  const offered = groupAlgorithms(aboutAlgorithms());
  expect(offered.map(({ title }) => title)).toEqual(['Compared within a group', 'REINFORCE family', 'With a critic']);
  expect(offered[1].choices.map(({ title }) => title)).toEqual(['ReMax', 'REINFORCE', 'REINFORCE++']);
  const values = offered.flatMap(({ choices }) => choices.map(({ value }) => value));
  expect(values.sort()).toEqual(algorithmNames().sort());
});
