/** What a link can prove about a run, and what it cannot. */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { openRunLink, runLink } from '../../src/config/run-link';
import { presetByName } from '../../src/config/presets';
import { packBlob } from '../../src/share/blob';
import { isValidated } from '../../src/share/claim';
import { reproductionOf, type OwnRun } from '../../src/run/reproduction';
import { reachedBy } from '../../src/share/reached';
import { describeReproduction } from '../../src/ui/state/run/reproduction';

const mini = presetByName('calculator-mini').config;
/** A run of 100 steps, validated at step 1, every fourth and the last. */
const config: RunConfig = { ...mini, iterations: 100, evaluation: { tasks: 8, every: 4 } };
const digest = (of: string) => of.repeat(16);
const own: OwnRun = {
  practice: [0, 0, 0, 0],
  validation: [1, 4].map((iteration) => ({ iteration, success: 0 })),
  fingerprint: ['a', 'b', 'c', 'd'].map(digest),
};
const author = (run: { validation?: OwnRun['validation']; fingerprint?: string[] }) =>
  runLink(config, { validation: [], fingerprint: [], adapter: 'a GPU', device: 'gpu', ...run }).then(openRunLink);
const openOld = async (blob: Parameters<typeof packBlob>[0]) =>
  openRunLink(`v=1&ev=0.3.0&preset=calculator-mini&steps=100&evalEvery=4&x=${await packBlob(blob)}`);
const verdictOf = (opened: Awaited<ReturnType<typeof openRunLink>>, run = own) => {
  const found = reproductionOf(opened, run);
  return (
    found &&
    describeReproduction(found, opened.fingerprint?.length ?? 0, reachedBy(opened)?.points.at(-1) ?? null, true)
  );
};

test('a curve without its length, or an empty fingerprint, makes the link unreadable', async () => {
  const curve = '_'.repeat(85) + 'w';
  for (const blob of [
    { curve, fingerprint: [digest('a')] },
    { curve, reached: 3, fingerprint: [] },
  ]) {
    const opened = await openOld(blob);
    expect(opened.problem).toMatch(/packed part cannot be used/);
    expect(verdictOf(opened)).toBeNull();
  }
  expect(verdictOf(await openRunLink('v=1&preset=calculator-mini&from=share'))).toBeNull();
});

test('a curve that claims one iteration is compared whole with it', async () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => (i === 0 ? 0 : 255));
  const opened = await openOld({
    curve: Buffer.from(bytes).toString('base64url'),
    reached: 1,
    fingerprint: [digest('a')],
  });
  expect(reproductionOf(opened, own)).toMatchObject({ comparedTo: 1, difference: 1 });
  expect(verdictOf(opened)?.kind).toBe('different');
});

test('a true digest beside a lying curve is a different run', async () => {
  const opened = await author({
    fingerprint: [digest('a')],
    validation: [1, 4].map((iteration) => ({ iteration, success: 1 })),
  });
  expect(reproductionOf(opened, own)).toMatchObject({ digests: 1, identicalTo: 1, comparedTo: 4, difference: 1 });
  expect(verdictOf(opened)?.kind).toBe('different');
});

test('what a link claims of iterations that this run has not reached is not compared', async () => {
  const opened = await author({
    validation: [1, 40].map((iteration) => ({ iteration, success: iteration === 1 ? 0 : 1 })),
  });
  expect(verdictOf(opened)?.sentence).toMatch(/at iteration 1 of 40 /);
  expect(verdictOf(await author({ validation: [{ iteration: 40, success: 1 }] }))).toBeNull();
});

test('a run is the same as itself, at every length and by links old and new', async () => {
  const practice = Array.from({ length: 100 }, (_, i) => Math.abs(Math.sin(i)));
  const validation = practice.flatMap((success, i) =>
    isValidated(config, i + 1) ? [{ iteration: i + 1, success }] : [],
  );
  const bytes = Array.from({ length: 64 }, (_, i) => {
    const at = (i * 99) / 63;
    const left = Math.floor(at);
    return Math.round(255 * (practice[left] + ((practice[left + 1] ?? 0) - practice[left]) * (at - left)));
  });
  const old = await openOld({ curve: Buffer.from(bytes).toString('base64url'), reached: 100 });
  const opened = await author({ validation, fingerprint: [digest('a')] });
  for (let length = 1; length <= 100; length++) {
    const soFar = {
      practice: practice.slice(0, length),
      validation: validation.filter(({ iteration }) => iteration <= length),
    };
    expect(reproductionOf(opened, { ...soFar, fingerprint: [digest('a')] })!.difference).toBeLessThanOrEqual(1e-4);
    expect(reproductionOf(old, { ...soFar, fingerprint: [] })!.difference).toBeLessThanOrEqual(1 / 255);
  }
});

test('the first digest that differs ends what is identical', async () => {
  const opened = await author({ fingerprint: ['a', 'b', 'f', 'd', 'e'].map(digest) });
  expect(reproductionOf(opened, own)).toMatchObject({ digests: 4, identicalTo: 2, comparedTo: 0, difference: 0 });
});

test('a run is green to its author and its visitor from the last claimed point on, and before it neutral', async () => {
  const practice = Array.from({ length: 12 }, (_, i) => i / 12);
  const validation = [1, 4, 8, 12].map((iteration) => ({ iteration, success: iteration / 12 }));
  const fingerprint = Array.from({ length: 8 }, (_, i) => digest(String(i)));
  const soFar = (length: number): OwnRun => ({
    practice: practice.slice(0, length),
    validation: validation.filter(({ iteration }) => iteration <= length),
    fingerprint: fingerprint.slice(0, length),
  });
  for (let shared = 1; shared <= 12; shared++) {
    const opened = await author({ ...soFar(shared), fingerprint: fingerprint.slice(0, shared) });
    expect(opened).toMatchObject({ problem: null, notices: [] });
    const last = opened.validation!.at(-1)!.iteration;
    for (let length = 1; length <= 12; length++) {
      const isWhole = length >= last && Math.min(8, length) >= Math.min(8, shared);
      expect(verdictOf(opened, soFar(length))?.kind, `${shared} ${length}`).toBe(isWhole ? 'identical' : 'partial');
      const elsewhere = { ...soFar(length), fingerprint: [digest('f')] };
      expect(verdictOf(opened, elsewhere)?.kind).toBe(length >= last ? 'close' : 'partial');
    }
  }
});
