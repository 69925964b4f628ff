/**
 * A small table of results as the experiment command writes it: a script, a run of two seeds, and one of which a seed
 * failed.
 */
import type { MeasuredMoment, Results, SeedResult } from '../../src/share/results';

const at = (success: number, outside: number): MeasuredMoment => ({
  inDistribution: { success, reward: success, turns: 2, tokens: 9, solvedByCalls: [0, 8 * success] },
  outOfDistribution: { success: outside, reward: outside, turns: 3, tokens: 12, solvedByCalls: [0, 0, 8 * outside] },
});

const seedResult = (seed: number, end: MeasuredMoment | null, rest: Partial<SeedResult> = {}): SeedResult => ({
  seed,
  start: at(0, 0),
  warm: at(0.25, 0.125),
  end,
  failure: null,
  curves: { success: [0.25, 0.5], turns: [2, 2.5] },
  sampledTokens: 100,
  seconds: 10,
  fingerprint: ['0123456789abcdef'],
  ...rest,
});

export const sampleResults: Results = {
  format: 1,
  name: 'sample',
  title: 'A sample',
  question: 'Which is better?',
  finding: 'PPO is better.',
  paper: { source: 'A paper', finding: 'the first one.' },
  base: 'multi-hop',
  changes: [{ path: 'iterations', from: 30, to: 2 }],
  tasks: 8,
  outOfDistribution: 'Longer questions.',
  engineVersion: '0.2.0',
  adapters: ['a GPU'],
  commits: ['0123456789ab'],
  date: '2026-01-02T03:04:05.678Z',
  command: 'npm run experiment -- sample',
  rows: [
    {
      name: 'rag',
      title: 'Naive RAG',
      paper: 0.1328,
      changes: [],
      inDistribution: { mean: 0.125, low: 0.125, high: 0.125 },
      outOfDistribution: { mean: 0, low: 0, high: 0 },
      turns: { mean: 2, low: 2, high: 2 },
      seeds: [seedResult(1, at(0.125, 0), { start: null, warm: null, curves: { success: [], turns: [] } })],
    },
    {
      name: 'ppo',
      title: 'PPO',
      paper: null,
      changes: [{ path: 'algorithm.name', from: 'grpo', to: 'ppo' }],
      inDistribution: { mean: 0.75, low: 0.5, high: 1 },
      outOfDistribution: { mean: 0.5, low: 0.25, high: 0.75 },
      turns: { mean: 2, low: 2, high: 2 },
      seeds: [seedResult(1, at(0.5, 0.25)), seedResult(2, at(1, 0.75))],
    },
    {
      name: 'gspo',
      title: 'GSPO',
      paper: null,
      changes: [{ path: 'algorithm.name', from: 'grpo', to: 'gspo' }],
      inDistribution: null,
      outOfDistribution: null,
      turns: null,
      seeds: [seedResult(1, null, { failure: 'The weights are not numbers any more.' })],
    },
  ],
};
