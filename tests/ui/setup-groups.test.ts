/** The form reaches every setting, once, and what is meant for teaching says so. */
import { expect, test } from 'vitest';
import { configFields } from '../../src/rl/config/fields';
import { groupFields } from '../../src/ui/setup/setup-groups';
import { text } from '../../src/ui/setup/text';

const fields = configFields();
const groups = groupFields(fields);
const pathsOf = (section: string) =>
  groups.flatMap((group) =>
    group.sections.filter((each) => each.name === section).flatMap((each) => each.fields.map(({ path }) => path)),
  );

test('every field stands in the form exactly once; seed, device and recorded start have controls of their own', () => {
  const paths = groups.flatMap((group) =>
    [...group.open, ...group.sections.flatMap((each) => each.fields)].map(({ path }) => path),
  );
  expect([...paths].sort()).toEqual(
    fields
      .map(({ path }) => path)
      .filter((path) => !['seed', 'device', 'warmStart.recorded'].includes(path))
      .sort(),
  );
});

test('masks stand open; mistakes, critic, filter, process rewards and the reference have headings of their own', () => {
  const algorithm = groups.find(({ name }) => name === 'algorithm')!;
  expect(algorithm.open.map(({ path }) => path)).toEqual([
    'algorithm.name',
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
