import { expect, test } from 'vitest';
import { readRecording, type Recording } from '../../src/share/recording';
import { packRecording } from '../../src/share/recording-file';

const recording: Recording = {
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
  groups: 2,
  answers: [],
};

test('a recording is read as it was written', () => {
  expect(readRecording(JSON.parse(JSON.stringify(packRecording(recording))))).toEqual(recording);
});

test('what a file packs is unpacked as it was, and what repeats is stored once', () => {
  const step = { text: 'a text', tokens: [1, 2.5, -3e-5], nothing: null, right: true, none: [], empty: {} };
  const rollouts = Array.from({ length: 100 }, (_, index) => ({ index, '2': 'a text', steps: [step, step] }));
  const file = packRecording({ ...recording, rollouts });
  expect(readRecording(JSON.parse(JSON.stringify(file)))).toEqual({ ...recording, rollouts });
  const text = JSON.stringify(file);
  for (const once of ['a text', '-0.00003', 'steps', 'tokens']) expect(text.split(once), once).toHaveLength(2);
});

test.each([
  ['a part is missing', { ...recording, vocabulary: undefined }, /vocabulary: /],
  ['a part has another type', { ...recording, metrics: [1] }, /metrics\.0: /],
  ['there is nothing to play', { ...recording, metrics: [] }, /metrics: /],
  ['the date is none', { ...recording, date: 'yesterday' }, /date: Invalid date/],
])('%s', (_, faulty, why) => expectRefusal(packRecording(faulty), why));

test.each([
  ['the format is older', { ...recording, format: 1 }, /format: /],
  ['it is no object', 'recording', /the file: /],
])('%s', (_, json, why) => expectRefusal(json, why));

function expectRefusal(json: unknown, why: RegExp): void {
  expect(() => readRecording(json)).toThrow(why);
  expect(() => readRecording(json)).toThrow(/not a recording that this version can play.*npm run record/);
}
