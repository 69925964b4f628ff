/** A file of the disk as bytes that are read by ranges. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from '../../lib/byte-source';
import { plainText } from '../../lib/plain-text';

export function fileSource(path: string, size: number): ByteSource {
  return {
    size,
    read: async (offset, length) => {
      const file = openSync(path, 'r');
      try {
        return readExactly(file, path, offset, length);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** @param file open for reading @throws a sentence if it ends before */
export function readExactly(file: number, path: string, offset: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const read = readSync(file, bytes, at, length - at, offset + at);
    if (read === 0) throw new Error(`${plainText(path, 200)} became shorter while it was read.`);
    at += read;
  }
  return bytes;
}
