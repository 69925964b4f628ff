/**
 * Whatever the bytes, the pass ends with a sentence or with a module that engines accept if they accepted the input.
 */
import { expect, test } from 'vitest';
import { bits, Purpose } from '../../../src/lib/rng';
import { ByteReader } from '../../../src/sandbox/metering/byte-reader';
import { s32, u32 } from '../../../src/sandbox/metering/byte-writer';
import { meter } from '../../../src/sandbox/metering/meter';
import { buildModule } from './build-module';
import { randomProgram } from './random-program';

const sentence = /^This WebAssembly module cannot be metered: .+\.$/;
const wholes = Array.from({ length: 30 }, (_, seed) =>
  buildModule({ ...randomProgram(seed, new Set()), data: [1, 2, 3] }),
);

/** Whether the pass accepted it. */
function survives(bytes: Uint8Array<ArrayBuffer>): boolean {
  let output: Uint8Array<ArrayBuffer>;
  try {
    output = meter(bytes);
  } catch (error) {
    expect((error as Error).constructor).toBe(Error);
    expect((error as Error).message).toMatch(sentence);
    return false;
  }
  if (WebAssembly.validate(bytes)) expect(WebAssembly.validate(output)).toBe(true);
  return true;
}

test('every beginning of a module', () => {
  const whole = wholes[0];
  expect(survives(whole)).toBe(true);
  const accepted = Array.from({ length: whole.length }, (_, size) => size).filter((size) =>
    survives(whole.slice(0, size)),
  );
  // Only what ends with one of its ten sections can be taken for a module.
  expect(accepted.length).toBeLessThan(10);
});

test('3000 damaged modules', () => {
  let validInputs = 0;
  let accepted = 0;
  for (let seed = 0; seed < 3000; seed++) {
    let draws = 0;
    const below = (count: number) => bits(seed, Purpose.task, draws++) % count;
    const bytes = [...wholes[seed % wholes.length]];
    for (let edits = 1 + below(3); edits > 0; edits--) {
      const at = 8 + below(bytes.length - 8);
      bytes.splice(at, below(2), ...Array.from({ length: below(2) + below(2) }, () => below(256)));
    }
    const damaged = Uint8Array.from(bytes);
    if (WebAssembly.validate(damaged)) validInputs++;
    if (survives(damaged)) accepted++;
  }
  expect(validInputs).toBeGreaterThan(50);
  expect(accepted).toBeGreaterThanOrEqual(50);
});

test('numbers of every size are read as they were written', () => {
  for (const value of [0, 1, 63, 64, 127, 128, 8191, 8192, 2 ** 31 - 1]) {
    for (const signed of [value, -1 - value]) {
      expect(new ByteReader(Uint8Array.from(s32(signed))).signed(32)).toBe(signed);
    }
    expect(new ByteReader(Uint8Array.from(u32(2 * value + 1))).u32()).toBe(2 * value + 1);
  }
});

test.each([
  [[0x80, 0x80, 0x80, 0x80, 0x10], /does not fit into 32 bits \(byte 5\)/],
  [[0x80, 0x80, 0x80, 0x80, 0x80, 0x00], /does not fit into 32 bits/],
  [[0x80], /ends in the middle of something \(byte 1\)/],
])('the number %j is refused', (bytes, sentence) => {
  expect(() => new ByteReader(Uint8Array.from(bytes)).u32()).toThrow(sentence);
});
