/** A run's adapter merged into its pretrained model: a folder as Hugging Face lays one out, which others load. */
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadCheckpointWeights, readCheckpointHead } from '../../rl/checkpoint';
import { prepareRun } from '../../rl/rollouts/setup';
import { ParameterStore } from '../../model/parameters';
import { textFiles } from '../../text/pretrained/pretrained-text';
import { openDevice, openSandbox } from '../engine';
import { openHostTools } from '../host-tools/tools';
import { modelOfRun } from '../model-folder';
import { readCheckpointFile, requireCheckpointPath } from '../read-file';
import { makeFolder } from '../safe-files';

/** @param run its folder or checkpoint @param out a folder that does not exist @throws a sentence if it has no model */
export async function writeMerged(run: string, modelFolder: string | undefined, out: string): Promise<void> {
  const path = requireCheckpointPath(run);
  const file = readCheckpointFile(path);
  const { config, source } = readCheckpointHead(file);
  const folder = await modelOfRun(config, modelFolder);
  if (!folder) throw new Error('--to model is for a run of a pretrained model, and this one has none.');
  const { files } = folder;
  const sandbox = await openSandbox(await openHostTools(undefined, dirname(path)));
  const { model } = await prepareRun(config, source, sandbox, async () => files);
  const device = await openDevice('cpu');
  try {
    const store = new ParameterStore(device, model.specs);
    await model.loadBase!(device, store);
    loadCheckpointWeights(store, model.tokenizer, file);
    makeFolder(out);
    const { config: json, weights } = await model.merged!(device, store, 'F16');
    writeFileSync(join(out, 'config.json'), json);
    for (const name of textFiles) {
      const copied = files.get(name);
      if (copied) writeFileSync(join(out, name), await copied.read(0, copied.size));
    }
    await writePieces(join(out, 'model.safetensors'), weights);
  } catch (error) {
    rmSync(out, { recursive: true, force: true });
    throw error;
  } finally {
    device.destroy();
  }
}

async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = openSync(path, 'wx');
  try {
    for await (const piece of pieces) for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
  } finally {
    closeSync(file);
  }
}
