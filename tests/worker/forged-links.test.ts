/**
 * Every combination of the parts of a link that say something about its author's run, true and forged, against a run
 * that has none of the forged results. A verdict is green only where every part is true.
 */
import { describe, expect, test } from 'vitest';
import { engineVersion, openRunLink } from '../../src/config/run-link';
import { packBlob, type LinkBlob } from '../../src/share/blob';
import { reachedBy } from '../../src/share/reached';
import { describeReproduction } from '../../src/ui/state/run/reproduction';
import { reproductionOf, type OwnRun } from '../../src/run/reproduction';

const settings = `v=1&ev=${engineVersion}&preset=calculator-mini&steps=8&evalEvery=4`;
const open = async (blob: LinkBlob, head = settings) => openRunLink(`${head}&x=${await packBlob(blob)}`);
const digest = (of: number) => of.toString(16).repeat(16);
const digests = Array.from({ length: 8 }, (_, i) => digest(i + 1));
const practice = [0, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4];
const own = (length: number): OwnRun => ({
  practice: practice.slice(0, length),
  validation: [1, 4, 8].filter((at) => at <= length).map((iteration) => ({ iteration, success: iteration / 20 })),
  fingerprint: digests.slice(0, length),
});
const bytes = (at: (i: number) => number) =>
  Buffer.from(Uint8Array.from({ length: 64 }, (_, i) => Math.round(255 * at(i)))).toString('base64url');
const practiceAt = (place: number) => {
  const left = Math.floor(place);
  return practice[left] + ((practice[left + 1] ?? 0) - practice[left]) * (place - left);
};

/** What a part says: the truth, something that a run of these settings could say, or what none could. */
type Truth = 'true' | 'false' | 'impossible';
type Part<T> = readonly [truth: Truth, part: T];

const fingerprints: readonly Part<LinkBlob['fingerprint']>[] = [
  ['true', undefined],
  ['true', digests],
  ['true', digests.slice(0, 1)],
  ['true', digests.slice(0, 4)],
  ['false', digests.map((each, i) => (i === 7 ? digest(15) : each))],
  ['false', [digest(15)]],
  ['impossible', [...digests, digest(9)]],
  ['impossible', Array.from({ length: 64 }, () => digest(1))],
];
const validations: readonly Part<LinkBlob['validation']>[] = [
  ['true', undefined],
  ['true', [[1, 0.05]]],
  [
    'true',
    [
      [1, 0.05],
      [4, 0.2],
      [8, 0.4],
    ],
  ],
  ['true', [[8, 0.4]]],
  [
    'false',
    [
      [1, 0.05],
      [4, 0.2],
      [8, 1],
    ],
  ],
  [
    'false',
    [
      [1, 0.05],
      [4, 1],
    ],
  ],
  ['false', [[8, 1]]],
  [
    'impossible',
    [
      [1, 0.05],
      [1_000_000, 1],
    ],
  ],
  [
    'impossible',
    [
      [1, 0.05],
      [3, 1],
    ],
  ],
  ['impossible', [[5, 1]]],
  ['impossible', [[9, 1]]],
  ['impossible', [[12, 1]]],
  [
    'impossible',
    [
      [4, 0.2],
      [4, 1],
    ],
  ],
  [
    'impossible',
    [
      [4, 0.2],
      [1, 1],
    ],
  ],
];
const curves: readonly Part<Pick<LinkBlob, 'curve' | 'reached'>>[] = [
  ['true', {}],
  ['true', { curve: bytes((i) => practiceAt((i * 7) / 63)), reached: 8 }],
  ['true', { curve: bytes((i) => practiceAt((i * 3) / 63)), reached: 4 }],
  ['false', { curve: bytes((i) => (i === 63 ? 1 : 0)), reached: 8 }],
  ['false', { curve: bytes((i) => (i === 63 ? 1 : 0)), reached: 1 }],
  ['impossible', { curve: bytes((i) => (i === 0 ? 0 : 1)), reached: 9 }],
  ['impossible', { curve: bytes((i) => (i === 0 ? 0 : 1)), reached: 1_000_000 }],
];
const adapters = [undefined, 'CPU (WebAssembly SIMD)', 'NVIDIA RTX 9090'];

const isOf = (truth: Truth, ...parts: readonly Part<unknown>[]) => parts.some(([each]) => each === truth);
const green = (kind: string | undefined) => kind === 'identical' || kind === 'close';

describe.each(fingerprints)('%s digests %j', (...fingerprint) => {
  test.each(validations)('%s points %j', async (...validation) => {
    for (const curve of curves) {
      const both = validation[1] !== undefined && curve[1].curve !== undefined;
      for (const adapter of both ? [undefined] : adapters) {
        const blob = JSON.parse(
          JSON.stringify({ fingerprint: fingerprint[1], validation: validation[1], ...curve[1], adapter }),
        ) as LinkBlob;
        const opened = await open(blob);
        const where = JSON.stringify(blob);
        const refused = both || isOf('impossible', fingerprint, validation, curve);
        expect(opened.problem !== null, `${opened.problem} ${where}`).toBe(refused);
        const parts = [opened.validation, opened.curve, opened.fingerprint, opened.adapter];
        if (refused) expect(parts, where).toEqual([null, null, null, null]);
        for (let length = 1; length <= 8; length++) {
          const found = reproductionOf(opened, own(length));
          const claimed = reachedBy(opened)?.points.at(-1) ?? null;
          const carried = opened.fingerprint?.length ?? 0;
          const verdict = found && describeReproduction(found, carried, claimed, adapter === adapters[1]);
          const last = blob.validation?.at(-1)?.[0] ?? blob.reached ?? Infinity;
          const saysTruth = !isOf('false', validation, curve);
          // What is false in the digests leaves a reproduction at most.
          const isGreen = !refused && saysTruth && length >= last && verdict?.kind !== 'partial';
          const digestsDone = length >= (blob.fingerprint?.length ?? 0);
          expect(green(verdict?.kind), `${verdict?.sentence} ${length} ${where}`).toBe(isGreen);
          if (verdict?.kind === 'partial')
            expect(length < last || !digestsDone, `${verdict.sentence} ${where}`).toBe(true);
          if (verdict?.kind === 'identical') expect(isOf('false', fingerprint), where).toBe(false);
        }
      }
    }
  });
});

test('whoever opens forged results reads why in a sentence', async () => {
  const problemOf = async (blob: LinkBlob) => (await open(blob)).problem;
  const cannot = 'Its results cannot be of its settings: ';
  expect(
    await problemOf({
      validation: [
        [1, 0],
        [1_000_000, 1],
      ],
    }),
  ).toBe(`${cannot}they tell of iteration 1000000, and a run of these settings ends at iteration 8.`);
  expect(
    await problemOf({
      validation: [
        [1, 0],
        [3, 1],
      ],
    }),
  ).toBe(`${cannot}iteration 3 is not validated under these settings, only iteration 1, every 4th and the last.`);
  expect(await problemOf({ fingerprint: [...digests, digest(1)] })).toBe(
    `${cannot}they have 9 fingerprints, and a run of these settings has at most 8.`,
  );
});

test('results that do not fit the settings that this engine reads in another’s link are left out', async () => {
  const opened = await open({ validation: [[3, 1]], fingerprint: digests }, settings.replace(engineVersion, '0.1.0'));
  expect(opened).toMatchObject({ problem: null, validation: null, fingerprint: null, adapter: null });
  expect(opened.notices[0]).toMatch(/^Its results cannot be of its settings: iteration 3 .* They are left out\.$/);
  expect(reproductionOf(opened, own(8))).toBeNull();
});
