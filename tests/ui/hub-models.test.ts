/** Models of a hub on the page: an offer, its download and what is kept, as their worker answers. */
import { beforeEach, expect, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { recordedModel } from '../../src/lib/recorded-model';
import { standardAdapter } from '../../src/model/adapter';
import type { KeptModel } from '../../src/run/models/kept-models';
import type { ModelProgress } from '../../src/run/models/model-download';
import { HubModels } from '../../src/ui/state/setup/hub-models.svelte';
import type { ModelOffer } from '../../src/worker/models';
import type { GivenFiles } from '../../src/worker/protocol';

const kept = { name: 'a/b', folder: 'a--b--1', digest: 'd', keptBytes: 5 } as unknown as KeptModel;
const offer: ModelOffer = { name: 'a/b', revision: '1', licence: null, fetchBytes: 5, bill: [] };
const { config } = presetByName('calculator');
const machine = async () => ({ name: 'CPU', kind: 'cpu', gflops: 1 }) as const;

let given: GivenFiles[];
let stored: KeptModel[];
let opened: number;
let recorded: number;
let download: (tell: (progress: ModelProgress) => void) => Promise<KeptModel | null>;
let hub: HubModels;

beforeEach(() => {
  given = [];
  stored = [];
  opened = 0;
  download = async () => {
    stored = [kept];
    return kept;
  };
  const api = {
    offer: async (name: string) => ({ ...offer, name }),
    download: (tell: (progress: ModelProgress) => void) => download(tell),
    stop: async () => undefined,
    kept: async () => stored,
    files: async (folder: string) => ({ folder, files: new Map() }),
    remove: async () => void (stored = []),
  };
  recorded = 0;
  const models = {
    give: async (files: GivenFiles) => void given.push(files),
    giveRecorded: async () => void recorded++,
  };
  hub = new HubModels(models, () => {
    opened++;
    return api as unknown as ReturnType<ConstructorParameters<typeof HubModels>[1] & object>;
  });
});

test('no worker is started before something is asked of it, and one answers everything', async () => {
  expect(opened).toBe(0);
  await hub.refresh();
  await hub.ask('a/b', config, machine);
  expect([opened, hub.offer?.name]).toEqual([1, 'a/b']);
});

test('a download tells how far it is, and its model is used', async () => {
  await hub.ask('a/b', config, machine);
  const seen: (number | undefined)[] = [];
  download = async (tell) => {
    seen.push(hub.progress?.doneBytes);
    tell({ doneBytes: 3, totalBytes: 5, file: 'model.safetensors' });
    seen.push(hub.progress?.doneBytes);
    stored = [kept];
    return kept;
  };
  await hub.download();
  expect(seen).toEqual([0, 3]);
  expect([hub.progress, hub.offer, hub.kept.length]).toEqual([null, null, 1]);
  expect(given.map(({ folder }) => folder)).toEqual([kept.folder]);
});

test('a download is at its end whatever progress is still told', async () => {
  await hub.ask('a/b', config, machine);
  let told: (progress: ModelProgress) => void;
  download = async (tell) => {
    told = tell;
    return null;
  };
  await hub.download();
  told!({ doneBytes: 3, totalBytes: 5, file: 'model.safetensors' });
  expect(hub.progress).toBeNull();
});

test('one that is stopped leaves its offer, and what has come is listed', async () => {
  await hub.ask('a/b', config, machine);
  download = async () => {
    stored = [{ ...kept, digest: null }];
    return null;
  };
  await hub.download();
  expect(given).toEqual([]);
  expect([hub.offer?.name, hub.kept[0].digest, hub.problem, hub.isBusy]).toEqual(['a/b', null, '', false]);
});

test('what goes wrong is said until the next order', async () => {
  await hub.ask('a/b', config, async () => Promise.reject(new Error('There is no trainer.')));
  expect([hub.problem, hub.offer, hub.isBusy]).toEqual(['There is no trainer.', null, false]);
  await hub.ask('a/b', config, machine);
  expect(hub.problem).toBe('');
});

test('a model that a link names is used if it is kept, and deleted when that is ordered', async () => {
  const find = (digest: string) => hub.find({ ...standardAdapter, name: 'a/b', digest });
  await find('d');
  expect(given).toEqual([]);
  stored = [kept];
  await find('other');
  expect(given).toEqual([]);
  await find('d');
  expect(given).toHaveLength(1);
  await hub.remove(kept);
  expect(hub.kept).toEqual([]);
});

test('one that comes with the page is fetched, and no worker is asked', async () => {
  await hub.find({ ...standardAdapter, name: recordedModel.name, digest: 'd' });
  expect([recorded, opened]).toEqual([1, 0]);
});
