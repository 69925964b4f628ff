/**
 * The status on a run: in range, out of it for a moment, out of it for good, and out of it because nothing is left to
 * learn.
 */
import { expect, test } from 'vitest';
import { healthChecks, isHealthy, statusOf, statuses } from '../../src/share/health';
import type { Metrics } from '../../src/rl/report';
import { metricsRow } from '../helpers/metrics-row';

const checkOf = (key: string) => healthChecks.find((each) => each.key === key)!;
const rows = (values: readonly Partial<Metrics>[]): Metrics[] =>
  values.map((each, i) => ({ ...metricsRow(i + 1, { rewardStd: 0.4 }), ...each }));
const stateOf = (key: string, values: readonly Partial<Metrics>[]) => statusOf(checkOf(key), rows(values))?.state;

test('a number out of its range is watched, and an alarm once it stays there', () => {
  const norm = (...values: number[]) =>
    stateOf(
      'gradientNorm',
      values.map((gradientNorm) => ({ gradientNorm })),
    );
  expect([norm(1), norm(1, 20), norm(20, 20), norm(20, 20, 20), norm(20, 20, 20, 1), norm(20, 20, 1, 20)]).toEqual([
    'ok',
    'watch',
    'watch',
    'alarm',
    'ok',
    'watch',
  ]);
});

test('what falls as tasks are solved is no alarm then, and is one where they are not', () => {
  const alike = (success: number) => ({ rewardStd: 0, zeroSignalGroups: 1, entropy: 0.001, success });
  for (const key of ['rewardStd', 'zeroSignalGroups', 'entropy']) {
    expect(stateOf(key, [alike(0.95), alike(0.95), alike(0.95)]), key).toBe('solved');
    expect(stateOf(key, [alike(0), alike(0), alike(0)]), key).toBe('alarm');
    expect(stateOf(key, [alike(0.95), alike(0.95), alike(0.5)]), key).toBe('watch');
  }
  expect(stateOf('gradientNorm', [{ gradientNorm: 50, success: 1 }]), 'not every number may leave its range').toBe(
    'watch',
  );
});

const diagnosticsOf = (mutualInformation: number | null, more: Partial<NonNullable<Metrics['diagnostics']>> = {}) => ({
  diagnostics: {
    clippedAbove: 0,
    clippedBelow: 0,
    dualClipped: 0,
    shift: 0,
    epochs: 1,
    learnedFrom: 1,
    klCoefficient: 0,
    partNorms: null,
    critic: null,
    explainedVariance: null,
    echoTrap: false,
    information:
      mutualInformation === null
        ? null
        : { mutualInformation, upperBound: 2, conditionalEntropy: 1, entropy: 1, retrievalAccuracy: 1 },
    ...more,
  },
});

test('a critic that explains next to nothing is watched at once, and an alarm after ten iterations', () => {
  const dead = (count: number) => Array.from({ length: count }, () => diagnosticsOf(null, { explainedVariance: 0.01 }));
  const states = [0.5, 0.1].map((explainedVariance) =>
    stateOf('explainedVariance', [diagnosticsOf(null, { explainedVariance })]),
  );
  expect(states).toEqual(['ok', 'ok']);
  expect(stateOf('explainedVariance', dead(9))).toBe('watch');
  expect(stateOf('explainedVariance', dead(10))).toBe('alarm');
});

test('nothing is watched on a solved task for what solving it brings about', () => {
  const solved = {
    success: 1,
    rewardStd: 0,
    zeroSignalGroups: 1,
    entropy: 0,
    kl: 4.5,
    ...diagnosticsOf(-1e-6, { explainedVariance: -3 }),
  };
  const all = [...rows([{ success: 0.3, ...diagnosticsOf(1.5) }]), ...rows(Array.from({ length: 20 }, () => solved))];
  expect(
    statuses(all).flatMap(({ check, state }) => (state === 'watch' || state === 'alarm' ? check.key : [])),
  ).toEqual([]);
});

test('information that prompts never had cannot be lost', () => {
  const bandit = [0.001, -0.001, 0, 0].map((each) => ({ success: 0.5, ...diagnosticsOf(each) }));
  expect(stateOf('information', bandit)).toBe('unreached');
  expect(stateOf('information', [diagnosticsOf(1), ...bandit])).toBe('alarm');
});

test('iterations that did not measure a number are passed over', () => {
  const run = [diagnosticsOf(1.8), diagnosticsOf(0.1), diagnosticsOf(null), diagnosticsOf(0.2), diagnosticsOf(null)];
  expect(statusOf(checkOf('information'), rows(run))).toMatchObject({ value: 0.1, state: 'alarm' });
  expect(statusOf(checkOf('information'), rows(run.slice(0, 3)))).toMatchObject({ value: 0.05, state: 'watch' });
  expect(statusOf(checkOf('kl'), rows([2, null, null, 3, null].map((kl) => ({ kl }))))).toMatchObject({
    value: 3,
    state: 'alarm',
  });
  expect(statusOf(checkOf('explainedVariance'), rows(run))).toBeNull();
  expect(stateOf('echoTrap', [diagnosticsOf(null, { echoTrap: true })]), 'it has been patient already').toBe('alarm');
});

test('a run of an earlier version is judged by what it recorded', () => {
  const keys = statuses(rows([{}, {}])).map(({ check }) => check.key);
  expect(keys).toEqual(['rewardStd', 'zeroSignalGroups', 'entropy', 'kl', 'gradientNorm', 'truncated']);
  expect(statuses([])).toEqual([]);
});

test('ranges include their ends, and nothing measured is nothing to complain of', () => {
  const truncated = checkOf('truncated');
  expect([0, 0.1, 0.11, null].map((value) => isHealthy(truncated, value))).toEqual([true, true, false, true]);
});
