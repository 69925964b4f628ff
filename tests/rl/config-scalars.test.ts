import { describe, expect, test } from 'vitest';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { configProblems, type RunConfig } from '../../src/config/config';
import { configFields } from '../../src/config/fields';
import { configFromScalars, scalarsFromConfig } from '../../src/config/scalars';
import { config } from '../helpers/trajectories';

const read = (scalars: Record<string, string>) => configFromScalars(scalars, config);

describe('fields', () => {
  const fields = configFields();

  test('every number, choice and flag of the schema has one, with its bounds', () => {
    const leaves = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, part) => sum + leaves(part), 0)
        : 1;
    const { environment: _, rewards: __, ...rest } = config;
    expect(fields).toHaveLength(leaves(rest));
    expect(fields.find(({ key }) => key === 'lr')).toMatchObject({
      path: 'optimizer.learningRate',
      kind: 'number',
      min: 1e-7,
      max: 0.1,
      scale: 'log',
    });
    expect(fields.find(({ key }) => key === 'steps')).toMatchObject({
      path: 'iterations',
      kind: 'integer',
      min: 1,
      max: 10000,
    });
    expect(fields.find(({ key }) => key === 'tied')).toMatchObject({ kind: 'flag' });
    expect(fields.find(({ key }) => key === 'mlp')).toMatchObject({ kind: 'choice', choices: ['swiglu', 'gelu'] });
  });

  test('keys are unique, and none is taken by the link itself', () => {
    const keys = fields.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => ['v', 'ev', 'x', 'preset', 'env'].includes(key))).toEqual([]);
  });
});

describe('scalars', () => {
  const changed: RunConfig = {
    ...config,
    seed: 7,
    environment: { name: 'calculator', options: { difficulty: 3, mode: 'hard' } },
    model: { ...config.model, tied: false, mlp: 'gelu' },
    optimizer: { ...config.optimizer, learningRate: 3e-4, warmup: 1000 },
    rewards: { correct: 2.5, format: 0.1 },
  };

  test('only differences are written, readably', () => {
    expect(scalarsFromConfig(config, config)).toEqual({});
    expect(scalarsFromConfig(changed, config)).toEqual({
      seed: '7',
      lr: '3e-4',
      warmup: '1000',
      tied: 'off',
      mlp: 'gelu',
      'opt.difficulty': '3',
      'opt.mode': 'hard',
      'reward.correct': '2.5',
    });
  });

  test('what was written is read back exactly', () => {
    expect(read(scalarsFromConfig(changed, config))).toEqual({ config: changed, notices: [] });
    const awkward = { ...config, optimizer: { ...config.optimizer, learningRate: 0.1 / 3, gradientClip: 123.456 } };
    expect(read(scalarsFromConfig(awkward, config)).config).toEqual(awkward);
  });

  test('an algorithm brings its settings along, and only what differs from those is written', () => {
    const dapo = withAlgorithm(config, 'dapo');
    expect(scalarsFromConfig(dapo, config)).toEqual({ algo: 'dapo' });
    expect(read({ algo: 'dapo' })).toEqual({ config: dapo, notices: [] });
    const changed = {
      ...dapo,
      algorithm: { ...dapo.algorithm, clipHigh: config.algorithm.clipHigh + 1 },
      filter: config.filter,
    };
    expect(scalarsFromConfig(changed, config)).toEqual({ algo: 'dapo', clipHigh: '1.28', filter: 'none', refill: '0' });
    expect(read(scalarsFromConfig(changed, config))).toEqual({ config: changed, notices: [] });
    expect(read({ algo: 'alchemy' }).config).toEqual(config);
  });

  test('values out of range are clamped with a notice', () => {
    const { config: got, notices } = read({ lr: '5', steps: '2.4', group: '1e999', 'reward.correct': '-70' });
    expect(got.optimizer.learningRate).toBe(0.1);
    expect(got.iterations).toBe(2);
    expect(got.rollout.group).toBe(64);
    expect(got.rewards.correct).toBe(-10);
    expect(notices).toHaveLength(4);
    expect(notices[0]).toBe('Learning rate (lr) cannot be "5"; it takes numbers from 1e-7 to 0.1. 0.1 is used.');
  });

  test('values of the wrong kind keep the preset, with a notice', () => {
    const { config: got, notices } = read({
      lr: 'fast',
      tied: 'maybe',
      mlp: 'relu',
      seed: '',
      'reward.correct': 'NaN',
    });
    expect(got).toEqual(config);
    expect(notices).toHaveLength(5);
    expect(notices[2]).toBe('MLP (mlp) cannot be "relu"; it takes swiglu, gelu. swiglu is used.');
  });

  test('unknown keys are ignored and listed', () => {
    const { config: got, notices } = read({
      speed: '3',
      ['__proto__']: '1',
      'opt.__proto__': '1',
      'reward.constructor': '1',
    });
    expect(got).toEqual(config);
    expect(notices[0]).toBe('"speed" is not a setting of this version; it was ignored.');
    expect(notices).toHaveLength(4);
  });

  test('settings that do not fit together leave the preset', () => {
    const { config: got, notices } = read({ heads: '7', seed: '9' });
    expect(got).toEqual(config);
    expect(notices[0]).toMatch(/do not fit together.*model\.width: 64 does not divide by 7 heads/);
  });

  test('the base is not changed, and the result is always valid', () => {
    const before = structuredClone(config);
    for (const [key, value] of [
      ['lr', '9'],
      ['env', 'A B'],
      ['opt.x', 'y'.repeat(65)],
      ['tokens', '512'],
    ])
      expect(configProblems(read({ [key]: value }).config)).toEqual([]);
    expect(config).toEqual(before);
  });

  test('text of a stranger is quoted without invisible characters', () => {
    const [notice] = read({ ['\u202Eabc\u0000'.repeat(20)]: '1' }).notices;
    expect(notice).not.toMatch(/[\u202E\u0000]/);
    expect(notice.length).toBeLessThan(120);
  });
});
