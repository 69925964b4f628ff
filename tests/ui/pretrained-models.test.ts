/** A pretrained model in the setup: what choosing it changes, what goes back, and what waits for its files. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forPretrained } from '../../src/config/for-pretrained';
import { groupFields } from '../../src/ui/state/setup/setup-groups';
import { PretrainedModels } from '../../src/ui/state/setup/pretrained-models.svelte';
import { text } from '../../src/ui/state/setup/text';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import type { TrainerClient } from '../../src/ui/trainer/trainer-client';
import type { GivenModel } from '../../src/worker/protocol';
import { presetByName } from '../../src/config/presets';
import { catalogOf } from '../helpers/catalog';

const model: GivenModel = {
  name: 'tiny',
  digest: 'a'.repeat(64),
  context: 2048,
  architecture: 'Qwen3',
  parameters: 17,
  bytes: 34,
  licence: null,
};
const files = { folder: 'tiny', files: new Map<string, Blob>() };
const calculator = presetByName('calculator').config;
const bandit = presetByName('bandit').config;

let setup: Setup;
let models: PretrainedModels;
let asked: (readonly [string, boolean])[];
let answer: () => Promise<GivenModel>;
/** What the trainer calls with the share that it has read. */
let told: (share: number) => void;

const client = {
  api: { plan: async () => ({ parameters: 1, totalBytes: 1, warmStart: 'none', problems: [], notices: [] }) },
  giveModel: async ({ folder }: { folder: string }, wanted: object | null, tell: (share: number) => void) => {
    asked.push([folder, wanted !== null]);
    told = tell;
    tell(0.5);
    return answer();
  },
} as unknown as TrainerClient;

beforeEach(() => {
  asked = [];
  answer = async () => model;
  setup = new Setup();
  setup.adopt(catalogOf('calculator', 'bandit'));
  models = new PretrainedModels(setup, () => client);
});

const paths = () =>
  groupFields(setup.fields)
    .filter(({ name }) => name === 'model')
    .flatMap(({ open, sections }) => [...open, ...sections.flatMap(({ fields }) => fields)].map(({ path }) => path));

describe('a model that is given', () => {
  test('makes of the setup what --model makes of it in a terminal', async () => {
    await models.give(files);
    expect(setup.config).toEqual(forPretrained(calculator, model));
    expect([setup.edited, models.ofSetup, models.isMissing, models.share]).toEqual([false, model, false, null]);
    expect(paths()).toEqual([
      'model.pretrained.rank',
      'model.pretrained.alpha',
      'model.pretrained.targets',
      'model.context',
    ]);
  });

  test('stays with another preset, and with the preset’s own settings', async () => {
    await models.give(files);
    setup.set(['model', 'pretrained', 'rank'], 4);
    expect([setup.edited, setup.isEdited(['model', 'pretrained', 'rank'])]).toEqual([true, true]);
    setup.choosePreset('bandit');
    expect(setup.config).toMatchObject({ environment: bandit.environment, model: { pretrained: { rank: 4 } } });
    expect(setup.config?.optimizer.learningRate).toBe(5e-5);
    setup.restoreAll();
    expect(setup.config?.model.pretrained?.name).toBe('tiny');
  });

  test('gives the setup before it back', async () => {
    setup.set(['seed'], 9);
    const before = setup.config;
    await models.give(files);
    setup.useOwnModel();
    expect(setup.config).toBe(before);
    expect(paths()).toContain('model.layers');
    setup.useModel(models.latest!);
    setup.choosePreset('bandit');
    setup.useOwnModel();
    expect(setup.config).toEqual(bandit);
  });

  test('that is refused leaves the setup, and a sentence', async () => {
    answer = () => Promise.reject(new Error('It is no model.'));
    await models.give(files);
    expect([setup.config, models.refusal, models.share]).toEqual([calculator, 'It is no model.', null]);
    answer = async () => model;
    await models.give(files);
    expect(models.refusal).toBe('');
  });

  test('is read alone: another one waits until it is pressed again, and none is read without a trainer', async () => {
    let come = (_: GivenModel): void => undefined;
    answer = () => new Promise((resolve) => (come = resolve));
    const first = models.give(files);
    await models.give({ ...files, folder: 'other' });
    expect([asked, models.share]).toEqual([[['tiny', false]], 0.5]);
    come(model);
    await first;
    expect([models.latest?.name, models.share]).toEqual(['tiny', null]);
    const without = new PretrainedModels(setup, () => null);
    await without.give(files);
    expect([without.refusal, without.share, asked.length]).toEqual([text.environment.notReady, null, 1]);
  });

  test('is at its end whatever share is still told: progress and answer come through ports of their own', async () => {
    answer = () => Promise.reject(new Error('It is no model.'));
    await models.give(files);
    told(0.9);
    expect(models.share).toBeNull();
  });
});

describe('a setup whose model is not here', () => {
  beforeEach(() => setup.loadLinked('calculator', { ...forPretrained(calculator, model), seed: 5 }));

  test('is compared with its preset for such a model', () => {
    expect([setup.isEdited(['seed']), setup.isEdited(['optimizer', 'learningRate'])]).toEqual([true, false]);
    expect(models.isMissing).toBe(true);
  });

  test('asks for that model, and keeps its settings', async () => {
    const { config } = setup;
    await models.give(files);
    expect(asked).toEqual([['tiny', true]]);
    expect(setup.config).toBe(config);
    expect([models.isMissing, setup.problem]).toEqual([false, null]);
  });

  test('lets a run go on once it is here', async () => {
    const done: string[] = [];
    models.whenHere(calculator, () => done.push('a run of no such model'));
    models.whenHere(setup.config!, () => done.push('a run of it'));
    expect(done).toEqual(['a run of no such model']);
    await models.give(files);
    expect(done).toHaveLength(2);
    models.whenHere(setup.config!, () => done.push('the next'));
    expect(done).toHaveLength(3);
  });
});

test('the next trainer gets the files, and what is known of them', async () => {
  await models.give(files);
  const got: unknown[] = [];
  await models.handOver({
    ...client,
    giveModel: async (given) => {
      got.push(given);
      return model;
    },
  });
  expect(got).toEqual([{ ...files, known: model }]);
});

describe('the model that comes with the page', () => {
  const served = (broken = '') =>
    vi.stubGlobal('fetch', async (url: string) => {
      const path = url.slice(url.indexOf('models/'));
      return path.endsWith(broken || '?')
        ? new Response('', { status: 404 })
        : new Response(readFileSync(`public/${path}`));
    });
  afterEach(() => void vi.unstubAllGlobals());

  test('is given with the settings with which the preset learns', async () => {
    served();
    await models.giveRecorded();
    expect(asked).toEqual([['agentlet-1.3m', false]]);
    expect([models.refusal, models.isFetching]).toEqual(['', false]);
    expect(setup.config).toMatchObject({
      iterations: 8,
      warmStart: { demonstrations: 0, batch: 8 },
      rollout: { tasks: 16, group: 16, maxTurns: calculator.rollout.maxTurns },
      optimizer: { learningRate: 0.002 },
    });
    expect(setup.config).not.toHaveProperty('preset');
  });

  test('changes nothing of a link that names it', async () => {
    served();
    const linked = { ...forPretrained(calculator, { ...model, name: 'agentlet-1.3m' }), iterations: 3 };
    setup.loadLinked('calculator', linked);
    await models.giveRecorded();
    expect(asked).toEqual([['agentlet-1.3m', true]]);
    expect(setup.config).toEqual(linked);
  });

  test('is fetched once, however often it is asked for', async () => {
    served();
    const both = [models.giveRecorded(), models.giveRecorded()];
    expect(models.isFetching).toBe(true);
    await Promise.all(both);
    expect(asked).toHaveLength(1);
  });

  test('says so if it cannot be fetched', async () => {
    served('model.safetensors');
    await models.giveRecorded();
    expect([models.refusal, models.isFetching, asked]).toEqual([text.model.notFetched, false, []]);
  });
});
