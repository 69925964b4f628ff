/** Checkpoints that somebody made up: each is answered with one sentence, before anything of a trainer is touched. */
import { expect, test } from 'vitest';
import { writeSafetensors } from '../../src/lib/safetensors';
import { readCheckpointHead, restoreCheckpoint } from '../../src/rl/checkpoint';
import { presetByName } from '../../src/config/presets';
import type { TrainerProgress, Trainer } from '../../src/rl/trainer';

const progress: TrainerProgress = {
  warmSteps: 3,
  warm: true,
  iteration: 2,
  fingerprint: ['0123456789abcdef'],
  sampledTokens: 9,
  klCoefficient: 0,
  echo: { first: [[0.5, 1]], low: 0 },
};
const { config } = presetByName('bandit');
const sound = {
  format: 'agentlet',
  version: '2',
  engineVersion: '0.4.0',
  config: JSON.stringify(config),
  tokenizer: '{}',
  progress: JSON.stringify(progress),
  updates: '0',
  source: '',
};

const withMetadata = (changes: Record<string, string>, weight = 1) =>
  writeSafetensors({
    tensors: new Map([['a', { shape: [1], data: Float32Array.of(weight) }]]),
    metadata: { ...sound, ...changes },
  });

const without = (key: string) => {
  const metadata: Record<string, string> = { ...sound };
  delete metadata[key];
  return writeSafetensors({ tensors: new Map(), metadata });
};

/** A file with any header, and 8 bytes of numbers. */
function withHeader(header: unknown): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(16 + text.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  return file;
}

const two = (a: object | null, b: object = {}) =>
  withHeader({
    __metadata__: sound,
    a: a && { dtype: 'F32', shape: [1], data_offsets: [0, 4], ...a },
    b: { dtype: 'F32', shape: [1], data_offsets: [4, 8], ...b },
  });

test('a sound file is read', () => {
  expect(readCheckpointHead(two({}))).toEqual({ config, source: '', progress, engineVersion: '0.4.0' });
  expect(readCheckpointHead(withMetadata({})).progress).toEqual(progress);
});

test.each<[string, Uint8Array, RegExp]>([
  ['no header', withHeader(null), /in the header, Invalid type: Expected Object but received null\.$/],
  ['no tensor', two(null), /in the header, a: Invalid type/],
  ['a word as a shape', two({ shape: 'x' }), /in the header, a\.shape: Invalid type/],
  ['a negative size', two({ shape: [-1] }), /in the header, a\.shape\.0: Invalid value/],
  ['offsets within a number', two({ data_offsets: [0.5, 4.5] }), /in the header, a\.data_offsets\.0: Invalid/],
  ['tensors that overlap', two({}, { data_offsets: [2, 6] }), /"b" does not begin where the tensor before it ends\.$/],
  [
    'a tensor in two places',
    two({}, { data_offsets: [0, 4] }),
    /"b" does not begin where the tensor before it ends\.$/,
  ],
  [
    'bytes of no tensor',
    two({ shape: [0], data_offsets: [0, 0] }, { data_offsets: [0, 4] }),
    /4 bytes at its end belong to no tensor\.$/,
  ],
  [
    'more numbers than bytes',
    two({ shape: [1e9, 1e9] }),
    /"a" has 4 bytes, and its shape needs 4000000000000000000\.$/,
  ],
  ['a tensor past the end', two({}, { shape: [2], data_offsets: [4, 12] }), /"b" lies outside the file\.$/],
  [
    'metadata that is no text',
    withHeader({ __metadata__: { format: 1 } }),
    /in the header, __metadata__\.format: Invalid type/,
  ],
  ['no progress', without('progress'), /in its metadata, progress: Invalid key/],
  ['progress null', withMetadata({ progress: 'null' }), /in its metadata, progress: Invalid type/],
  [
    'a negative iteration',
    withMetadata({ progress: JSON.stringify({ ...progress, iteration: -1e9 }) }),
    /iteration: Invalid value/,
  ],
  [
    'a critic that learned alone more often than anything was learned',
    withMetadata({ progress: JSON.stringify({ ...progress, criticAlone: 3 }) }),
    /progress: The critic learned alone in more iterations than there were/,
  ],
  ['updates that are no number', withMetadata({ updates: 'NaN' }), /in its metadata, updates: Invalid digits/],
  ['no config', withMetadata({ config: '{' }), /in its metadata, config: Invalid JSON/],
  ['no version', without('version'), /This checkpoint has format "none"/],
  ['a weight that is not finite', withMetadata({}, NaN), /"a" holds numbers that are not finite\.$/],
])('%s', (_, file, sentence) => {
  const untouched = {} as Trainer;
  let error: unknown;
  try {
    restoreCheckpoint(untouched, file);
  } catch (thrown) {
    error = thrown;
  }
  expect((error as Error).constructor, 'no bug').toBe(Error);
  expect((error as Error).message).toMatch(sentence);
  expect((error as Error).message).not.toContain('\n');
});
