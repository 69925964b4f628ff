/** `--model`: the folder of a pretrained model as Hugging Face lays it out, of which a run trains an adapter. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ByteSource } from '../lib/byte-source';
import { plainText } from '../lib/plain-text';
import type { Files } from '../lib/stored-tensors';
import type { RunConfig } from '../config/config';
import { openModel, type OpenedModel } from '../config/open-model';
import { missingModel, requireModel } from '../config/pretrained';
import type { TrainerHooks } from '../rl/trainer';

export const modelFlag = {
  kind: 'text',
  help: 'folder of a pretrained Llama, Qwen2 or Qwen3 (config.json, tokenizer.json, safetensors); trains an adapter',
  value: 'DIR',
} as const;

/** Null if no folder is given. @throws a sentence if it holds no model that can be used */
export async function openModelFolder(path: string | undefined): Promise<OpenedModel | null> {
  if (path === undefined) return null;
  return openModel(filesIn(path), resolve(path));
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

function filesIn(path: string): Files {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`--model: there is no folder ${plainText(path, 200)}.`);
  const found = readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    const about = statSync(file, { throwIfNoEntry: false });
    return about?.isFile() ? [[name, fileSource(file, about.size)] as const] : [];
  });
  return new Map(found);
}

function fileSource(path: string, size: number): ByteSource {
  return {
    size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(length);
      const file = openSync(path, 'r');
      try {
        for (let at = 0; at < length;) {
          const read = readSync(file, bytes, at, length - at, offset + at);
          if (read === 0) throw new Error(`${plainText(path, 200)} became shorter while it was read.`);
          at += read;
        }
      } finally {
        closeSync(file);
      }
      return bytes;
    },
  };
}
