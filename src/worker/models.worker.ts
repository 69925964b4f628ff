/**
 * Downloads pretrained models and keeps them in the browser's private file system, apart from the page's thread and
 * from the trainer. It asks the network only when the page orders it to.
 */
import { expose } from 'comlink';
import { parseConfig } from '../config/config';
import { forPretrained } from '../config/for-pretrained';
import { openModel } from '../config/open-model';
import { maxMemoryBytes } from '../device/wasm/linear-memory';
import { assert } from '../lib/assert';
import { hubOf } from '../lib/hub';
import { pretrainedContext } from '../model/families';
import { billLines, modelBill } from '../rl/model-bill';
import { browserStore } from '../run/models/browser-store';
import { bytesOf, findOnHub, type HubModel } from '../run/models/hub';
import { folderOf, keptModel, keptModels, openKept } from '../run/models/kept-models';
import { downloadModel } from '../run/models/model-download';
import { parseRepository } from '../run/models/repository';
import { machineMemoryBytes } from './machine-memory';
import type { ModelsApi } from './models';

const store = browserStore(navigator.storage, navigator.locks);
/** Before the first retry; each one waits twice as long as the one before. */
const firstWaitMs = 500;

let offered: HubModel | null = null;
let abort = new AbortController();

const request = () => {
  const { signal } = (abort = new AbortController());
  const wait = (failures: number) =>
    new Promise<void>((resolve, reject) => {
      setTimeout(resolve, firstWaitMs * 2 ** (failures - 1));
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return { fetch: fetch.bind(globalThis), signal, wait };
};

const api: ModelsApi = {
  async offer(name, config, { kind, ...machine }) {
    const hub = hubOf(import.meta.env.VITE_HUB as string | undefined);
    if (!hub) throw new Error('This build of the page downloads nothing: choose a folder of your own.');
    offered = null;
    const model = await findOnHub(hub.address, parseRepository(name), request());
    const memoryBytes = Math.min(machineMemoryBytes(), kind === 'cpu' ? maxMemoryBytes : Infinity);
    const { name: repository, revision, licence, files } = model;
    const found = { name: repository, revision, digest: '0'.repeat(64), context: pretrainedContext(model.config) };
    const bill = modelBill(parseConfig(forPretrained(config, found)), model.config, memoryBytes);
    offered = model;
    const lines = billLines(bill, { ...machine, memoryBytes });
    return { name: repository, revision, licence, fetchBytes: bytesOf(files), bill: lines };
  },

  async download(onProgress) {
    assert(offered !== null, 'a model is offered before it is downloaded');
    const model = offered;
    const options = request();
    try {
      return await store.alone(folderOf(model), () => downloadModel(model, store, { ...options, onProgress }));
    } catch (error) {
      if (options.signal.aborted) return null;
      throw error;
    }
  },

  async stop() {
    abort.abort();
  },

  kept: () => keptModels(store),

  async files(folder) {
    const kept = await keptModel(store, folder);
    if (!kept?.digest) throw new Error('This model is not whole: download it again to go on.');
    const { name, revision, licence, digest } = kept;
    const { files: sources, ...facts } = await openModel(await openKept(store, kept), name, {
      digest: async () => digest,
    });
    const blobs = await Promise.all(
      [...sources.keys()].map(async (file) => [file, (await store.blob(folder, file))!] as const),
    );
    return { folder: name, files: new Map(blobs), known: { ...facts, name, revision, licence } };
  },

  remove: (folder) => store.alone(folder, () => store.remove(folder)),
};

expose(api);
