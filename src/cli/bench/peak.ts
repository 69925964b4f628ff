/**
 * Matrix products of the CPU device as a share of what one core can do: additions and multiplications of registers
 * alone, without fused multiply-add. Both are timed in turn, so that a busy machine slows both.
 */
import { Commands } from '../../device/commands';
import { Tape } from '../../device/tape';
import { writeTensor } from '../../device/tensor';
import { WasmDevice } from '../../device/wasm/wasm-device';
import { packHalves } from '../../lib/half';
import { median } from '../../lib/median';
import { matmul } from '../../ops/matmul';
import { compileScript } from '../build/cpu-kernels-plugin.js';

type Layout = 'NN' | 'NT' | 'TN';

/**
 * [M, N, K] of a model's forward pass, of both its gradients, and of decoding 16 rows; then, with weights in half
 * precision, of a layer of SmolLM2-135M: forward, the gradient of its input, and decoding.
 */
const shapes: readonly (readonly [number, number, number, Layout, 'f16'?])[] = [
  [1024, 192, 64, 'NT'],
  [1024, 512, 128, 'NT'],
  [1024, 64, 192, 'NN'],
  [1024, 128, 512, 'NN'],
  [192, 64, 1024, 'TN'],
  [512, 128, 1024, 'TN'],
  [16, 192, 64, 'NT'],
  [16, 512, 128, 'NT'],
  [1024, 1536, 576, 'NT', 'f16'],
  [1024, 576, 1536, 'NN', 'f16'],
  [16, 1536, 576, 'NT', 'f16'],
  [16, 576, 1536, 'NT', 'f16'],
  [4, 1536, 576, 'NT', 'f16'],
  [1, 1536, 576, 'NT', 'f16'],
];
const rounds = 15;
/** Of one measurement: long beside the clock's resolution, short beside what else the machine does. */
const minFlop = 2e8;
const chains = 12;

export interface ShareOfPeak {
  readonly product: string;
  readonly gflops: number;
  /** Median of the rounds' ratios. */
  readonly share: number;
}

/** On one thread, packing included. */
export async function benchPeak(): Promise<ShareOfPeak[]> {
  const device = await WasmDevice.open();
  const peak = await peakLoop();
  const results: ShareOfPeak[] = [];
  for (const [M, N, K, layout, type = 'f32'] of shapes) {
    const tape = new Tape(device, false);
    const [transposeA, transposeB] = [layout === 'TN', layout === 'NT'];
    const a = tape.constant('a', transposeA ? [K, M] : [M, K]);
    const b = tape.constant('b', transposeB ? [N, K] : [K, N], type);
    writeTensor(device, a, new Float32Array(M * K).fill(0.5));
    const numbers = new Float32Array(N * K).fill(0.5);
    writeTensor(device, b, type === 'f16' ? packHalves(numbers) : numbers);
    matmul(tape, a, b, { name: 'c', transposeA, transposeB });
    const plan = tape.seal();
    const flop = 2 * M * N * K;
    const replays = Math.ceil(minFlop / flop);
    const dispatches = Array.from({ length: replays }, () => plan.forward).flat();
    const product = () => gflopsOf(replays * flop, () => new Commands(device).run(dispatches).submit());
    product();
    const pairs = Array.from({ length: rounds }, () => [product(), peak()] as const);
    results.push({
      product: `${M}x${N} k${K} ${layout}${type === 'f16' ? ', f16' : ''}`,
      gflops: median(pairs.map(([gflops]) => gflops)),
      share: median(pairs.map(([gflops, possible]) => gflops / possible)),
    });
    plan.destroy();
  }
  device.destroy();
  return results;
}

function gflopsOf(flop: number, work: () => void): number {
  const start = performance.now();
  work();
  return flop / (performance.now() - start) / 1e6;
}

/** Measures GFLOP/s of one core: chains of a multiplication and an addition each, which fill the registers. */
export async function peakLoop(): Promise<() => number> {
  const each = (line: (i: number) => string) => Array.from({ length: chains }, (_, i) => line(i)).join('\n');
  const script = `export function peak(turns: i32, one: f32): f32 {
    const factor = f32x4.splat(one), term = f32x4.splat(one);
    ${each((i) => `let s${i} = f32x4.splat(${i}.5);`)}
    for (let turn = 0; turn < turns; turn++) {
      ${[1, 2, 3, 4].map(() => each((i) => `s${i} = f32x4.add(f32x4.mul(s${i}, factor), term);`)).join('\n')}
    }
    let sum = s0;
    ${each((i) => (i === 0 ? '' : `sum = f32x4.add(sum, s${i});`))}
    return f32x4.extract_lane(sum, 0);
  }`;
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  const { instance } = await WebAssembly.instantiate(await compileScript(script), { env: { memory } });
  const peak = instance.exports.peak as (turns: number, one: number) => number;
  const flopPerTurn = 4 * chains * 2 * 4;
  const turns = Math.ceil(minFlop / flopPerTurn);
  peak(turns, 1);
  return () => gflopsOf(turns * flopPerTurn, () => peak(turns, 1));
}
