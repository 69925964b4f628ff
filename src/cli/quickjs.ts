/**
 * The sandbox engine for Node, compiled. The built library has it as a file; the sources of a checkout read it from the
 * installed package and meter it here. The page gets it from its build.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { meteredEngine } from '../sandbox/metering/metered-engine.ts';
import { fileOfLibrary } from './place.ts';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Metered and compiled once per process. Rejects with a sentence if another version of quickjs-wasi is installed. */
export function compileQuickJs(): Promise<WebAssembly.Module> {
  return (compiled ??= meterQuickJs().then((binary) => WebAssembly.compile(binary)));
}

/** quickjs.wasm with metering, before it is compiled. */
export async function meterQuickJs(): Promise<Uint8Array<ArrayBuffer>> {
  const ready = fileOfLibrary('quickjs-metered.wasm');
  return ready ? new Uint8Array(await readFile(ready)) : meteredEngine(await readQuickJs());
}

/** quickjs.wasm as published. */
export async function readQuickJs(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')));
}
