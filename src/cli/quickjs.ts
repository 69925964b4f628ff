/**
 * The sandbox engine for Node: read from the installed package, metered and compiled. The page gets it from the build
 * instead.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { meteredEngine } from '../sandbox/metering/metered-engine.ts';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Metered and compiled once per process. Rejects with a sentence if another version of quickjs-wasi is installed. */
export function compileQuickJs(): Promise<WebAssembly.Module> {
  return (compiled ??= meterQuickJs().then((binary) => WebAssembly.compile(binary)));
}

/** quickjs.wasm with metering, before it is compiled. */
export async function meterQuickJs(): Promise<Uint8Array<ArrayBuffer>> {
  return meteredEngine(await readQuickJs());
}

/** quickjs.wasm as published. */
export async function readQuickJs(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')));
}
