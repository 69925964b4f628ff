/**
 * `--model`: a pretrained model of which a run trains an adapter. It is given by its folder, as Hugging Face lays it
 * out, or by the name under which it was downloaded or comes with a clone.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { plainText } from '../lib/plain-text';
import { recordedModel } from '../lib/recorded-model';
import type { Files } from '../lib/stored-tensors';
import type { RunConfig } from '../config/config';
import { openModel, type OpenedModel } from '../config/open-model';
import { missingModel, requireModel } from '../config/pretrained';
import type { TrainerHooks } from '../rl/trainer';
import { findKept, type KeptModel } from '../run/models/kept-models';
import { repositoryIn } from '../run/models/repository';
import { digestOfFolder, modelsFolder } from './models/cache';
import { directoryStore } from './models/directory-store';
import { fileSource } from './models/file-source';
import { commandLine, recordedModelFolder } from './place';

export const modelFlag = {
  kind: 'text',
  help:
    'a pretrained Llama, Qwen2 or Qwen3 to train an adapter of: its folder, owner/name once it was downloaded, or ' +
    `${recordedModel.name}, which comes with a clone`,
  value: 'DIR',
} as const;

/** Null if none is given. @throws a sentence if it is no model that can be used */
export async function openModelFolder(given: string | undefined): Promise<OpenedModel | null> {
  if (given === undefined) return null;
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const folder = isFolder ? given : recordedModelFolder(given);
  const kept = folder === null ? await findDownloaded(given) : null;
  const path = folder ?? join(modelsFolder(), kept!.folder);
  const digest = (files: Files) => digestOfFolder(path, files);
  const model = await openModel(filesIn(path), resolve(path), { digest });
  if (!kept) return model;
  const { name, revision, licence } = kept;
  return { ...model, name, revision, licence };
}

/** The model that a saved run needs. @throws a sentence if it needs one and has none, or another is given */
export async function modelOfRun(config: RunConfig, path: string | undefined): Promise<OpenedModel | null> {
  const { pretrained } = config.model;
  if (pretrained && path === undefined) throw new Error(missingModel(pretrained));
  const model = await openModelFolder(path);
  if (model) requireModel(config, model);
  return model;
}

/** What a trainer asks for the files of its config's model. */
export const modelHooks = (model: OpenedModel | null): Pick<TrainerHooks, 'openModel'> =>
  model ? { openModel: async () => model.files } : {};

async function findDownloaded(given: string): Promise<KeptModel> {
  const repository = repositoryIn(given);
  if (!repository) throw new Error(`--model: there is no folder ${plainText(given, 200)}.`);
  const kept = await findKept(directoryStore(modelsFolder()), repository);
  if (kept) return kept;
  throw new Error(
    `--model: there is no folder ${given}, and no model of that name was downloaded: ` +
      `${commandLine('download', [given])} fetches it.`,
  );
}

/** The files of a folder by their names. */
function filesIn(path: string): Files {
  const found = readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    const about = statSync(file, { throwIfNoEntry: false });
    return about?.isFile() ? [[name, fileSource(file, about.size)] as const] : [];
  });
  return new Map(found);
}
