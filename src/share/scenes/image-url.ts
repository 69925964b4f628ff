/** An image as the address of a bitmap, which SVG can show: no canvas and no compression is needed. */
import { bytesOf, type Image } from '../../text/image';

const headerBytes = 54;

export function imageUrl(image: Image): string {
  const { width, height } = image;
  const pixels = bytesOf(image);
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = new Uint8Array(headerBytes + rowBytes * height);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]);
  view.setUint32(2, file.length, true);
  view.setUint32(10, headerBytes, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  // Rows from the top are a negative height.
  view.setInt32(22, -height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const from = (row * width + column) * 3;
      const to = headerBytes + row * rowBytes + column * 3;
      // Blue, green, red.
      for (let channel = 0; channel < 3; channel++) file[to + channel] = pixels[from + 2 - channel];
    }
  return `data:image/bmp;base64,${btoa(Array.from(file, (byte) => String.fromCharCode(byte)).join(''))}`;
}
