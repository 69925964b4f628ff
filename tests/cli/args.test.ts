import { expect, test } from 'vitest';
import { parseCommand } from '../../src/cli/args';

const spec = {
  name: 'train',
  positionals: '<preset>',
  count: { min: 1, max: 1 },
  flags: {
    seed: { kind: 'integer', help: 'seed of the run', min: 0 },
    out: { kind: 'text', help: 'folder for the files', value: 'DIR' },
    json: { kind: 'flag', help: 'print one object last' },
  },
} as const;

test('values arrive typed, in any order and either spelling', () => {
  expect(parseCommand(spec, ['--seed=3', 'calculator', '--json', '--out', 'runs/a'])).toEqual({
    positionals: ['calculator'],
    flags: { seed: 3, out: 'runs/a', json: true },
  });
  expect(parseCommand(spec, ['calculator'])?.flags).toEqual({ seed: undefined, out: undefined, json: false });
});

test('a flag that may be given often gathers its values', () => {
  const often = { ...spec, flags: { set: { kind: 'texts', help: 'a setting' } } } as const;
  expect(parseCommand(often, ['x', '--set', 'lr=1', '--set=seed=2'])?.flags).toEqual({ set: ['lr=1', 'seed=2'] });
  expect(parseCommand(often, ['x'])?.flags).toEqual({ set: [] });
});

test.each([
  [['calculator', '--sed', '3'], 'train knows no flag --sed. Did you mean --seed?'],
  [['calculator', '--seed'], '--seed needs a value: seed of the run.'],
  [['calculator', '--seed', 'x'], '--seed is "x", but must be a whole number.'],
  [['calculator', '--seed', '1.5'], '--seed is "1.5", but must be a whole number.'],
  [['calculator', '--seed=-1'], '--seed is -1, but must be at least 0.'],
  [['calculator', '--json=yes'], '--json takes no value.'],
  [[], 'train needs <preset>.'],
  [['calculator', 'maze'], 'train does not know what to do with "maze".'],
  [['calculator', '--constructor'], 'train knows no flag --constructor.'],
])('%j is refused with a sentence and a line on --help', (args, sentence) => {
  expect(() => parseCommand(spec, args)).toThrow(new Error(`${sentence}\nAll flags: npm run train -- --help`));
});
