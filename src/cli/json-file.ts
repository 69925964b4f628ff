/** Reads files that a person named; every error is a sentence. */
import { existsSync, readFileSync } from 'node:fs';
import { jsonFault } from '../lib/json-fault';

export function readText(path: string): string {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  return readFileSync(path, 'utf8');
}

export function readJson(path: string): unknown {
  const text = readText(path);
  if (text.trim() === '') throw new Error(`${path} is empty.`);
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = jsonFault(text);
    throw new Error(`${path} is not JSON: line ${line}, column ${column} cannot be read.`);
  }
}
