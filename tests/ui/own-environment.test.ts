/** The visitor's own environment in the page: its place in the setup. */
import { describe, expect, it } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { configFields } from '../../src/config/fields';
import { inEnvironment } from '../../src/config/in-environment';
import { presetByName } from '../../src/config/presets';
import { customEnvironment } from '../../src/ui/state/setup/custom-environment';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import type { Catalog, PresetInfo } from '../../src/config/catalog';
import type { EnvironmentDescription } from '../../src/agent/env';
import { calculatorDescription } from '../agent/plain-sandbox';

const preset: PresetInfo = { ...presetByName('calculator'), environment: calculatorDescription };
const shop: EnvironmentDescription = {
  ...calculatorDescription,
  title: 'Shop',
  rewards: { sold: { description: 'Sold.', weight: 1 }, asked: { description: 'Asked.', weight: 0.1 } },
  options: [{ name: 'shelves', title: 'Shelves', description: 'How many.', values: [2, 4], default: 4 }],
};
const source = 'export const meta = {};';
/** Settings with the code in them. */
const own = (settings: RunConfig): RunConfig => ({ ...settings, environment: { name: 'own', options: {}, source } });

function newSetup(): Setup {
  const setup = new Setup();
  const fields = {
    fields: configFields(),
    algorithms: {} as Catalog['algorithms'],
    aboutAlgorithms: {} as Catalog['aboutAlgorithms'],
  };
  setup.adopt({
    engineVersion: '1',
    presets: [preset],
    modelPresets: [],
    ...fields,
  });
  return setup;
}

describe('an own environment in the setup', () => {
  const config = inEnvironment(own(preset.config), shop);

  it('has its own terms and options, under the settings at hand', () => {
    expect(config).toEqual({
      ...preset.config,
      environment: { name: 'own', options: { shelves: 4 }, source },
      rewards: { sold: 1, asked: 0.1 },
    });
  });

  it('keeps what was set for it before, as far as it still exists', () => {
    const before = { environment: { name: 'own', options: { shelves: 2, gone: 1 } }, rewards: { asked: 0.5, gone: 1 } };
    const again = inEnvironment(own(preset.config), shop, before);
    expect(again.environment.options).toEqual({ shelves: 2 });
    expect(again.rewards).toEqual({ sold: 1, asked: 0.5 });
    expect(
      inEnvironment(own(preset.config), shop, { ...before, environment: { name: 'own', options: { shelves: 3 } } })
        .environment.options,
    ).toEqual({
      shelves: 4,
    });
  });

  it('starts with the limits that it proposes, but for those that a person has changed', () => {
    const needy = { ...shop, limits: { turns: 7, context: 256 } };
    const { config: standard } = preset;
    const limitsIn = ({ model, rollout }: RunConfig) => [rollout.maxTurns, model.context, rollout.maxTokens];
    expect(limitsIn(inEnvironment(own(standard), needy))).toEqual([7, 256, standard.rollout.maxTokens]);
    const edited = { ...standard, rollout: { ...standard.rollout, maxTurns: 5 } };
    expect(limitsIn(inEnvironment(own(edited), needy, null, standard))).toEqual([5, 256, edited.rollout.maxTokens]);
    expect(limitsIn(inEnvironment(own(edited), needy))).toEqual([7, 256, edited.rollout.maxTokens]);
  });

  it('stands among the presets, and can be left and chosen again', () => {
    const setup = newSetup();
    setup.load(customEnvironment('own', config, shop), config);
    expect(setup.offered.map(({ title }) => title)).toEqual([preset.title, 'Your own: Shop']);
    setup.choosePreset('calculator');
    expect(setup.config).toBe(preset.config);
    setup.choosePreset('own');
    expect(setup.config).toBe(config);
    expect(setup.edited).toBe(false);
  });

  it('from a link is known by its config until its code has run', () => {
    const setup = newSetup();
    setup.loadLinked('calculator', config);
    expect(setup.preset!.title).toBe('From a link');
    expect(Object.keys(setup.preset!.environment.rewards)).toEqual(['sold', 'asked']);
    expect(setup.preset!.environment.options.map(({ name, values }) => [name, values])).toEqual([['shelves', [4]]]);
    setup.describe('another', { ...shop, title: 'Another' });
    setup.describe(source, shop);
    expect(setup.preset!.title).toBe('From a link: Shop');
    expect(setup.preset!.environment.options[0].values).toEqual([2, 4]);
    expect(setup.config).toBe(config);
  });
});
