import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSandbox } from '../../src/cli/engine';
import { quietHooks, readRecordedStart } from '../../src/cli/recorded-start';
import { sha256 } from '../../src/lib/sha256';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import { presetByName, presets } from '../../src/config/presets';
import { recordedPreset, warmStartKind, writeRecordedStart } from '../../src/rl/learner/recorded-start';
import { engineVersion } from '../../src/config/run-link';
import { Trainer } from '../../src/rl/trainer';
import { readMetadata, readSafetensors, writeSafetensors } from '../../src/lib/safetensors';
import { testDevice } from '../helpers/devices';

const bandit = parseConfig({ ...presetByName('bandit').config, iterations: 2, evaluation: { tasks: 8, every: 1 } });
const imitating = (config: RunConfig): RunConfig => ({
  ...config,
  warmStart: { ...config.warmStart, recorded: false },
});

const open = async (config: RunConfig, file?: Uint8Array) =>
  Trainer.create(await testDevice(), await openSandbox(), config, environmentSource(config), {
    ...quietHooks,
    readRecordedStart: async (preset) => file ?? readRecordedStart(preset),
  });

async function imitated(): Promise<Trainer> {
  const trainer = await open(imitating(bandit));
  await trainer.warmStart();
  return trainer;
}

const record = { config: bandit, adapter: 'test', date: '2026-01-01T00:00:00Z', command: 'test' };

test('a recorded warm start gives the bits of imitating anew', async () => {
  const first = await imitated();
  const file = await writeRecordedStart(first.store, first.setup.model.tokenizer, record);
  const second = await open(bandit, file);
  await second.warmStart();
  expect(await second.store.read(second.store.value)).toEqual(await first.store.read(first.store.value));
  for (let i = 0; i < 2; i++) {
    await first.iterate();
    await second.iterate();
  }
  expect(second.progress.fingerprint).toEqual(first.progress.fingerprint);
  expect(await second.store.read(second.store.value)).toEqual(await first.store.read(first.store.value));
  first.destroy();
  second.destroy();
});

test('the weights after a warm start are halves, so the first KL is 0', async () => {
  const trainer = await imitated();
  const weights = [...(await trainer.store.read(trainer.store.value)).values()].flatMap((data) => [...data]);
  expect(weights.every((weight) => readBack(weight) === weight)).toBe(true);
  expect((await trainer.iterate()).metrics.kl).toBe(0);
  trainer.destroy();
});

test('a recording is used only where everything it depends on is the preset’s', () => {
  const { config } = presetByName('calculator');
  expect(recordedPreset(config)).toBe('calculator');
  expect(recordedPreset({ ...config, seed: 7, iterations: 3 })).toBe('calculator');
  expect(
    recordedPreset({ ...config, environment: { ...config.environment, options: { max: 99, operations: 2 } } }),
  ).toBe('calculator');
  const others: RunConfig[] = [
    imitating(config),
    { ...config, environment: { ...config.environment, options: { operations: 3, max: 99 } } },
    { ...config, environment: { ...config.environment, source: 'export const meta = {}' } },
    { ...config, model: { ...config.model, width: 32 } },
    { ...config, warmStart: { ...config.warmStart, steps: 10 } },
    { ...config, optimizer: { ...config.optimizer, fresh: false } },
  ];
  expect(others.map(recordedPreset)).toEqual(others.map(() => null));
  expect(warmStartKind({ ...config, warmStart: { ...config.warmStart, demonstrations: 0 } })).toBe('none');
  expect(warmStartKind(imitating(config))).toBe('trained');
});

test('a file that is not this start is refused in a sentence', async () => {
  const trainer = await imitated();
  const file = await writeRecordedStart(trainer.store, trainer.setup.model.tokenizer, record);
  trainer.destroy();
  const { tensors, metadata } = readSafetensors(file);
  const written = (changes: Record<string, string>, map = tensors) =>
    writeSafetensors({ tensors: map, metadata: { ...metadata, ...changes } }, 'F16');
  const [name, { shape, data }] = [...tensors][0];
  const spoilt = new Map([...tensors, [name, { shape, data: data.map(() => NaN) }]]);
  const digest = await sha256(Float32Array.from([...spoilt.values()].flatMap((each) => [...each.data])));
  const cases: [Uint8Array, RegExp][] = [
    [writeSafetensors({ tensors: spoilt, metadata: { ...metadata, digest } }), /holds numbers that are not finite/],
    [written({ format: 'agentlet' }), /no recorded warm start/],
    [written({ digest: '0' }), /not those that its digest names/],
    [written({}, new Map([...tensors, [name, { shape, data: data.map(() => 1) }]])), /not those that its digest names/],
    [written({ tokenizer: '{}' }), /another tokenizer/],
    [file.slice(0, 100), /longer than the file/],
  ];
  for (const [bytes, sentence] of cases) {
    const other = await open(bandit, bytes);
    await expect(other.warmStart()).rejects.toThrow(sentence);
    other.destroy();
  }
});

test.each(presets)('$name has a recorded warm start of this engine, at most 500 kB', async ({ name, config }) => {
  const path = `public/checkpoints/${name}.safetensors`;
  expect(statSync(path).size).toBeLessThanOrEqual(500_000);
  const metadata = readMetadata(readFileSync(path));
  expect(metadata.engineVersion).toBe(engineVersion);
  const recorded = parseConfig(JSON.parse(metadata.config));
  expect(recorded.warmStart.recorded).toBe(false);
  expect(recordedPreset({ ...recorded, warmStart: { ...recorded.warmStart, recorded: true } })).toBe(name);
  expect(config.warmStart.recorded).toBe(true);
  expect(metadata).toMatchObject({
    seed: String(recorded.seed),
    adapter: expect.stringMatching(/./),
    command: expect.stringContaining('record'),
  });
});

function readBack(weight: number): number {
  const file = writeSafetensors(
    { tensors: new Map([['x', { shape: [1], data: Float32Array.of(weight) }]]), metadata: {} },
    'F16',
  );
  return readSafetensors(file).tensors.get('x')!.data[0];
}
