/** Bytes that are read by ranges: of a file, of a download or of memory. Nobody needs to hold all of them. */
import { assert } from './assert';
import { quoted } from './plain-text';

export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes, alone in their buffer. @throws a sentence if they cannot be read */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      assert(offset + length <= bytes.length, `bytes ${offset} to ${offset + length} of ${bytes.length} are read`);
      return new Uint8Array(bytes.subarray(offset, offset + length));
    },
  };
}

/** A file that a person has chosen or a browser stores. @param name for sentences */
export function bytesOfBlob(blob: Blob, name: string): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => {
      const bytes = await blob
        .slice(offset, offset + length)
        .arrayBuffer()
        .catch((cause: unknown) => {
          throw new Error(`${quoted(name, 80)} cannot be read any more: choose its folder again.`, { cause });
        });
      assert(bytes.byteLength === length, `bytes ${offset} to ${offset + length} of ${blob.size} are read`);
      return new Uint8Array(bytes);
    },
  };
}
