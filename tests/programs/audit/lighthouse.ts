/** Lighthouse on the first page and the Lab: a phone on a slow connection, and a desk. */
import { createServer, type AddressInfo } from 'node:net';
import lighthouse, { desktopConfig } from 'lighthouse';
import { CHROMIUM_FLAGS } from '../../../src/cli/chromium';
import { atLeast, type Row } from './row';
import { launch, type Visits } from './visit';

type Scores = Readonly<Record<string, number>>;

export async function lighthouseScores(visits: Visits): Promise<Row[]> {
  const rows: Row[] = [];
  for (const hash of ['#/', '#/lab']) {
    const phone = await scores(visits.url + hash, 'phone');
    rows.push(
      atLeast(`Lighthouse ${hash}, phone: performance`, phone.performance, 90),
      atLeast(`Lighthouse ${hash}: accessibility`, phone.accessibility, 100),
      atLeast(`Lighthouse ${hash}: best practices`, phone['best-practices'], 95),
      atLeast(`Lighthouse ${hash}: search engines`, phone.seo, 95),
    );
    const desk = await scores(visits.url + hash, 'desk');
    rows.push(atLeast(`Lighthouse ${hash}, desk: performance`, desk.performance, 98));
  }
  return rows;
}

async function scores(url: string, form: 'phone' | 'desk'): Promise<Scores> {
  const port = await freePort();
  const browser = await launch([...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`]);
  try {
    const result = await lighthouse(url, { port, logLevel: 'error' }, form === 'desk' ? desktopConfig : undefined);
    const { categories } = result!.lhr;
    for (const audit of Object.values(result!.lhr.audits))
      if (audit.score !== null && audit.score < 0.9 && process.env.AGENTLET_VERBOSE)
        console.error(`${form} ${url}: ${audit.id} ${audit.score} ${audit.displayValue ?? ''}`);
    return Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, 100 * (score ?? 0)]));
  } finally {
    await browser.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
