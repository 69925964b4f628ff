/**
 * Rounds that teach come in by a link, a flag, a file or a whole config, and each door has the same checks: too many,
 * too long, or no rounds at all end in one sentence.
 */
import { describe, expect, test } from 'vitest';
import { settingFromFlag, settingsFromObject, withSettings } from '../../src/cli/settings';
import { configProblems, parseConfig, type RunConfig } from '../../src/config/config';
import { configDiff } from '../../src/config/difference';
import { configFields } from '../../src/config/fields';
import { presetByName } from '../../src/config/presets';
import { readRounds, writeRounds } from '../../src/config/rounds';
import { openRunLink, runLink } from '../../src/config/run-link';
import { recordedPreset } from '../../src/rl/learner/recorded-start';
import { packBlob } from '../../src/share/blob';
import { hasConfigShape } from '../../src/share/config-shape';

const { config } = presetByName('calculator');
const call = (expression: string) => ({ calls: [{ name: 'calc', arguments: { expression } }] });
const round = { task: 3, turns: [call('1+2'), { answer: '3' }] };
const line = writeRounds([round]);
const withRounds = (rounds: string): RunConfig => ({ ...config, warmStart: { ...config.warmStart, rounds } });

test('rounds are written and read back', () => {
  const rounds = [round, { task: 0, turns: [{ answer: 'ü "quoted"\n' }] }];
  expect(readRounds(writeRounds(rounds))).toEqual(rounds);
  expect(writeRounds(rounds).split('\n')).toHaveLength(2);
  expect(readRounds(`\n${line}\r\n\n`)).toEqual([round]);
  expect(readRounds()).toEqual([]);
});

/** The problems of a config with these rounds, by each door. */
const doors: Readonly<Record<string, (rounds: string) => Promise<readonly string[]> | readonly string[]>> = {
  'a link': async (rounds) => {
    const { problem } = await openRunLink(`v=1&preset=calculator&x=${await packBlob({ rounds })}`);
    return problem === null ? [] : [problem];
  },
  '--set': (rounds) => configProblems(withSettings(config, [settingFromFlag(`warmStart.rounds=${rounds}`)])),
  'a file of settings': (rounds) =>
    configProblems(withSettings(config, settingsFromObject({ warmStart: { rounds } }, 'tiny.json'))),
  'a whole config, as of a checkpoint or a stored queue': (rounds) => configProblems(withRounds(rounds)),
};

describe.each(Object.entries(doors))('by %s', (_, door) => {
  test('sound rounds are taken', async () => {
    expect(await door(`${line}\n${line}`)).toEqual([]);
    expect(await door(Array.from({ length: 64 }, () => line).join('\n'))).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['too many', Array.from({ length: 65 }, () => line).join('\n'), 'there are 65 rounds, and 64 are the most.'],
    ['too long', writeRounds([{ task: 1, turns: [{ answer: 'ü'.repeat(12_288) }] }]), 'bytes of rounds, and 24576 are'],
    ['one turn too many', writeRounds([{ ...round, turns: Array.from({ length: 65 }, () => call('1+2')) }]), 'line 1'],
    ['no turn', '{"task":1,"turns":[]}', 'line 1 is no round, {task, turns}: turns'],
    ['no task', `${line}\n{"turns":[{"answer":"3"}]}`, 'line 2 is no round, {task, turns}'],
    ['a task far away', writeRounds([{ ...round, task: 10_000 }]), 'line 1 is no round, {task, turns}: task'],
    ['half a task', writeRounds([{ ...round, task: 0.5 }]), 'line 1 is no round, {task, turns}: task'],
    ['a turn of another shape', '{"task":1,"turns":[{"say":"3"}]}', 'a turn is {calls: [{name, arguments}, …]} or {'],
    ['more than a round', '{"task":1,"turns":[{"answer":"3"}],"reward":9}', 'line 1 is no round'],
    ['no JSON', `${line}\nrounds`, 'line 2 is not JSON: column 1 cannot be read.'],
    ['a depth', `{"task":1,"turns":${'['.repeat(40)}${']'.repeat(40)}}`, 'line 1 nests deeper than 32 levels.'],
  ])('%s ends in one sentence', async (_case, rounds, sentence) => {
    const problems = await door(rounds);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
    expect(problems[0].length).toBeLessThan(400);
    expect(problems[0]).toMatch(/\.$/);
  });
});

test('a link carries the rounds, and only where there are some', async () => {
  const taught = parseConfig(withRounds(line));
  const link = await runLink(taught, null);
  expect(await openRunLink(link)).toMatchObject({ problem: null, notices: [], preset: 'calculator' });
  expect((await openRunLink(link)).config).toEqual(taught);
  expect(await runLink(config, null)).not.toContain('x=');
});

test('with rounds no recorded start fits, and a difference names them', () => {
  expect(recordedPreset(config)).toBe('calculator');
  expect(recordedPreset(withRounds(line))).toBeNull();
  expect(configDiff([config, withRounds(line)], configFields())).toEqual([
    { path: 'warmStart.rounds', title: 'Rounds that teach', values: ['–', 'version A'] },
  ]);
});

test('what was stored is listed if its rounds are a text', () => {
  expect(hasConfigShape(withRounds(line))).toBe(true);
  expect(hasConfigShape(withRounds(7 as never))).toBe(false);
});
