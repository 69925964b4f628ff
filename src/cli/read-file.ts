/** Reads files that a person named; every error is a sentence. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { jsonFault } from '../lib/json-fault';
import { nestsDeeperThan, type Json } from '../lib/json';

/** Of a file of settings or code: a config with the most rows and code is smaller. */
const maxFileBytes = 16e6;
/** Of a checkpoint: Node reads no larger file at once, and no run saves one. */
const maxCheckpointBytes = 2 ** 31 - 1;
/** Lists and objects within each other. A recording has fewer than 50. */
const maxLevels = 100;

export function readText(path: string): string {
  assertFile(path, maxFileBytes);
  return readFileSync(path, 'utf8');
}

export function readCheckpointFile(path: string): Uint8Array<ArrayBuffer> {
  assertFile(path, maxCheckpointBytes);
  return new Uint8Array(readFileSync(path));
}

/** The checkpoint of a run's folder, or the file itself; null if neither is there. */
export function checkpointPath(given: string): string | null {
  const path = existsSync(given) && statSync(given).isDirectory() ? join(given, 'checkpoint.safetensors') : given;
  return existsSync(path) ? path : null;
}

/** The same. @throws a sentence if neither is there */
export function requireCheckpointPath(given: string): string {
  const path = checkpointPath(given);
  if (path !== null) return path;
  throw new Error(`There is no checkpoint at ${given}.`);
}

function assertFile(path: string, maxBytes: number): void {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  const about = statSync(path);
  if (about.isDirectory()) throw new Error(`${path} is a folder, and must be a file.`);
  if (about.size > maxBytes)
    throw new Error(`${path} has ${megabytes(about.size)} MB, and ${megabytes(maxBytes)} MB is the most.`);
}

export function readJson(path: string): unknown {
  const text = readText(path);
  if (text.trim() === '') throw new Error(`${path} is empty.`);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    const { line, column } = jsonFault(text);
    throw new Error(`${path} is not JSON: line ${line}, column ${column} cannot be read.`);
  }
  if (nestsDeeperThan(value, maxLevels))
    throw new Error(`${path} nests lists and objects deeper than ${maxLevels} levels.`);
  return value;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
