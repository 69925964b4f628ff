/** Images of a world as PNG files: 8 bits of red, green and blue, rows without a filter (ISO/IEC 15948). */
import { crc32, deflateSync } from 'node:zlib';
import { bytesOf, type Image } from '../../text/image';

const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** The file in base64. */
export function pngOf(image: Image): string {
  const { width, height } = image;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rowBytes = width * 3;
  const pixels = bytesOf(image);
  const rows = Buffer.alloc(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]).toString('base64');
}

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}
