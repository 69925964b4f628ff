/**
 * Links whose results were forged, in the built page: no verdict about them is green, and the link of an honest run
 * still leads to one that is.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Page } from '@playwright/test';
import { engineVersion } from '../../src/config/run-link';
import { packBlob, type LinkBlob } from '../../src/share/blob';
import { decodeLink, encodeLink } from '../../src/share/link';
import { openPage } from '../helpers/browser';
import { button, longMs, openShare, patienceMs, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { plainSpaces } from '../helpers/plain-spaces';

/** A world in which no agent ever succeeds. */
const source = readFileSync('src/environments/bandit/environment.js', 'utf8').replace(
  'return { success, best:',
  'return { success: false, best:',
);
const settings = {
  env: 'mine',
  steps: '4',
  evalEvery: '2',
  device: 'cpu',
  seed: '3',
  layers: '1',
  width: '32',
  ff: '32',
  tasks: '4',
  group: '4',
  mini: '1',
  warm: '2',
  demos: '20',
  evalTasks: '8',
};
const setup = { preset: 'bandit', engineVersion, shared: true, scalars: settings, source };
const curve = Buffer.from(Uint8Array.from({ length: 64 }, (_, i) => (i === 0 ? 0 : 255))).toString('base64url');

async function train(page: Page): Promise<void> {
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
}

/** The verdict's sentence, and whether it has the colour of success. */
async function verdictOf(page: Page): Promise<{ sentence: string; isGreen: boolean }> {
  const verdict = page.locator('.author .result p.semibold');
  await verdict.waitFor({ timeout: patienceMs });
  const isGreen = await verdict.evaluate((each) => {
    const probe = Object.assign(document.createElement('p'), { style: 'color: var(--good)' });
    document.body.append(probe);
    const same = getComputedStyle(each).color === getComputedStyle(probe).color;
    probe.remove();
    return same;
  });
  return { sentence: plainSpaces(await verdict.innerText()), isGreen };
}

test('a forged link is refused or never green, and an honest one is green', { timeout: 2 * longMs }, async () => {
  expect(source).toContain('success: false, best:');
  const author = await openPage({ hash: `#/lab?${await encodeLink(setup)}` });
  await untilReady(author);
  await train(author);
  const honest = await openShare(author);
  const { fingerprint } = await decodeLink(honest);
  expect(fingerprint).toHaveLength(4);
  await author.context().close();

  const page = await openPage({ hash: new URL(honest).hash });
  await untilReady(page);
  await page.getByText('The link says: the author’s agent solved 0 % of unseen tasks at iteration 4.').waitFor();
  await train(page);
  await expect
    .poll(() => verdictOf(page), { timeout: patienceMs })
    .toEqual({ sentence: 'Same run: the first 4 iterations match bit for bit (the link holds 4).', isGreen: true });

  const visitor = await openPage();
  await untilReady(visitor);
  const head = honest.slice(honest.indexOf('#')).replace(/&x=.*/, '');
  const open = async (blob: LinkBlob) => {
    const link = `${head}&x=${await packBlob({ source, adapter: 'CPU (WebAssembly SIMD)', ...blob })}`;
    await visitor.evaluate((to) => (location.hash = to), link);
  };
  const impossible: readonly LinkBlob[] = [
    {
      fingerprint: [...fingerprint!],
      validation: [
        [1, 0],
        [1_000_000, 1],
      ],
    },
    {
      fingerprint: [...fingerprint!],
      validation: [
        [1, 0],
        [3, 1],
      ],
    },
    { fingerprint: [...fingerprint!], validation: [[5, 1]] },
    { fingerprint: [...fingerprint!], curve, reached: 1_000_000 },
    {
      adapter: 'NVIDIA RTX 9090',
      validation: [
        [1, 0],
        [1_000_000, 1],
      ],
    },
  ];
  for (const blob of impossible) {
    await open(blob);
    await visitor.getByText('Its results cannot be of its settings').waitFor({ timeout: patienceMs });
    expect(await visitor.locator('.author').count(), JSON.stringify(blob)).toBe(0);
    await button(visitor, 'Open the calculator').click();
    await visitor.getByText('Its results cannot be of its settings').waitFor({ state: 'detached' });
  }

  await open({
    fingerprint: [...fingerprint!],
    validation: [
      [1, 0],
      [4, 1],
    ],
  });
  await visitor.getByText('The link says: the author’s agent solved 100 % of unseen tasks at iteration 4.').waitFor();
  await visitor.getByText('The link says: trained on CPU (WebAssembly SIMD), with engine').waitFor();
  await untilReady(visitor);
  await button(visitor, 'Iterate').click();
  await untilStatus(visitor, /^Paused · iteration 1\/4/);
  expect(await verdictOf(visitor)).toEqual({
    sentence: 'The first iteration matches bit for bit; the link’s 100 % at iteration 4 could not be compared yet.',
    isGreen: false,
  });
  await train(visitor);
  await expect
    .poll(() => verdictOf(visitor), { timeout: patienceMs })
    .toEqual({
      sentence: 'Not the same run: success differs by up to 100 % up to iteration 4, although the fingerprints match.',
      isGreen: false,
    });
});
