/** A run's folder that came from a stranger: nothing outside it is written. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunFolder } from '../../src/cli/run-folder';

const names = ['run.json', 'checkpoint.safetensors', 'link.txt', 'metrics.jsonl', 'trajectories.jsonl'];

test.each(names.flatMap((name) => [name, `${name}.part`]))(
  'a link in place of %s is refused, and its target stays',
  (name) => {
    const outside = mkdtempSync(join(tmpdir(), 'agentlet-outside-'));
    const path = mkdtempSync(join(tmpdir(), 'agentlet-run-'));
    const target = join(outside, 'target');
    writeFileSync(target, 'mine');
    for (const each of names) writeFileSync(join(path, each), '');
    rmSync(join(path, name), { force: true });
    symlinkSync(target, join(path, name));
    expect(() => RunFolder.open(path)).toThrow('plain files only');
    const folder = new RunFolder(path);
    try {
      folder.writeCheckpoint(new Uint8Array(4));
      folder.writeLink('x');
      folder.appendTrajectories([]);
    } catch (error) {
      expect((error as Error).message).toContain('plain files only');
    }
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(readdirSync(path).filter((each) => each.endsWith('.part') && each !== name)).toEqual([]);
    expect(existsSync(join(path, 'checkpoint.safetensors'))).toBe(true);
  },
);

describe('the logs of a run that was killed', () => {
  const rollout = (iteration: number) => JSON.stringify({ iteration, text: `${'Ä'.repeat(50_000)}${iteration}` });
  const metrics = (iteration: number) =>
    JSON.stringify({
      iteration,
      success: 0.5,
      validationSuccess: null,
      sampleTokensPerSecond: 1,
      trainTokensPerSecond: 1,
    });
  const step = (step: number) => JSON.stringify({ step, loss: 1, skipped: 0 });
  const logs = { 'trajectories.jsonl': rollout, 'metrics.jsonl': metrics, 'warm-start.jsonl': step };
  const killed = (name: string, last: string) => {
    const path = mkdtempSync(join(tmpdir(), 'agentlet-killed-'));
    for (const [each, line] of Object.entries(logs))
      writeFileSync(join(path, each), `${[1, 2, 3].map(line).join('\n')}\n`);
    appendFileSync(join(path, name), last);
    return new RunFolder(path);
  };

  test.each(Object.entries(logs))('half a line at the end of %s is dropped', (name, line) => {
    const folder = killed(name, line(2).slice(0, -5));
    expect(folder.rewind(2, 2).map(({ iteration }) => iteration)).toEqual([1, 2]);
    for (const [each, of] of Object.entries(logs))
      expect(readFileSync(join(folder.path, each), 'utf8')).toBe(`${of(1)}\n${of(2)}\n`);
    expect(readdirSync(folder.path).sort()).toEqual(Object.keys(logs).sort());
  });

  test('of two processes at once keep the first line of each iteration and rollout', () => {
    const path = mkdtempSync(join(tmpdir(), 'agentlet-doubled-'));
    const view = (iteration: number, index: number, from: string) => JSON.stringify({ iteration, index, from });
    const both = (line: (at: number, from: string) => string) =>
      `${[1, 2].flatMap((at) => [line(at, 'a'), line(at, 'b')]).join('\n')}\n`;
    const measured = (at: number, from: string) => JSON.stringify({ ...JSON.parse(metrics(at)), from });
    writeFileSync(join(path, 'metrics.jsonl'), both(measured));
    writeFileSync(
      join(path, 'warm-start.jsonl'),
      both((at, from) => JSON.stringify({ step: at, from })),
    );
    writeFileSync(
      join(path, 'trajectories.jsonl'),
      both((at, from) => [0, 1].map((index) => view(at, index, from)).join('\n')),
    );
    const kept = new RunFolder(path).rewind(2, 2);
    expect(kept.map(({ iteration }) => iteration)).toEqual([1, 2]);
    const lines = (name: string) => readFileSync(join(path, name), 'utf8').trim().split('\n');
    expect(lines('metrics.jsonl')).toEqual([measured(1, 'a'), measured(2, 'a')]);
    expect(lines('warm-start.jsonl').length).toBe(2);
    expect(lines('trajectories.jsonl')).toEqual([1, 2].flatMap((at) => [view(at, 0, 'a'), view(at, 1, 'a')]));
  });

  test.each(Object.keys(logs))('a broken line within %s is named, and the file stays', (name) => {
    for (const broken of ['{"iteration":', 'null', '{"iteration":"x"}', '{"step":-1}']) {
      const folder = killed(name, `${broken}\n${logs[name as keyof typeof logs](1)}\n`);
      const before = readFileSync(join(folder.path, name), 'utf8');
      expect(() => folder.rewind(2, 2)).toThrow(`${name}, line 4 is not`);
      expect(readFileSync(join(folder.path, name), 'utf8')).toBe(before);
    }
  });
});

test.each(['/proc/x', '/proc/x/y', '/dev/null/x', 'package.json', 'package.json/x'])(
  '%s as a folder for a run ends in a sentence',
  (path) => {
    expect(() => RunFolder.create(path, 'x')).toThrow(/cannot be a folder to write to: .*Choose another one\.$/);
  },
);

describe('run.json', () => {
  const record = {
    preset: 'bandit',
    config: { rewards: { score: 1 } },
    adapter: 'a GPU',
    engineVersion: '0.4.0',
    nodeVersion: 'v24',
    date: '2026-01-01',
    command: 'npm run train',
    success: { start: null, warm: 0.5, end: 1 },
  };
  const read = (text: string) => {
    const path = mkdtempSync(join(tmpdir(), 'agentlet-record-'));
    writeFileSync(join(path, 'run.json'), text);
    return new RunFolder(path).readRecord();
  };

  test('as a run writes it is read', () => {
    expect(read(JSON.stringify(record))).toEqual(record);
  });

  test.each([
    ['null', 'run.json is not as a run writes it: Invalid type'],
    ['{', 'run.json is not JSON'],
    [JSON.stringify({ ...record, preset: '../../x' }), 'run.json is not as a run writes it: preset: Invalid format'],
    [JSON.stringify({ ...record, success: null }), 'run.json is not as a run writes it: success: Invalid type'],
    [
      JSON.stringify({ ...record, config: { rewards: { score: 'x' } } }),
      'run.json is not as a run writes it: config.rewards.score',
    ],
  ])('%s ends in a sentence', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});
