/**
 * `download <owner/name>`: fetches a pretrained model from a hub into a folder of the user, from where `--model` takes
 * it. Without a name it lists what is there. Nothing else here asks the network.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatBytes } from '../lib/amounts';
import { standardHub } from '../lib/hub';
import { parseConfig } from '../config/config';
import { forPretrained } from '../config/for-pretrained';
import { presetByName, presets } from '../config/presets';
import { pretrainedContext } from '../model/families';
import { bytesOf, findOnHub } from '../run/models/hub';
import { folderOf, keptModels, type FileStore, type KeptModel } from '../run/models/kept-models';
import { downloadModel, type ModelProgress } from '../run/models/model-download';
import { parseRepository, type Repository } from '../run/models/repository';
import type { RequestOptions } from '../run/models/request';
import { parseCommand, type CommandSpec } from './args';
import { FolderLock } from './folder-lock';
import { sayBill } from './models/bill';
import { modelsFolder } from './models/cache';
import { directoryStore } from './models/directory-store';
import { commandLine } from './place';
import { ProgressBar } from './progress';
import { makeFolder } from './safe-files';
import { print, say } from './terminal';

const flags = {
  hub: { kind: 'text', help: `address of the hub (default: ${standardHub})`, value: 'URL' },
  bill: { kind: 'flag', help: 'only say what it would cost: bytes, memory, time, licence' },
  preset: { kind: 'text', help: `preset that the bill is of (default: ${presets[0].name})`, value: 'NAME' },
  delete: { kind: 'flag', help: 'delete what was downloaded of this model' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'download',
  positionals: '[owner/name[@revision]]',
  count: { min: 0, max: 1 },
  flags,
  more: () => `Models are kept in ${modelsFolder()}. Without a name they are listed.`,
};

/** Before the first retry; each one waits twice as long as the one before. */
const firstWaitMs = 500;

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { hub = standardHub, preset, bill, delete: isUnwanted } = parsed.flags;
  const store = directoryStore(modelsFolder());
  const [given] = parsed.positionals;
  if (given === undefined) return list(await keptModels(store));
  const repository = parseRepository(given);
  if (isUnwanted) return remove(store, repository);
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  process.once('SIGINT', interrupt);
  try {
    await fetchModel(store, repository, { hub, preset, billOnly: bill, signal: abort.signal });
    return 0;
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    say('\nStopped. What has come is kept: the same command goes on from there.\n');
    return 130;
  } finally {
    process.off('SIGINT', interrupt);
  }
}

interface Wish {
  readonly hub: string;
  readonly preset: string | undefined;
  readonly billOnly: boolean;
  readonly signal: AbortSignal;
}

async function fetchModel(
  store: FileStore,
  repository: Repository,
  { hub, preset, billOnly, signal }: Wish,
): Promise<void> {
  const wait = (failures: number) => sleep(firstWaitMs * 2 ** (failures - 1), undefined, { signal });
  const request: RequestOptions = { fetch, signal, wait };
  const model = await findOnHub(hub, repository, request);
  const { name, revision, licence } = model;
  say(`${name} at ${revision}\n`);
  const found = { name, revision, digest: '0'.repeat(64), context: pretrainedContext(model.config) };
  const config = parseConfig(forPretrained(presetByName(preset ?? presets[0].name).config, found));
  await sayBill(config, model.config, licence, bytesOf(model.files));
  if (billOnly) return;
  const path = join(modelsFolder(), folderOf(model));
  makeFolder(path);
  const lock = FolderLock.take(path);
  try {
    const bar = new ProgressBar('Download, MB', megabytes(bytesOf(model.files)));
    const onProgress = ({ doneBytes, file }: ModelProgress) => bar.update(megabytes(doneBytes), file);
    await downloadModel(model, store, { ...request, onProgress });
    bar.end();
  } finally {
    lock.release();
  }
  say(`It is in ${path}. Train it: ${commandLine('train', ['calculator', '--model', name])}\n`);
}

/** Rounded up, so that a bar never has a length of 0. */
const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

function list(models: readonly KeptModel[]): number {
  const state = ({ digest }: KeptModel) => (digest === null ? ', not whole: download it again to go on' : '');
  for (const model of models)
    print(
      `${model.name} at ${model.revision}: ${formatBytes(model.keptBytes)}, licence ${model.licence ?? 'unknown'}` +
        `${state(model)}\n`,
    );
  if (models.length === 0) say(`No model is kept in ${modelsFolder()}.\n`);
  return 0;
}

async function remove(store: FileStore, { name, revision }: Repository): Promise<number> {
  const models = await keptModels(store);
  const meant = models.filter(
    (model) => model.name === name && (revision === null || [model.asked, model.revision].includes(revision)),
  );
  if (meant.length === 0) throw new Error(`No model ${name} is kept in ${modelsFolder()}.`);
  for (const { folder, revision: commit } of meant) {
    const lock = FolderLock.take(join(modelsFolder(), folder));
    await store.remove(folder);
    lock.release();
    say(`Deleted ${name} at ${commit}.\n`);
  }
  return 0;
}
