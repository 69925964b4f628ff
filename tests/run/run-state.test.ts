/** The table of a run's states: every event from every state is a transition or a named error. */
import { describe, expect, test } from 'vitest';
import { Gate, RunDropped } from '../../src/run/gate';
import {
  hasEnded,
  isClosed,
  nextPhase,
  phaseEvents,
  runPhases,
  shownState,
  WrongRunEvent,
  type PhaseEvent,
  type RunPhase,
} from '../../src/run/run-state';

/** A row a state, a column an event; `-` for an error. */
const table = `
             start     prepared pause   arrive resume    recover   finish   fail    drop
  new        preparing -        -       -      -         -         -        -       dropped
  preparing  -         running  pausing -      -         preparing finished failed  dropped
  reopening  -         pausing  pausing paused preparing reopening -        failed  dropped
  running    -         running  pausing -      running   preparing finished failed  dropped
  pausing    -         pausing  pausing paused running   reopening finished failed  dropped
  paused     -         -        paused  paused running   reopening -        failed  dropped
  finished   -         -        -       -      -         -         -        -       dropped
  failed     -         -        -       -      -         -         -        -       dropped
  dropped    -         dropped  -       dropped -        dropped   dropped  dropped dropped
`;
const [head, ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

test('the table has every state and every event', () => {
  expect(head).toEqual(phaseEvents);
  expect(rows.map(([phase]) => phase)).toEqual(runPhases);
});

describe.each(rows)('a run that is %s', (phase, ...nexts) => {
  test.each(nexts.map((next, i) => [head[i], next]))('takes %s and is %s', (event, next) => {
    const take = () => nextPhase(phase as RunPhase, event as PhaseEvent);
    if (next === '-') expect(take).toThrow(WrongRunEvent);
    else expect(take()).toBe(next);
  });
});

test('an error names the state and the event', () => {
  expect(() => nextPhase('finished', 'pause')).toThrow('A run that is finished cannot take the event "pause".');
});

test('nobody is told of a run that is new or dropped, and a run that is reopened is preparing', () => {
  expect(runPhases.map(shownState)).toEqual([
    null,
    'preparing',
    'preparing',
    'running',
    'pausing',
    'paused',
    'finished',
    'failed',
    null,
  ]);
  expect(runPhases.filter(isClosed)).toEqual(['reopening', 'pausing', 'paused']);
  expect(runPhases.filter(hasEnded)).toEqual(['finished', 'failed', 'dropped']);
});

describe('the gate', () => {
  function open() {
    const told: string[] = [];
    const gate = new Gate((phase, event) => told.push(`${event} ${phase}`));
    gate.send('start');
    gate.send('prepared');
    return { gate, told };
  }

  test('stops the run once a pause was asked for, until it is resumed', async () => {
    const { gate, told } = open();
    await gate.wait();
    const pause = gate.requestPause();
    const waiting = gate.wait();
    await pause;
    expect([gate.isWaiting, gate.isClosed]).toEqual([true, true]);
    await gate.requestPause();
    gate.send('resume');
    await waiting;
    expect(told).toEqual([
      'start preparing',
      'prepared running',
      'pause pausing',
      'arrive paused',
      'pause paused',
      'resume running',
    ]);
  });

  test('lets both shifts go on that wait at once, and tells one pause', async () => {
    const { gate, told } = open();
    const pause = gate.requestPause();
    const waiting = [gate.wait(), gate.wait()];
    await pause;
    gate.send('resume');
    await Promise.all(waiting);
    expect(told.slice(2)).toEqual(['pause pausing', 'arrive paused', 'resume running']);
  });

  test('interrupts both shifts, one that waits and one that comes later', async () => {
    const { gate } = open();
    void gate.requestPause();
    const waiting = gate.wait();
    gate.interrupt(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
    await expect(gate.wait()).rejects.toThrow('lost');
  });

  test('answers a pause that the run never came to', async () => {
    const { gate } = open();
    const pauses = [gate.requestPause(), gate.requestPause()];
    gate.send('finish');
    await Promise.all(pauses);
    expect(gate.hasEnded).toBe(true);
  });

  test('throws an interruption until it is cleared, and the pause holds through the recovery', async () => {
    const { gate, told } = open();
    void gate.requestPause();
    const waiting = gate.wait();
    gate.interrupt(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
    gate.send('recover');
    gate.clearInterrupt();
    gate.send('prepared');
    const again = gate.wait();
    expect(told.slice(-3)).toEqual(['recover reopening', 'prepared pausing', 'arrive paused']);
    gate.send('drop');
    await expect(again).rejects.toThrow(RunDropped);
    await expect(gate.check()).rejects.toThrow(RunDropped);
  });
});
