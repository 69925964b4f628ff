/** What the page knows of its run, through reloads, rollbacks and hours. */
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/run/events';
import { presetByName } from '../../src/config/presets';
import type { Metrics } from '../../src/rl/report';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { Chat } from '../../src/ui/state/run/chat.svelte';
import { LiveRun } from '../../src/ui/state/run/live-run.svelte';
import { Notices } from '../../src/ui/base/notices.svelte';
import { metricsRow } from '../helpers/metrics-row';

const rollout = (iteration: number): RolloutView => ({
  iteration,
  index: 0,
  group: 0,
  taskId: 't',
  prompt: 'p',
  reward: 0,
  advantage: 0,
  success: false,
  end: 'answer',
  steps: [],
});

const iterationEvent = (iteration: number, more: Partial<Metrics> = {}): RunEvent => ({
  type: 'iteration',
  metrics: { ...metricsRow(iteration), ...more },
  rollouts: [rollout(iteration)],
  fingerprint: [],
});

const begunEvent = (id: string): RunEvent => ({
  type: 'begun',
  id,
  config: presetByName('calculator-mini').config,
  warmStart: 'recorded',
  configChanges: [],
});

describe('LiveRun', () => {
  it('counts what is saved nowhere', () => {
    const run = new LiveRun();
    run.take(begunEvent('a'), 0);
    for (let i = 1; i <= 5; i++) run.take(iterationEvent(i), i);
    expect([run.unsaved, run.savedAt]).toEqual([5, null]);
    run.take({ type: 'saved', id: 'a', iteration: 4 }, 6);
    expect([run.unsaved, run.savedAt]).toEqual([1, 4]);
    run.take(iterationEvent(6), 7);
    expect(run.unsaved).toBe(2);
    run.clear('idle');
    expect([run.unsaved, run.savedAt]).toEqual([0, null]);
  });

  it('is as new after it was cleared', () => {
    const facts = (run: LiveRun) => {
      const { state, started, progress, metrics, rollouts, sameTasks, fingerprint, reproduction, sampling } = run;
      const { warmLosses, iterationMs, begun, part, wait, savedAt, checkpoints } = run;
      const told = { state, started, progress, metrics, rollouts, sameTasks, fingerprint, reproduction, sampling };
      return { ...told, warmLosses, iterationMs, begun, part, wait, savedAt, checkpoints };
    };
    const run = new LiveRun();
    const before = facts(run);
    expect([before.state, before.part, before.iterationMs, before.savedAt]).toEqual(['idle', 'prepare', null, null]);
    run.take(begunEvent('a'), 0);
    run.take({ type: 'progress', phase: 'warm-start', done: 1, total: 9 }, 1);
    run.take({ type: 'warm-loss', step: 1, loss: 2 } as never, 2);
    run.take({ type: 'live', prompt: '1+1', text: '2' }, 3);
    run.take({ type: 'same-tasks', sameTasks: [[rollout(0)]] } as never, 4);
    for (let i = 1; i <= 8; i++) run.take(iterationEvent(i), 1000 * i);
    run.take({ type: 'progress', phase: 'rollout', done: 1, total: 1 } as never, 8500);
    run.take({ type: 'saved', id: 'a', iteration: 4 }, 9000);
    run.take({ type: 'checkpoints', iterations: [4], bytes: 1 } as never, 6000);
    run.take({ type: 'reproduction', digests: 1, identicalTo: 1, comparedTo: 1, difference: 0 }, 6000);
    const after = facts(run);
    for (const name of ['begun', 'iterationMs', 'savedAt', 'metrics', 'rollouts', 'sameTasks', 'reproduction'] as const)
      expect([name, after[name]]).not.toEqual([name, before[name]]);
    run.clear(null);
    expect(facts(run)).toEqual(before);
  });

  it('is in its first iteration where it runs without a warm start, also after one that was left', () => {
    const run = new LiveRun();
    run.take({ type: 'state', state: 'running' }, 0);
    expect(run.part).toBe('try');
    run.take({ type: 'progress', phase: 'warm-start', done: 1, total: 9 }, 1);
    run.take({ type: 'state', state: 'running' }, 2);
    expect(run.part).toBe('copy');
    run.clear('preparing');
    run.take({ type: 'state', state: 'running' }, 3);
    expect(run.part).toBe('try');
    run.take({ type: 'progress', phase: 'warm-start', done: 1, total: 9 }, 4);
    run.take(begunEvent('b'), 5);
    expect(run.part).toBe('prepare');
    run.take({ type: 'state', state: 'running' }, 6);
    expect(run.part).toBe('try');
  });

  it('takes no save of the run before it', () => {
    const run = new LiveRun();
    run.take(begunEvent('a'), 0);
    run.clear('preparing');
    run.take({ type: 'saved', id: 'a', iteration: 9 }, 1);
    expect(run.savedAt, 'before its own id is known').toBeNull();
    run.take(begunEvent('b'), 2);
    run.take({ type: 'saved', id: 'a', iteration: 9 }, 3);
    run.take(iterationEvent(1), 4);
    expect([run.unsaved, run.savedAt]).toEqual([1, null]);
  });

  it('shows what is being done and sampled until the run pauses, ends or fails', () => {
    const run = new LiveRun();
    const begin = () => {
      run.take({ type: 'state', state: 'running' }, 0);
      run.take({ type: 'progress', phase: 'evaluating', done: 1, total: 2 }, 1);
      run.take({ type: 'live', prompt: '3+4', text: '7' }, 2);
    };
    for (const state of ['preparing', 'pausing'] as const) {
      begin();
      run.take({ type: 'state', state }, 3);
      expect([run.progress?.phase, run.sampling?.text], state).toEqual(['evaluating', '7']);
    }
    for (const state of ['paused', 'finished', 'failed', 'idle'] as const) {
      begin();
      run.take({ type: 'state', state }, 3);
      expect([run.progress, run.sampling], state).toEqual([null, null]);
    }
  });

  it('shows a restored run at once and goes on from there', () => {
    const run = new LiveRun();
    for (let i = 1; i <= 9; i++) run.take(iterationEvent(i), i);
    const metrics = [1, 2, 3].map((i) => metricsRow(i));
    const warmLosses = [{ step: 1, loss: 2 }];
    const shown = { rollouts: [rollout(3)], sameTasks: [[rollout(0), rollout(3)]] };
    run.take({ type: 'restored', iteration: 3, metrics, ...shown, warmLosses, fingerprint: ['a'] }, 20);
    expect(run.sameTasks).toEqual(shown.sameTasks);
    expect(run.metrics).toEqual(metrics);
    expect([run.iteration, run.unsaved, run.fingerprint, run.warmLosses]).toEqual([3, 0, ['a'], warmLosses]);
    run.take(iterationEvent(4), 21);
    expect(run.metrics.map((each) => each.iteration)).toEqual([1, 2, 3, 4]);
    expect(run.rollouts.map((each) => each.iteration)).toEqual([1, 2, 3, 4]);
  });

  it('lets iterations that are done again take the place of the first ones', () => {
    const run = new LiveRun();
    for (let i = 1; i <= 6; i++) run.take(iterationEvent(i, { success: 0 }), i);
    run.take(iterationEvent(4, { success: 1 }), 7);
    expect(run.metrics.map((each) => [each.iteration, each.success])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 1],
    ]);
    expect(run.rollouts.map((each) => each.iteration)).toEqual([1, 2, 3, 4]);
  });

  it('stays bounded over 10,000 iterations, and keeps every validation and the newest', () => {
    const run = new LiveRun();
    for (let step = 1; step <= 10_000; step++) run.take({ type: 'warm-loss', step, loss: 1 / step }, step);
    for (let i = 1; i <= 10_000; i++) run.take(iterationEvent(i, { validationSuccess: i % 100 === 0 ? 0.5 : null }), i);
    expect(run.metrics.length).toBeLessThanOrEqual(2000);
    expect(run.warmLosses.length).toBeLessThanOrEqual(2000);
    expect(run.rollouts.length).toBeLessThanOrEqual(4000);
    expect(run.iteration).toBe(10_000);
    expect(run.metrics.filter((each) => each.validationSuccess !== null)).toHaveLength(100);
  });
});

describe('Notices', () => {
  it('hold the newest of each kind, and those of a run go with it', () => {
    const notices = new Notices();
    const notice = (kind: string, sentence: string) => ({ kind, sentence, action: null });
    for (let i = 0; i < 100; i++) notices.show(notice('update-skipped', `${i}`));
    notices.show(notice('setup', 'kept'));
    notices.show(notice('queue', 'paused'));
    notices.show(notice('rolled-back', 'back'));
    expect(notices.list.map((each) => each.sentence)).toEqual(['99', 'kept', 'paused', 'back']);
    notices.dismiss('rolled-back');
    notices.clearRun();
    expect(notices.list.map((each) => each.kind)).toEqual(['setup', 'queue']);
  });
});

describe('Chat', () => {
  it('lets the oldest turns go and counts them', async () => {
    const chat = new Chat();
    for (let i = 0; i < 130; i++)
      await chat.ask(`q${i}`, 'Agent', async (listener) =>
        listener({ type: 'done', solved: null, answer: `a${i}`, end: 'answer' }),
      );
    expect([chat.turns.length, chat.forgotten]).toEqual([100, 30]);
    expect([chat.turns[0].question, chat.turns[99].answer]).toEqual(['q30', 'a129']);
    expect(new Set(chat.turns.map((turn) => turn.id)).size).toBe(100);
  });
});
