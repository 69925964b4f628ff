/** The check of the visitor's own environment: what it finds, whether that is of the present text, and its adoption. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReportLine } from '../../src/environment-check/report';
import type { RunConfig } from '../../src/config/config';
import { withoutRows, withRows } from '../../src/config/rows';
import { draft } from '../../src/ui/state/setup/draft.svelte';
import { OwnEnvironment } from '../../src/ui/state/setup/own-environment.svelte';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { text } from '../../src/ui/state/setup/text';
import type { TrainerClient } from '../../src/ui/trainer/trainer-client';
import { calculatorDescription } from '../agent/plain-sandbox';
import { catalogOf } from '../helpers/catalog';

const good: ReportLine = { kind: 'good', text: 'It fits.' };
const problem: ReportLine = { kind: 'problem', text: 'It takes 9 turns.' };
const description = { ...calculatorDescription, title: 'Mine', limits: { turns: 7 } };
const rows = { name: 'data.jsonl', text: '{"a":1}\n' };

let setup: Setup;
let own: OwnEnvironment;
let lines: readonly ReportLine[];
let api: { describeEnvironment: ReturnType<typeof vi.fn>; checkEnvironment: ReturnType<typeof vi.fn> } | null;

beforeEach(() => {
  setup = new Setup();
  setup.adopt(catalogOf('calculator', 'bandit'));
  lines = [good];
  api = {
    describeEnvironment: vi.fn(async (_source: string) => description),
    checkEnvironment: vi.fn(async (_config: RunConfig) => ({ lines, title: 'Mine' })),
  };
  draft.text = 'export const meta = {};';
  own = new OwnEnvironment(setup, () => (api ? ({ api } as unknown as TrainerClient) : null));
});

// Files share the draft.
afterEach(() => void (draft.text = ''));

const checkedConfig = () => api!.checkEnvironment.mock.lastCall![0] as RunConfig;
const found = () => own.checked!.lines.map((line) => line.text);

describe('a check', () => {
  test('is of the text and the settings at hand, and of no other', async () => {
    expect([own.isCurrent, own.hasProblems, own.mayInsist]).toEqual([false, false, false]);
    await own.check();
    expect([own.isCurrent, own.hasProblems, own.mayInsist]).toEqual([true, false, false]);
    draft.text += ' ';
    expect(own.isCurrent).toBe(false);
    await own.check();
    setup.set(['seed'], 5);
    expect(own.isCurrent).toBe(false);
    await own.check();
    own.rows = rows;
    expect(own.isCurrent).toBe(false);
    await own.check();
    expect(own.isCurrent).toBe(true);
  });

  test('takes the settings of the setup, and the module’s limits where no person set others', async () => {
    await own.check();
    expect(checkedConfig()).toMatchObject({
      environment: { name: 'own', source: draft.text },
      rollout: { maxTurns: 7 },
    });
    expect(checkedConfig().environment.rows).toBeUndefined();
    setup.set(['rollout', 'maxTurns'], 5);
    await own.check();
    expect(checkedConfig().rollout.maxTurns).toBe(5);
  });

  test('takes those of a preset that was chosen', async () => {
    own.settingsOf = setup.catalog!.presets.find(({ name }) => name === 'bandit')!;
    await own.check();
    expect(checkedConfig().model).toEqual({ ...own.settingsOf.config.model });
    expect(checkedConfig().iterations).toBe(own.settingsOf.config.iterations);
  });

  test('has the rows beside the module', async () => {
    own.rows = rows;
    await own.check();
    expect(checkedConfig().environment.rows).toBe(rows.text);
  });

  test('without a finding says that the module was loaded', async () => {
    lines = [];
    await own.check();
    expect(found()).toEqual([text.environment.loaded('Mine')]);
  });

  test('runs once at a time', async () => {
    const first = own.check();
    expect(own.checking).toBe(true);
    await own.check();
    expect(api!.describeEnvironment).toHaveBeenCalledTimes(1);
    await first;
    expect(own.checking).toBe(false);
  });

  test('of no text, without a trainer, and of a module that cannot be loaded is a problem', async () => {
    api!.describeEnvironment.mockRejectedValueOnce(new Error('SyntaxError'));
    await own.check();
    expect([found(), own.hasProblems, own.mayInsist]).toEqual([['SyntaxError'], true, false]);
    expect(await own.adopt()).toBe(false);
    draft.text = '  \n';
    await own.check();
    expect(found()).toEqual([text.environment.empty]);
    draft.text = 'x';
    api = null;
    await own.check();
    expect(found()).toEqual([text.environment.notReady]);
  });
});

describe('adoption', () => {
  test('checks first, and puts the module into the setup', async () => {
    own.settingsOf = setup.catalog!.presets[1];
    expect(await own.adopt()).toBe(true);
    expect(api!.checkEnvironment).toHaveBeenCalledOnce();
    expect(setup.config).toEqual(checkedConfig());
    expect(setup.isOwn(draft.text)).toBe(true);
    expect(own.settingsOf).toBeNull();
    expect(own.isCurrent, 'the setup has what was checked').toBe(true);
    expect(await own.adopt()).toBe(true);
    expect(api!.checkEnvironment, 'which needs no other check').toHaveBeenCalledOnce();
  });

  test('comes after a look at the problems', async () => {
    lines = [good, problem];
    const before = setup.config;
    expect(await own.adopt()).toBe(false);
    expect([setup.config, own.mayInsist]).toEqual([before, true]);
    expect(await own.adopt()).toBe(true);
    expect(setup.config!.environment.source).toBe(draft.text);
  });

  test('does not take a text that was changed during the check', async () => {
    const adopting = own.adopt();
    draft.text = 'another';
    expect(await adopting).toBe(false);
    expect(setup.config!.environment.source).toBeUndefined();
  });

  test('keeps weights and options of the module that the setup has, and not those of another world', async () => {
    const name = Object.keys(description.rewards)[0];
    setup.set(['rewards', name], 5);
    await own.adopt();
    expect(setup.config!.rewards[name]).toBe(description.rewards[name].weight);
    setup.set(['rewards', name], 5);
    await own.adopt();
    expect(setup.config!.rewards[name]).toBe(5);
  });
});

describe('rows of the setup', () => {
  const withData = async () => {
    await own.adopt();
    const config = await withRows(setup.config!, rows.text);
    setup.supply(config);
    return config;
  };

  test('are taken into the editor where they are of its module, once', async () => {
    own.takeRows();
    expect(own.rows).toBeNull();
    await withData();
    own.takeRows();
    expect(own.rows).toEqual({ name: text.rows.inSetup, text: rows.text });
    const taken = own.rows;
    own.takeRows();
    expect(own.rows).toBe(taken);
    own.rows = null;
    draft.text += '// another';
    own.takeRows();
    expect(own.rows).toBeNull();
  });

  test('that are only named stay named, and the file that holds them supplies them', async () => {
    const named = await withoutRows(await withData());
    setup.load(setup.preset!, named);
    await own.check();
    expect(checkedConfig().environment).toMatchObject({ rowsDigest: named.environment.rowsDigest });
    await expect(own.supplyRows({ name: 'b.jsonl', text: '{"b":2}\n' })).rejects.toThrow('b.jsonl');
    const supplied = await own.supplyRows(rows);
    expect(supplied!.environment.rows).toBe(rows.text);
    expect(setup.config).toEqual(supplied);
  });

  test('that come too late for the setup are not put into it', async () => {
    const named = await withoutRows(await withData());
    setup.load(setup.preset!, named);
    const supplying = own.supplyRows(rows);
    setup.load(setup.preset!, { ...named, seed: 9 });
    expect(await supplying).toBeNull();
    expect(setup.config!.seed).toBe(9);
    setup.config = null;
    await expect(own.supplyRows(rows)).rejects.toThrow(text.environment.notReady);
  });
});

test('the description of a run’s module is learned where it has one', async () => {
  await own.learn(setup.config!);
  expect(api!.describeEnvironment).not.toHaveBeenCalled();
  const source = 'export const other = 1;';
  const config: RunConfig = { ...setup.config!, environment: { name: 'own', options: {}, source } };
  setup.loadLike(config);
  const describes = vi.spyOn(setup, 'describe');
  await own.learn(config);
  expect(describes).toHaveBeenCalledWith(source, description);
  api!.describeEnvironment.mockRejectedValueOnce(new Error('gone'));
  await own.learn(config);
  expect(describes).toHaveBeenCalledTimes(1);
});
