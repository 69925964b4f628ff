/**
 * Opens WebGPU in Node through Dawn (the npm module `webgpu`): a real GPU if there is one, else a software Vulkan
 * driver. The Vulkan loader reads VK_DRIVER_FILES for each instance, so one process can try several drivers.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { adapterName, isSoftwareAdapter } from '../device/webgpu/adapter';
import { swiftshaderDriver } from './chromium';

/** A WebGPU entry point that has an adapter. */
export interface NodeGpu {
  readonly gpu: GPU;
  /** The driver's name of the adapter. */
  readonly adapterName: string;
  /** True if the adapter computes on the CPU. */
  readonly software: boolean;
  /** Path of the Vulkan driver file that was chosen here, or `default` for what the system chose. */
  readonly driver: string;
}

/** The oldest Mesa whose lavapipe runs Dawn's compute shaders correctly. */
export const OLDEST_MESA = 24;
const DRIVER_FOLDERS = ['/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/etc/vulkan/icd.d'];

const NO_ADAPTER =
  process.platform === 'linux'
    ? 'No GPU and no software Vulkan driver was found: install libvulkan1 with Chromium or with ' +
      `mesa-vulkan-drivers ${OLDEST_MESA} or newer (on Debian 12: from bookworm-backports).`
    : 'No WebGPU adapter was found: update the graphics driver of this machine.';

/**
 * The best WebGPU of this machine. AGENTLET_ADAPTER = `default` (whatever the system's loader picks), `lavapipe` or
 * `swiftshader` overrides the search; VK_DRIVER_FILES or VK_ICD_FILENAMES, where set, are respected and end it.
 * Also puts WebGPU's constants (`GPUBufferUsage` …) on `globalThis`, where a browser has them.
 * @throws an Error of one sentence saying what to install, if there is no adapter.
 */
export async function openNodeGpu(): Promise<NodeGpu> {
  const { create, globals } = await import('webgpu');
  const { VK_DRIVER_FILES, VK_ICD_FILENAMES } = process.env;
  for (const driver of driversToTry()) {
    if (driver !== 'default') setDriverFiles(driver, driver);
    const gpu = create([]);
    pin(gpu);
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter || isOldLavapipe(adapter.info)) continue;
    Object.assign(globalThis, globals);
    const software = isSoftwareAdapter(adapter.info);
    if (software) restWhileWaiting();
    return { gpu, adapterName: adapterName(adapter.info), software, driver };
  }
  setDriverFiles(VK_DRIVER_FILES, VK_ICD_FILENAMES);
  throw new Error(NO_ADAPTER);
}

/** Two names of one setting: loaders before 1.3.207 know only the second. */
function setDriverFiles(current: string | undefined, old: string | undefined): void {
  for (const [name, value] of Object.entries({ VK_DRIVER_FILES: current, VK_ICD_FILENAMES: old })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** `default` or paths of driver files, best first; each is looked for only once those before it have failed. */
function* driversToTry(): Generator<string> {
  const choice = process.env.AGENTLET_ADAPTER || 'auto';
  if (choice === 'lavapipe') yield found(lavapipeDriver(), 'lavapipe', 'mesa-vulkan-drivers');
  else if (choice === 'swiftshader') yield found(swiftshaderDriver(), 'SwiftShader', 'Chromium');
  else if (choice !== 'auto' && choice !== 'default')
    throw new Error(`AGENTLET_ADAPTER is "${choice}": it can be default, lavapipe or swiftshader.`);
  else {
    const searched = choice === 'auto' && !process.env.VK_DRIVER_FILES && !process.env.VK_ICD_FILENAMES;
    yield 'default';
    const software = searched ? [lavapipeDriver, swiftshaderDriver] : [];
    for (const find of software) {
      const driver = find();
      if (driver) yield driver;
    }
  }
}

function found(driver: string | null, name: string, from: string): string {
  if (!driver)
    throw new Error(`AGENTLET_ADAPTER asks for ${name}, whose Vulkan driver file was not found: install ${from}.`);
  return driver;
}

/** Path of Mesa's CPU driver file for this processor, or null. */
function lavapipeDriver(): string | null {
  const names = ['lvp_icd.json', `lvp_icd.${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.json`];
  for (const folder of DRIVER_FOLDERS) {
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const name = names.find((candidate) => files.includes(candidate));
    if (name) return join(folder, name);
  }
  return null;
}

/** Dawn crashes a vitest worker if this object is collected while its devices live. */
function pin(gpu: GPU): void {
  const holder = globalThis as { agentletNodeGpus?: GPU[] };
  (holder.agentletNodeGpus ??= []).push(gpu);
}

/**
 * While a promise is open, Dawn's Node binding polls it in every turn of the event loop and keeps one core busy. On a
 * CPU adapter that core has work to do, so now and then such a turn takes a nap. Patches once per process.
 */
function restWhileWaiting(): void {
  if (rests) return;
  rests = true;
  const { mapAsync } = GPUBuffer.prototype;
  const { onSubmittedWorkDone } = GPUQueue.prototype;
  GPUBuffer.prototype.mapAsync = function (...args) {
    return rested(mapAsync.apply(this, args));
  };
  GPUQueue.prototype.onSubmittedWorkDone = function () {
    return rested(onSubmittedWorkDone.call(this));
  };
}

/**
 * The binding answers a promise only after about this many turns of the event loop, even if the work is done. A nap in
 * every turn would delay each answer by a hundred naps.
 */
const turnsPerNap = 100;
/** A nap lasts a tenth of the time waited so far, within these bounds in ms: it delays no answer by more. */
const [minNapMs, maxNapMs] = [0.1, 2];
const bed = new Int32Array(new SharedArrayBuffer(4));
let rests = false;
let waiting = 0;
let turns = 0;
let since = 0;

function rested<T>(promise: Promise<T>): Promise<T> {
  if (waiting++ === 0) {
    [turns, since] = [0, performance.now()];
    setImmediate(rest);
  }
  return promise.finally(() => waiting--);
}

function rest(): void {
  if (waiting === 0) return;
  if (++turns % turnsPerNap === 0)
    Atomics.wait(bed, 0, 0, Math.min(maxNapMs, Math.max(minNapMs, (performance.now() - since) / 10)));
  setImmediate(rest);
}

function isOldLavapipe(info: GPUAdapterInfo): boolean {
  const mesa = /llvmpipe: Mesa (\d+)/.exec(info.description);
  return mesa !== null && Number(mesa[1]) < OLDEST_MESA;
}
