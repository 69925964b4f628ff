import { describe, expect, it } from 'vitest';
import { PhaseClock, StepClock } from '../../src/ui/state/run/step-clock';

describe('StepClock', () => {
  it('says nothing before five intervals', () => {
    const clock = new StepClock();
    for (let step = 0; step < 5; step++) clock.tick(step * 100);
    expect(clock.medianMs).toBeNull();
    clock.tick(500);
    expect(clock.medianMs).toBe(100);
  });

  it('is not moved by one slow step', () => {
    const clock = new StepClock();
    let now = 0;
    for (const interval of [100, 110, 9000, 90, 105, 95]) clock.tick((now += interval));
    expect(clock.medianMs).toBe(105);
  });

  it('does not count time that training stood still', () => {
    const clock = new StepClock();
    for (let step = 0; step <= 5; step++) clock.tick(step * 100);
    clock.interrupt();
    for (let step = 0; step <= 5; step++) clock.tick(60_000 + step * 100);
    expect(clock.medianMs).toBe(100);
  });

  it('follows the last 20 intervals only', () => {
    const clock = new StepClock();
    let now = 0;
    for (let step = 0; step < 30; step++) clock.tick((now += 1000));
    for (let step = 0; step < 20; step++) clock.tick((now += 10));
    expect(clock.medianMs).toBe(10);
  });
});

describe('PhaseClock', () => {
  it('extrapolates the mean speed of the phase', () => {
    const clock = new PhaseClock();
    expect(clock.leftMs(10, 150, 0)).toBeNull();
    expect(clock.leftMs(11, 150, 1000)).toBeNull();
    expect(clock.leftMs(20, 150, 5000)).toBe(65_000);
  });

  it('starts anew when the count falls', () => {
    const clock = new PhaseClock();
    clock.leftMs(100, 200, 0);
    expect(clock.leftMs(1, 200, 5000)).toBeNull();
    expect(clock.leftMs(3, 200, 9000)).toBe(394_000);
  });
});
