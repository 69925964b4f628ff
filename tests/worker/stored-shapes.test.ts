/** What this browser has stored of runs: what was really stored is used as it is, and any other value leads nowhere. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';
import type { Metrics } from '../../src/rl/report';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { readRecording, type Recording } from '../../src/share/recording';
import { cardOf, keptEntries, recordOf } from '../../src/run/store/run-records';
import type { HistoryState } from '../../src/run/history';
import type { RunRecord, SavedRun } from '../../src/run/store/saved-run';
import type { RunSnapshot } from '../../src/run/store/run-snapshot';
import {
  cardSchema,
  fitting,
  headSchema,
  shownLabel,
  shownRecord,
  shownRun,
  shownSnapshot,
} from '../../src/run/store/stored-shapes';
import { tiny, Watched } from './run-of';

const { config } = presetByName('calculator-mini');
const run: SavedRun = {
  id: 'a',
  config,
  title: 'Calculator, mini',
  savedAtMs: 1e12,
  iteration: 3,
  warmSteps: 10,
  finished: false,
  fingerprint: ['0123456789abcdef'],
  engineVersion: '0.8.0',
  adapter: 'CPU',
  configChanges: [],
};
const card = { ...run, curve: [0, 0.5], validation: 0.5 };
const strange: readonly unknown[] = [null, undefined, 0, NaN, 'abc', true, [], [1], {}, { id: 1 }, { id: '' }, () => 1];

test.each(['bandit', 'calculator-mini', 'pixels', 'code'])(
  'the recorded run of %s would be shown as it was stored',
  (name) => {
    const { metrics, rollouts }: Recording<RunConfig, Metrics, RolloutView> = readRecording(
      JSON.parse(readFileSync(`public/recordings/${name}.json`, 'utf8')),
    );
    expect(shownRecord({ metrics, rollouts })).toEqual({ metrics, rollouts });
  },
);

test('a run is listed, recorded and resumed as it was saved', async () => {
  const watched = new Watched({ ...tiny, iterations: 2 });
  await watched.finish();
  const { run: saved, state: snapshot } = watched.stored.at(-1)!;
  await watched.close();
  expect(shownRun(saved)).toEqual(saved);
  const kept = await cardOf(saved, snapshot.history);
  expect(shownRun(kept)).toEqual(kept);
  expect(shownRecord(recordOf(snapshot.history))).toEqual(recordOf(snapshot.history));
  expect(shownSnapshot(structuredClone(snapshot))).toEqual(snapshot);
  const entries = await keptEntries(saved, snapshot.history);
  expect(fitting(cardSchema, [entries[0][1]])).toHaveLength(1);
});

test('values of another kind are no cards, no heads and no labels', () => {
  expect(fitting(cardSchema, strange)).toEqual([]);
  expect(fitting(headSchema, [...strange, { run: null }, { run, serial: '1', digest: '' }])).toEqual([]);
  expect(fitting(headSchema, [{ run, serial: 1, digest: 'a' }])).toHaveLength(1);
  for (const value of strange) expect(shownLabel(value)).toBeNull();
  for (const values of [null, 'abc', 7, {}]) expect(fitting(cardSchema, values)).toEqual([]);
});

test('a label is a plain line, a note and a switch, whatever was stored', () => {
  expect(shownLabel({ id: 'a', name: 'x\u202e\ny', note: 'two\nlines\ud800', deleted: true, extra: 1 })).toEqual({
    id: 'a',
    name: 'x? y',
    note: 'two\nlines\ufffd',
    deleted: true,
  });
  expect(shownLabel({ id: 'a', name: {}, note: 4, deleted: 'yes' })).toEqual({
    id: 'a',
    name: '',
    note: '',
    deleted: false,
  });
  const long = shownLabel({ id: 'a', name: 'n'.repeat(1e5), note: 'n'.repeat(1e6) })!;
  expect([long.name.length, long.note.length]).toEqual([61, 2000]);
});

describe('a run', () => {
  test.each<[string, object]>([
    ['without a config', { config: undefined }],
    ['with a config that is a list', { config: [] }],
    ['without an algorithm', { config: { ...config, algorithm: undefined } }],
    ['without an environment', { config: { ...config, environment: null } }],
    ['with code that is a number', { config: { ...config, environment: { ...config.environment, source: 5 } } }],
    ['with a title that is none', { title: {} }],
    ['of no time', { savedAtMs: NaN }],
    ['of a time that no calendar has', { savedAtMs: 1e300 }],
    ['before its first iteration', { iteration: -1 }],
    ['after its last iteration', { iteration: config.iterations + 1 }],
    ['with more digests than any has', { fingerprint: Array(9).fill('0123456789abcdef') }],
    ['that may be finished', { finished: 'maybe' }],
  ])('%s is not listed', (_, change) => {
    expect(shownRun({ ...run, ...change } as SavedRun)).toBeNull();
    expect(shownRun({ ...card, ...change } as typeof card)).toBeNull();
  });

  test('of an algorithm that this version lacks is listed', () => {
    const other = { ...config, algorithm: { ...config.algorithm, name: 'dpo' } } as unknown as RunConfig;
    expect(shownRun({ ...run, config: other })).toEqual({ ...run, config: other });
  });

  test('of an earlier version has the defaults of settings that it lacks', () => {
    const { seeded, flip, ...rollout } = config.rollout;
    expect([seeded, flip]).toEqual(['all', 0]);
    const earlier = { ...config, rollout } as unknown as RunConfig;
    expect(shownRun({ ...run, config: earlier })!.config).toEqual(config);
    expect(shownRun({ ...card, config: earlier })!.config).toEqual(config);
  });

  test('of an earlier version is called by its preset', () => {
    expect(shownRun({ ...run, title: 'Calculator' })?.title).toBe('Calculator, mini');
  });

  test('is listed without what cannot be read, in plain lines', () => {
    const odd = { title: 'a\u202eb\n', fingerprint: ['<b>'], adapter: 5, parent: {}, configChanges: 'x', curve: 'y' };
    const own = { ...config, environment: { ...config.environment, source: '' } };
    expect(shownRun({ ...card, ...odd, config: own, validation: 7 } as unknown as typeof card)).toMatchObject({
      title: 'a?b ',
      fingerprint: undefined,
      adapter: undefined,
      parent: undefined,
      configChanges: undefined,
      curve: [],
      validation: null,
    });
  });
});

const row = { iteration: 1, success: 0.5 } as Metrics;
const history = { metrics: [], rollouts: [], warmLosses: [], curve: [] };

test.each<[string, unknown]>([
  ['absent', undefined],
  ['a text', 'abc'],
  ['of a number', [1]],
  ['of an empty row', [{}]],
  ['of a row without an iteration', [{ success: 1 }]],
  ['of iterations that go back', [{ ...row, iteration: 2 }, row]],
  ['of an iteration twice', [row, row]],
  ['of words', [{ ...row, entropy: 'high' }]],
  ['of reward terms that are none', [{ ...row, rewardTerms: 'abc' }]],
  ['of counts that are none', [{ ...row, killed: 5 }]],
])('metrics %s end in a sentence', (_, metrics) => {
  const why = /^What this browser has kept of this run cannot be read: .*\.$/;
  expect(() => shownRecord({ metrics, rollouts: [] } as unknown as RunRecord)).toThrow(why);
  const snapshot = { checkpoint: new Uint8Array(), history: { ...history, metrics } } as unknown as RunSnapshot;
  expect(() => shownSnapshot(snapshot)).toThrow(why);
});

test('metrics of an earlier version are shown, and diagnostics of another shape left out', () => {
  const { metrics } = shownRecord({ metrics: [{ ...row, diagnostics: { critic: 5 } } as unknown as Metrics] });
  expect(metrics[0]).toMatchObject({ ...row, validationSuccess: null, rewardTerms: {}, diagnostics: undefined });
});

test('rollouts that cannot be shown are left out', () => {
  const { rollouts }: Recording<RunConfig, Metrics, RolloutView> = readRecording(
    JSON.parse(readFileSync('public/recordings/bandit.json', 'utf8')),
  );
  const [whole] = rollouts;
  const [step] = whole.steps;
  const broken = [
    ...strange,
    { ...whole, steps: 'none' },
    { ...whole, prompt: 5 },
    { ...whole, steps: [{ ...step, tokens: 'abc' }] },
    { ...whole, steps: [{ ...step, messages: [{ role: '<b>', content: '' }] }] },
    { ...whole, steps: [{ ...step, toolCalls: [{ name: 'a' }] }] },
  ];
  expect(shownRecord({ metrics: [row], rollouts: [...broken, whole] as RolloutView[] }).rollouts).toEqual([whole]);
});

test.each<[string, unknown]>([
  ['no history', undefined],
  ['a text', 'abc'],
  ['no curve', { ...history, curve: undefined }],
  ['a curve of words', { ...history, curve: ['a'] }],
])('a state with %s is refused in a sentence', (_, broken) => {
  const snapshot = { checkpoint: new Uint8Array(), history: broken as HistoryState };
  expect(() => shownSnapshot(snapshot)).toThrow(/cannot be read/);
});
