/**
 * Milliseconds to draw a token for each of 16 rows of logits, by vocabulary, without and with truncation. A token that
 * the truncation excludes throws.
 */
import { Commands, readTensor } from '../../device/commands';
import type { Device } from '../../device/device';
import { Struct } from '../../device/struct';
import { Tape } from '../../device/tape';
import { writeTensor } from '../../device/tensor';
import { drawGrid } from '../../ops/softmax-lanes';
import { median } from '../../lib/median';
import { drawLanes } from '../../model/sampler';

export interface DrawTimes {
  readonly vocabulary: number;
  readonly fullMs: number;
  readonly topKMs: number;
  readonly topPMs: number;
}

const vocabularies = [512, 8192, 152_000];
const [rowCount, repeats] = [16, 5];
const [topK, topP] = [50, 0.9];

export async function benchDraw(device: Device): Promise<DrawTimes[]> {
  const all: DrawTimes[] = [];
  for (const vocabulary of vocabularies) {
    const logits = Float32Array.from({ length: vocabulary }, (_, v) => 6 * Math.sin(v * v));
    const timed = (k: number, p: number) => drawMs(device, logits, k, p);
    all.push({
      vocabulary,
      fullMs: await timed(0, 1),
      topKMs: await timed(topK, 1),
      topPMs: await timed(0, topP),
    });
  }
  return all;
}

async function drawMs(device: Device, logits: Float32Array<ArrayBuffer>, k: number, p: number): Promise<number> {
  const [R, V, CHUNK, LANES] = [rowCount, logits.length, 1 + repeats, drawLanes(device, logits.length)];
  const tape = new Tape(device, false);
  const words = (name: string, shape: number[], numbers: number[]) => {
    const tensor = tape.constant(name, shape, 'u32');
    writeTensor(device, tensor, Uint32Array.from(numbers));
    return tensor;
  };
  const each = Array.from({ length: R }, (_, row) => row);
  const rows = words(
    'rows',
    [R, 2],
    each.flatMap((row) => [row, 0]),
  );
  const progress = words(
    'progress',
    [R, 2],
    each.flatMap(() => [CHUNK, 0]),
  );
  const [feed, drawn] = [words('feed', [R], each), words('drawn', [R, CHUNK, 4], [])];
  const all = tape.constant('logits', [R, V]);
  writeTensor(
    device,
    all,
    Float32Array.from({ length: R * V }, (_, i) => logits[i % V]),
  );
  const sampling = {
    inverseTemperature: 1,
    topP: p,
    topK: k,
    greedy: 0,
    seed: 3,
    iteration: 1,
    stopCount: 0,
    stops: 0,
  };
  const settings = tape.uniform('settings', new Struct('sample', 'Settings').pack(sampling));
  const bindings = { logits: all, feed, rows, progress, drawn, settings };
  tape.dispatch('sample', 'forward', { R, V, CHUNK, LANES }, bindings, drawGrid(R, LANES));
  const plan = tape.seal();
  await device.compiled();
  const milliseconds: number[] = [];
  for (let i = 0; i < CHUNK; i++) {
    const start = performance.now();
    new Commands(device).run(plan.forward).submit();
    await device.idle();
    milliseconds.push(performance.now() - start);
  }
  const tokens = new Uint32Array((await readTensor(device, drawn)).buffer).filter((_, i) => i % 4 === 0);
  plan.destroy();
  for (const token of tokens) checkToken(logits, token, k, p);
  return median(milliseconds.slice(1));
}

function checkToken(logits: Float32Array, token: number, k: number, p: number): void {
  const ahead = logits.filter((logit) => logit > logits[token]);
  const mass = (some: Float32Array) => some.reduce((sum, logit) => sum + Math.exp(logit), 0);
  if ((k > 0 && ahead.length >= k) || mass(ahead) > (p + 1e-3) * mass(logits))
    throw new Error(`Of ${logits.length} tokens with top-k ${k} and top-p ${p}, token ${token} was drawn.`);
}
