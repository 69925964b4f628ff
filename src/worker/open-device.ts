/**
 * Opens the page's GPU device and settles which matmul kernels it uses. The measurement is remembered per adapter in IndexedDB;
 * where there is no storage it is simply made again, since the choice changes speed and never a bit.
 */
import { get, set } from 'idb-keyval';
import { Device } from '../gpu/device';
import { chooseMatmul } from '../ops/matmul-choice';
import type { MatmulChoice } from '../ops/matmul-product';
import { engineVersion } from '../rl/run-link';

/** Throws a sentence if there is no WebGPU here. */
export async function openDevice(): Promise<Device> {
  if (!('gpu' in navigator)) throw new Error('This browser has no WebGPU.');
  const device = await Device.open(navigator.gpu);
  const key = `matmul ${engineVersion} ${device.adapter.name}`;
  const remembered = await get<MatmulChoice>(key).catch(() => undefined);
  const choice = await chooseMatmul(device, remembered);
  if (!remembered) await set(key, choice).catch(() => undefined);
  return device;
}
