/** Whose code the setup has, and what is halved where memory is short. */
import { expect, onTestFinished, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { draft } from '../../src/ui/state/setup/draft.svelte';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { catalogOf } from '../helpers/catalog';

const { config } = presetByName('calculator-mini');
const withCode = (source: string) => ({ ...config, environment: { ...config.environment, name: 'own', source } });

function newSetup(): Setup {
  const setup = new Setup();
  setup.adopt(catalogOf('calculator-mini'));
  return setup;
}

test('code is the visitor’s own if it is what the editor holds, and only then', () => {
  const { text } = draft;
  onTestFinished(() => void (draft.text = text));
  draft.text = 'export const mine = 1;';
  const setup = newSetup();
  setup.loadLinked('', withCode('export const theirs = 1;'));
  expect([setup.custom?.name, setup.isOwn('export const theirs = 1;')]).toEqual(['link', false]);
  setup.loadLike(withCode('export const theirs = 1;'));
  expect(setup.custom?.name).toBe('saved');
  setup.loadLinked('', withCode(draft.text));
  expect([setup.custom?.name, setup.isOwn(draft.text), setup.isOwn('other')]).toEqual(['own', true, false]);
});

test('half a batch is half the tasks, then half the group, and never less than one', () => {
  const setup = newSetup();
  const sizes = () => [setup.config?.rollout.tasks, setup.config?.rollout.group, setup.config?.warmStart.batch];
  setup.set(['rollout', 'tasks'], 3);
  setup.set(['rollout', 'group'], 4);
  setup.set(['warmStart', 'batch'], 5);
  const seen = [1, 2, 3, 4].map(() => {
    setup.halveBatch();
    return sizes();
  });
  expect(seen).toEqual([
    [1, 4, 2],
    [1, 2, 1],
    [1, 1, 1],
    [1, 1, 1],
  ]);
});
