/** Hashes of everything that is to have the same bits in each engine, computed in the one that runs this. */
import { WasmDevice, type ThreadPool } from '../../../src/device/wasm/wasm-device';
import { sha256 } from '../../../src/lib/sha256';
import { portableBits } from '../../helpers/portable-bits';
import { evaluate, samples } from '../../helpers/vector-math';
import { bitsOf, type Bits } from '../../cpu/bits';

/** One thread has a memory of its own, several share one. */
const threadCounts = [1, 2, 4];

export interface EngineBits {
  /** Of the CPU device. */
  readonly device: readonly { readonly threads: number; readonly bits: Bits }[];
  /** Of each of `samples`, by function and points. */
  readonly vectorMath: Readonly<Record<string, string>>;
  readonly portableMath: string;
}

/** @param pool starts threads, as many as needed @param math `vectorMathScript`, compiled */
export async function engineBits(pool: ThreadPool, math: Uint8Array<ArrayBuffer>): Promise<EngineBits> {
  const device: EngineBits['device'][number][] = [];
  for (const threads of threadCounts) device.push({ threads, bits: await bitsWith({ ...pool, count: threads - 1 }) });
  const vectorMath: Record<string, string> = {};
  for (const { name, points, x } of samples)
    vectorMath[`${name}, ${points}`] = await sha256(await evaluate(math, name, x()));
  return { device, vectorMath, portableMath: await sha256(portableBits()) };
}

async function bitsWith(pool: ThreadPool): Promise<Bits> {
  const device = await WasmDevice.open(pool);
  try {
    return await bitsOf(device);
  } finally {
    device.destroy();
  }
}
