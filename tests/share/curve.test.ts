import { expect, test } from 'vitest';
import { curveFromBytes } from '../../src/share/curve';

test('bytes are shares', () => {
  expect(curveFromBytes(Uint8Array.of(0, 51, 255))).toEqual([0, 0.2, 1]);
});
