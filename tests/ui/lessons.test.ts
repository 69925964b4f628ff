/** The lessons: their questions can be answered, their links open in the Lab, and their pieces of logic. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { policyTerm } from '../../src/algorithms/policy-term';
import { warmStartKind } from '../../src/rl/learner/recorded-start';
import { cappedOverlongPenalty } from '../../src/algorithms/rewards/overlong';
import type { RolloutView } from '../../src/rl/rollouts/view';
import type { Results } from '../../src/share/results';
import { compareRollouts } from '../../src/rl/diagnostics/comparison';
import { openRunLink } from '../../src/config/run-link';
import type { Figure, Lesson } from '../../src/lessons/lesson';
import { lessons as all } from '../../src/lessons/table';
import { addressOf, learnView, partsOf, sectionStep } from '../../src/ui/pages/learn/lesson-page';
import {
  advantagesOf,
  curveOf,
  firstGroup,
  withRewards,
  tokenOf,
  longestAttempt,
  ratios,
  readAtTurns,
  shownEstimators,
  stepsOf,
} from '../../src/ui/pages/learn/figures/figures';
import { pathOf, ticksOf } from '../../src/share/line-svg';
import { recordedRun } from '../helpers/recorded-run';
import { metricsRow } from '../helpers/metrics-row';

const lessons: readonly Lesson[] = all;
const figuresOf = ({ sections, prediction }: Lesson): Figure[] => [
  ...sections.flatMap(({ figure }) => figure ?? []),
  prediction.figure,
];
const tableOf = (name: string) => JSON.parse(readFileSync(`public/results/${name}.json`, 'utf8')) as Results;

describe.each(lessons)('the lesson “$title”', (lesson) => {
  it('asks questions with one right choice, and explains every choice', () => {
    expect(lesson.checks.length).toBeGreaterThanOrEqual(2);
    for (const { choices } of lesson.checks) {
      expect(choices.filter(({ right }) => right)).toHaveLength(1);
      expect(choices.length).toBeGreaterThanOrEqual(3);
      expect(choices.every(({ why }) => why.endsWith('.'))).toBe(true);
    }
    expect(lesson.prediction.guesses.length).toBeGreaterThanOrEqual(2);
  });

  it('writes settings, of the Lab and of its own runs, that exist', async () => {
    const runs = figuresOf(lesson).flatMap((figure) => ('runs' in figure ? figure.runs : []));
    for (const link of [lesson.lab.link, ...runs.map((run) => run.link)]) {
      const { notices, config } = await openRunLink(link);
      expect(notices, link).toEqual([]);
      expect(readFileSync(`public/recordings/${new URLSearchParams(link).get('preset')}.json`)).toBeTruthy();
      expect(config.device === 'cpu' || link === lesson.lab.link).toBe(true);
    }
  });

  it('begins its runs with recorded weights, so that nobody waits for imitation', async () => {
    const runs = figuresOf(lesson).flatMap((figure) => ('runs' in figure ? figure.runs : []));
    for (const { link } of runs) expect(warmStartKind((await openRunLink(link)).config), link).toBe('recorded');
  });

  it('shows rows that the tables have', () => {
    for (const figure of figuresOf(lesson)) {
      if (figure.kind !== 'results') continue;
      const names = tableOf(figure.table).rows.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([...figure.rows]));
    }
  });
});

describe('what the lessons say of measurements', () => {
  const solved = (table: string, row: string) => tableOf(table).rows.find(({ name }) => name === row)!.inDistribution!;

  it('GRPO and RLOO learn to search on every seed, the others stop on some, and their ranges overlap', () => {
    const rows = ['grpo', 'rloo', 'reinforce', 'ppo'].map((name) => solved('methods', name));
    for (const { mean } of [rows[0], rows[1], rows[3]])
      expect(mean).toBeGreaterThan(solved('methods', 'warm').high + 0.4);
    const ends = (name: string) =>
      tableOf('methods')
        .rows.find((row) => row.name === name)!
        .seeds.map(({ end }) => end!.inDistribution.success);
    for (const name of ['grpo', 'rloo']) expect(Math.min(...ends(name)), name).toBeGreaterThan(0.9);
    const stopped = (name: string) => ends(name).filter((success) => Math.abs(success - 0.7) < 0.05).length;
    expect([stopped('reinforce'), stopped('ppo')]).toEqual([2, 1]);
    expect(Math.max(...rows.map(({ low }) => low))).toBeLessThan(Math.min(...rows.map(({ high }) => high)));
  });

  it('seed by seed PPO rises later than GRPO', () => {
    const practice = (name: string) =>
      tableOf('methods')
        .rows.find((row) => row.name === name)!
        .seeds.map(({ curves }) => curves.success!.reduce((sum, success) => sum + success!, 0));
    const grpo = practice('grpo');
    expect(grpo).toHaveLength(5);
    practice('ppo').forEach((area, seed) => expect(area).toBeLessThan(grpo[seed]));
  });

  it('without the advantage mask λ 0.9 harms the choice before 130 words on each seed, and λ 1 on none', () => {
    const rowOf = (name: string) => tableOf('masks').rows.find((row) => row.name === name)!;
    const ends = (name: string) => rowOf(name).seeds.map(({ end }) => end!.inDistribution.success);
    for (const name of ['both-095-130', 'learns-1-130', 'learns-09-10'])
      expect(ends(name), name).toEqual([1, 1, 1, 1, 1]);
    const { seeds } = rowOf('learns-09-130');
    expect(seeds).toHaveLength(5);
    for (const { warm, end } of seeds) expect(end!.inDistribution.success).toBeLessThan(warm!.inDistribution.success);
  });

  it('with the penalty the best reward is that of not calling', async () => {
    const { runs } = figuresOf(lessons.at(-1)!).find((figure) => figure.kind === 'train')!;
    const { config } = await openRunLink(runs[1].link);
    const { overlong: factor, overlongFrom, overlongBuffer: buffer } = config.shaping;
    const earns = (right: number, tokens: number) =>
      right * config.rewards.correct +
      cappedOverlongPenalty(tokens, { longest: overlongFrom + buffer, buffer, factor });
    expect(earns(1, 10), 'a call and a right answer').toBe(earns(0, 3));
    expect(earns(0, 10), 'a call and a wrong answer').toBeLessThan(earns(0, 3));
  });

  it('the preset’s learning rate is the one that is named', async () => {
    expect((await openRunLink('v=1&preset=calculator-mini')).config.optimizer.learningRate).toBe(0.0006);
  });

  it('the recorded calculator is wrong before and right after, with one more call', () => {
    const [before, , after] = recordedRun('calculator').answers[0];
    expect([before.success, after.success]).toEqual([false, true]);
    expect(after.steps.length).toBe(before.steps.length + 1);
  });
});

describe('the figure of the context', () => {
  it('counts what is read again at each turn', () => {
    const attempt = longestAttempt(recordedRun('household').rollouts);
    const turns = readAtTurns(attempt);
    expect(turns.length).toBeGreaterThan(2);
    turns.slice(1).forEach(({ read }, i) => expect(read).toBeGreaterThan(turns[i].read + turns[i].wrote));
  });

  it('is of the longest rollout, the first of several, and counts a context that begins anew whole', () => {
    const step = (prompt: number, wrote: number, continues: boolean) => ({
      promptTokens: Array<number>(prompt).fill(0),
      tokens: Array<number>(wrote).fill(0),
      continues,
    });
    const rollout = (...steps: object[]) => ({ steps }) as unknown as RolloutView;
    const two = rollout(step(5, 2, false), step(3, 1, true));
    expect(longestAttempt([rollout(step(9, 9, false)), two, rollout(step(1, 1, false), step(1, 1, true))])).toBe(two);
    expect(readAtTurns(two)).toEqual([
      { read: 5, wrote: 2 },
      { read: 10, wrote: 1 },
    ]);
    expect(readAtTurns(rollout(step(5, 2, false), step(3, 1, false)))[1]).toEqual({ read: 3, wrote: 1 });
  });
});

describe('the figure of runs', () => {
  it('draws success or turns by iteration, over as many as the link asks for', () => {
    const metrics = [metricsRow(1, { success: 0.2, turns: 3 }), metricsRow(2, { success: 0.5, turns: 1 })];
    expect(curveOf(metrics, 'success')).toEqual([
      { x: 1, y: 0.2 },
      { x: 2, y: 0.5 },
    ]);
    expect(curveOf(metrics, 'turns').map(({ y }) => y)).toEqual([3, 1]);
    expect(stepsOf('v=1&preset=bandit&steps=8')).toBe(8);
  });
});

describe('small curves', () => {
  it('have round numbers on their axes', () => {
    expect(ticksOf(0, 1, 4)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(ticksOf(1, 8, 6)).toEqual([2, 4, 6, 8]);
    expect(ticksOf(-2, 2, 4)).toEqual([-2, -1, 0, 1, 2]);
  });

  it('go through their points', () => {
    const at = { x: (value: number) => 10 * value, y: (value: number) => -value };
    expect(
      pathOf(
        [
          { x: 0, y: 1 },
          { x: 1, y: 2 },
        ],
        at,
      ),
    ).toBe('M0.0 -1.0L10.0 -2.0');
  });
});

describe('the figure of the clip', () => {
  it('asks for tokens of the ratio that it says', () => {
    const { logProb, oldLogProb, advantage } = tokenOf(1.5, -1);
    expect(Math.exp(logProb - oldLogProb)).toBeCloseTo(1.5);
    expect(advantage).toBe(-1);
  });

  it('spans ratios up to 2 in equal steps, 1 among them', () => {
    expect([ratios[0], ratios.at(-1), ratios.includes(1)]).toEqual([0.025, 2, true]);
    for (const [i, ratio] of ratios.entries()) expect(ratio).toBeCloseTo(0.025 * (i + 1));
  });

  it('is flat behind the bound, on the side of the advantage', () => {
    const loss = (ratio: number, advantage: number) => {
      const token = tokenOf(ratio, advantage);
      return policyTerm('clip', token, [token], { clipLow: 0.2, clipHigh: 0.28, dualClip: 3 }).loss;
    };
    expect(loss(1.6, 1)).toBeCloseTo(loss(1.9, 1));
    expect(loss(0.4, -1)).toBeCloseTo(loss(0.7, -1));
    expect(loss(0.4, 1)).not.toBeCloseTo(loss(0.7, 1));
  });
});

describe('the figure of advantages', () => {
  const { rollouts, config } = recordedRun('calculator-mini');
  const group = firstGroup(rollouts);
  const under = (rewards: readonly number[]) =>
    advantagesOf(compareRollouts(withRewards(group, rewards), config, { correct: 1 }), group.length);

  it('shows what the run trained with, as long as no reward is moved', () => {
    const recorded = under(group.map(({ reward }) => reward));
    group.forEach(({ advantage }, i) => expect(recorded[i][0]).toBeCloseTo(advantage, 2));
  });

  it('has the rollouts in their order, and nothing for an estimator that is not there', () => {
    const mixed = [group[2], group[0], group[1]];
    expect(firstGroup(mixed)).toEqual(group.slice(0, 3));
    const columns = [{ short: 'RLOO', credits: [{ whole: { mean: 2 } }, { whole: null }] }];
    expect(advantagesOf({ columns } as unknown as Parameters<typeof advantagesOf>[0], 2)).toEqual([
      [0, 0, 2],
      [0, 0, 0],
    ]);
    expect(shownEstimators).toHaveLength(3);
  });

  it('shows exactly 0 where all rewards are equal', () => {
    expect(under(group.map(() => 0.7)).flat()).toEqual(group.flatMap(() => [0, 0, 0]));
  });

  it('shows less for the first success once there is a second', () => {
    const [[alone]] = under([1, 0, 0, 0, 0, 0, 0, 0]);
    const [[shared]] = under([1, 1, 0, 0, 0, 0, 0, 0]);
    expect(alone).toBeGreaterThan(shared);
    expect(shared).toBeGreaterThan(0);
  });
});

it('finds the lesson of an address', () => {
  expect(learnView('#/learn', 6)).toBe('list');
  expect(learnView('#/learn/3', 6)).toBe(3);
  expect(learnView('#/learn/6', 6)).toBe(6);
  expect(learnView('#/learn/0', 6)).toBe('list');
  expect(learnView('#/learn/7', 6)).toBe('list');
  expect(learnView('#/learn/teachers', 6)).toBe('teachers');
  expect(['list', 2, 'teachers'].map((view) => addressOf(view as 2))).toEqual([
    '#/learn',
    '#/learn/2',
    '#/learn/teachers',
  ]);
});

it('reads terms and code in a sentence, and leaves the rest', () => {
  expect(partsOf('`a`*b*')).toEqual([
    { kind: 'code', text: 'a' },
    { kind: 'term', text: 'b' },
  ]);
  expect(partsOf('A *group* calls `calc(3*4)` twice.')).toEqual([
    { kind: 'text', text: 'A ' },
    { kind: 'term', text: 'group' },
    { kind: 'text', text: ' calls ' },
    { kind: 'code', text: 'calc(3*4)' },
    { kind: 'text', text: ' twice.' },
  ]);
});

it('goes from section to section by the arrow keys alone', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, target: null };
  const press = (key: string, more: object = {}) => sectionStep({ key, ...plain, ...more });
  expect([press('ArrowRight'), press('ArrowLeft'), press('a')]).toEqual([1, -1, 0]);
  for (const held of ['ctrlKey', 'metaKey', 'altKey']) expect(press('ArrowRight', { [held]: true }), held).toBe(0);
});
