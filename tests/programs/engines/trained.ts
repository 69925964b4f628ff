/** Trains the run of a link in Node, or in the built page as a visitor does, to be compared bit for bit. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeLink } from '../../../src/share/link';
import type { Site } from '../../helpers/site';
import { trainInTerminal } from '../own-environment/terminal';
import type { Browser } from './browsers';
import { openDrivenPage, press, until, type DrivenPage } from './driven-page';

export interface Trained {
  /** The link that shares the run: what follows `#/lab?`. */
  readonly link: string;
  /** Digests that it carries, one an iteration. */
  readonly fingerprint: readonly string[];
  /** SHA-256 of the checkpoint file. */
  readonly checkpoint: string;
  /** How the run compares with the link's: identical, close, partial or different; null in Node and of a new run. */
  readonly verdict: string | null;
}

export interface Engine {
  readonly name: string;
  /** @param threads one, or as many as there are cores and at least two */
  train(link: string, threads: 'one' | 'all'): Promise<Trained>;
}

/** In the page, a promise of the digest under which the browser stores the finished run; undefined before. */
const savedDigest = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('agentlet runs');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const reading = opening.result.transaction('entries').objectStore('entries').getAll();
    reading.onerror = () => reject(reading.error);
    reading.onsuccess = () => {
      opening.result.close();
      resolve(reading.result.find(({ run }) => run?.finished)?.digest);
    };
  };
})`;

export const node: Engine = {
  name: 'Node',
  async train(link, threads) {
    const folder = await mkdtemp(join(tmpdir(), 'agentlet-trained-'));
    try {
      const run = await trainInTerminal(join(folder, 'run'), [link], {
        AGENTLET_THREADS: threads === 'one' ? '1' : '2',
      });
      const checkpoint = createHash('sha256').update(await readFile(join(folder, 'run/checkpoint.safetensors')));
      return { ...(await shared(run.link)), checkpoint: checkpoint.digest('hex'), verdict: null };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

export const inBrowser = (browser: Browser, site: Pick<Site, 'plainUrl' | 'isolatedUrl'>): Engine => ({
  name: browser.name,
  async train(link, threads) {
    const page = await openDrivenPage(browser);
    try {
      await page.open(`${threads === 'one' ? site.plainUrl : site.isolatedUrl}#/lab?${link}`);
      if ((await page.run('return crossOriginIsolated')) !== (threads === 'all'))
        throw new Error(`${browser.name} has not the threads that it should have.`);
      return await trainOn(page);
    } finally {
      await page.close();
    }
  },
});

async function trainOn(page: DrivenPage): Promise<Trained> {
  await press(page, 'Train', 'Run it here');
  await until(page, `return /^Finished/.test(document.querySelector('[role=status]').textContent)`);
  const verdict = await page.run<string | null>(
    `return document.querySelector('[data-verdict]')?.dataset.verdict ?? null`,
  );
  await until(page, `return ${savedDigest}.then((digest) => digest !== undefined)`);
  const checkpoint = await page.run<string>(`return ${savedDigest}`);
  await press(page, 'Share');
  const address = `document.querySelector('dialog[open] .link input')?.value`;
  await until(page, `return /^http/.test(${address} ?? '')`);
  const link = (await page.run<string>(`return ${address}`)).split('#/lab?')[1];
  return { ...(await shared(link)), checkpoint, verdict };
}

async function shared(link: string): Promise<Pick<Trained, 'link' | 'fingerprint'>> {
  return { link, fingerprint: (await decodeLink(link)).fingerprint ?? [] };
}
