/** The bench suites inside a page, for `bench --browser`. Never part of the built site. */
import engineUrl from 'quickjs-wasi/quickjs.wasm?url';
import type { DeviceChoice } from '../../device/choice';
import type { Device } from '../../device/device';
import { WasmDevice } from '../../device/wasm/wasm-device';
import { WebGpuDevice } from '../../device/webgpu/webgpu-device';
import { chooseMatmul } from '../../ops/matmul-choice';
import { meteredEngine } from '../../sandbox/metering/metered-engine';
import type { SandboxWorker } from '../../sandbox/worker-pool';
import { benchSandbox } from './sandbox';
import { runBench, type BenchReport } from './suite';
import { unmeteredEngine } from './unmetered-engine';

export async function benchPage(
  choice: DeviceChoice,
  withKernels: boolean,
  sandboxAlone: boolean,
): Promise<BenchReport | Pick<BenchReport, 'sandbox'>> {
  console.info('Measuring the sandbox …');
  const published = new Uint8Array(await (await fetch(engineUrl)).arrayBuffer());
  const sandbox = await benchSandbox(
    { metered: await meteredEngine(published), unmetered: unmeteredEngine(published) },
    spawn,
  );
  if (sandboxAlone) return { sandbox };
  const device = choice === 'cpu' ? await WasmDevice.open() : await openGpu();
  return { ...(await runBench(device, withKernels, (what) => console.info(`Measuring ${what} …`))), sandbox };
}

async function openGpu(): Promise<Device> {
  const device = await WebGpuDevice.open(navigator.gpu);
  await chooseMatmul(device);
  return device;
}

/** A worker of this page: the frame around it adds nothing to a call, since messages pass it by. */
async function spawn(): Promise<SandboxWorker> {
  const worker = new Worker(new URL('../../worker/sandbox.worker.ts', import.meta.url), { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(null, [port2]);
  return Object.assign(port1, { terminate: () => worker.terminate() });
}
