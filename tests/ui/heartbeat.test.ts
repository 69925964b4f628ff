/** A trainer that is stuck is told from one that is slow, and from a page that slept. */
import { describe, expect, it, vi } from 'vitest';
import { Heartbeat } from '../../src/ui/trainer/trainer-supervisor';

function heartbeat(ask: () => Promise<void>, isExcused = () => false, maxSilenceMs = () => 20_000) {
  const onStuck = vi.fn();
  const heart = new Heartbeat({ ask, isExcused, maxSilenceMs, onStuck });
  let nowMs = 0;
  const beat = async (afterMs = 5000) => {
    nowMs += afterMs;
    heart.beat(nowMs);
    await Promise.resolve();
  };
  return { beat, onStuck };
}

const never = () => new Promise<void>(() => undefined);

describe('Heartbeat', () => {
  it('says nothing of a trainer that answers, however often', async () => {
    const { beat, onStuck } = heartbeat(() => Promise.resolve());
    for (let i = 0; i < 50; i++) await beat();
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('takes a refusal for a sign of life', async () => {
    const { beat, onStuck } = heartbeat(() => Promise.reject(new Error('no')));
    for (let i = 0; i < 50; i++) await beat();
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('calls a trainer stuck after 20 silent seconds, and not before', async () => {
    const { beat, onStuck } = heartbeat(never);
    await beat();
    for (let i = 0; i < 3; i++) await beat();
    expect(onStuck).not.toHaveBeenCalled();
    await beat();
    expect(onStuck).toHaveBeenCalledTimes(1);
  });

  it('does not count the time in which the page slept', async () => {
    const { beat, onStuck } = heartbeat(never);
    await beat();
    for (let i = 0; i < 20; i++) {
      for (let awake = 0; awake < 3; awake++) await beat();
      await beat(60_000);
    }
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('takes a beat for late only when it is more than five seconds late', async () => {
    const silentFor = async (ms: number) => {
      const { beat, onStuck } = heartbeat(never);
      await beat();
      for (let i = 0; i < 4; i++) await beat(ms);
      return onStuck.mock.calls.length;
    };
    expect([await silentFor(10_000), await silentFor(10_001)]).toEqual([1, 0]);
  });

  it('lets an excused trainer be silent, and counts from when it is no more', async () => {
    let excused = true;
    const { beat, onStuck } = heartbeat(never, () => excused);
    for (let i = 0; i < 100; i++) await beat();
    expect(onStuck).not.toHaveBeenCalled();
    excused = false;
    for (let i = 0; i < 3; i++) await beat();
    expect(onStuck).not.toHaveBeenCalled();
    await beat();
    expect(onStuck).toHaveBeenCalledTimes(1);
  });

  it('waits as long as the run at hand may take for a step', async () => {
    let maxSilenceMs = 600_000;
    const { beat, onStuck } = heartbeat(never, undefined, () => maxSilenceMs);
    for (let i = 0; i < 120; i++) await beat();
    expect(onStuck).not.toHaveBeenCalled();
    maxSilenceMs = 20_000;
    await beat();
    expect(onStuck).toHaveBeenCalledTimes(1);
  });

  it('waits out a slow answer', async () => {
    let answer: () => void = () => undefined;
    const { beat, onStuck } = heartbeat(() => new Promise<void>((resolve) => (answer = resolve)));
    for (let i = 0; i < 10; i++) {
      for (let silent = 0; silent < 3; silent++) await beat();
      answer();
      await vi.waitFor(() => undefined);
    }
    expect(onStuck).not.toHaveBeenCalled();
  });
});
