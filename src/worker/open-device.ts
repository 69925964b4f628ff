/** Opens the page's GPU device and chooses its matmul kernels. The choice is stored in IndexedDB for each adapter. */
import { get, set } from 'idb-keyval';
import type { Device } from '../device/device';
import { WebGpuDevice } from '../device/webgpu/webgpu-device';
import { chooseMatmul } from '../ops/matmul-choice';
import type { MatmulChoice } from '../ops/matmul-product';
import { engineVersion } from '../rl/config/run-link';

/** Throws a sentence if there is no WebGPU here. */
export async function openDevice(): Promise<Device> {
  if (!('gpu' in navigator)) throw new Error('This browser has no WebGPU.');
  const device = await WebGpuDevice.open(navigator.gpu);
  const key = `matmul ${engineVersion} ${device.adapter.name}`;
  const remembered = await ifAllowed(() => get<MatmulChoice>(key));
  const choice = await chooseMatmul(device, remembered);
  if (!remembered) await ifAllowed(() => set(key, choice));
  return device;
}

/** Undefined without storage: a forbidden one throws, a broken one rejects. */
async function ifAllowed<T>(access: () => Promise<T>): Promise<T | undefined> {
  try {
    return await access();
  } catch {
    return undefined;
  }
}
