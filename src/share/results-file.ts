/** A file of results that a visitor opens: its size, its text, its table. */
import { jsonFault } from '../lib/json-fault';
import { nestsDeeperThan, type Json } from '../lib/json';
import { plainText } from '../lib/plain-text';
import { readResults, type Results } from './results';

/** 5 MB; the largest table that ships with the page has 0.2. */
export const maxResultsBytes = 5_000_000;

const nameOf = (name: string): string => plainText(name, 100);

/** @throws a sentence if a file of that size is not read */
export function requireResultsSize(bytes: number, name: string): void {
  if (bytes > maxResultsBytes)
    throw new Error(
      `${nameOf(name)} has ${(bytes / 1e6).toFixed(1)} MB, and ${maxResultsBytes / 1e6} MB is the most. ` +
        'Choose the JSON that npm run experiment wrote.',
    );
}

/** @param name of the file, for messages @throws a sentence: what is wrong, and where */
export function readResultsFile(bytes: Uint8Array, name: string): Results {
  requireResultsSize(bytes.length, name);
  const json = parse(decode(bytes, name), name);
  if (nestsDeeperThan(json)) throw new Error(`${nameOf(name)} nests too deeply to be a table of results.`);
  return readResults(json);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${nameOf(name)} is not text in UTF-8. Choose the JSON that npm run experiment wrote.`);
  }
}

function parse(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error(`${nameOf(name)} is not JSON: ${placeOf(text)}. Choose the JSON that npm run experiment wrote.`);
  }
}

function placeOf(text: string): string {
  try {
    const { line, column } = jsonFault(text);
    return `line ${line}, column ${column} cannot be read`;
  } catch {
    return 'it is cut short or nests too deeply';
  }
}
