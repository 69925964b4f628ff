/** Event files as TensorBoard's own reader takes them; the bytes were made by its writer (tensorboard 2.21.0). */
import { expect, test } from 'vitest';
import { eventFileStart, eventRecord } from '../../src/share/event-file';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('the start of a file', () => {
  expect(hex(eventFileStart(1.5))).toBe(
    '1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c',
  );
});

test('scalars of a step beyond one byte, with names beyond ASCII', () => {
  expect(
    hex(
      eventRecord(
        1.5,
        300,
        new Map([
          ['success', 0.25],
          ['reward/é', -1],
        ]),
      ),
    ),
  ).toBe(
    '300000000000000095f5d05f09000000000000f83f10ac022a220a0e0a0773756363657373150000803e0a100a097265' +
      '776172642fc3a915000080bf093981fc',
  );
});
