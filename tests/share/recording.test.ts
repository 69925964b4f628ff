import { expect, test } from 'vitest';
import { readRecording, type Recording } from '../../src/share/recording';

const recording: Recording = {
  format: 1,
  engineVersion: '0.1.0',
  preset: 'calculator',
  config: { seed: 1 },
  adapter: 'a GPU',
  date: '2026-01-02T03:04:05.678Z',
  command: 'npm run record -- calculator',
  seconds: 60,
  vocabulary: ['<pad>', 'a'],
  specialTokens: [0],
  parameters: 100,
  fingerprint: ['0123456789abcdef'],
  metrics: [{ iteration: 1 }],
  rollouts: [],
};

test('a recording is read as it was written', () => {
  expect(readRecording(JSON.parse(JSON.stringify(recording)))).toEqual(recording);
});

test.each([
  ['a part is missing', { ...recording, vocabulary: undefined }, /vocabulary: /],
  ['a part has another type', { ...recording, metrics: [1] }, /metrics\.0: /],
  ['there is nothing to play', { ...recording, metrics: [] }, /metrics: /],
  ['the format is newer', { ...recording, format: 2 }, /format: /],
  ['the date is none', { ...recording, date: 'yesterday' }, /date: Invalid date/],
  ['it is no object', 'recording', /the file: /],
])('%s', (_, json, why) => {
  expect(() => readRecording(json)).toThrow(why);
  expect(() => readRecording(json)).toThrow(/not a recording that this version can play.*npm run record/);
});
