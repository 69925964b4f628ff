/**
 * Every item of the attack corpus, ours and the one that `AGENTLET_ATTACKS` names, in Node, each as its check says.
 * Nothing may touch the network or the realm that the sandbox runs in. The built page: browser/attacks.full.test.ts.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox } from '../src/cli/engine';
import type { Sandbox } from '../src/agent/sandbox';
import type { WorkerPool } from '../src/sandbox/worker-pool';
import { itemsOf, readCorpus } from './attacks/corpus';
import { faultsOf } from './attacks/judge';
import { census, changes, settle } from './attacks/realm';
import { observe } from './attacks/tool-item';
import { forgeryFaults } from './attacks/forgery';
import { linkFaults, linksOf } from './attacks/link-item';
import { openTimed } from './attacks/open-link';
import { terminalFault } from './attacks/terminal-link';
import { openPool } from './sandbox/open';

const items = readCorpus();
const linkItems = items.filter((item) => item.class === 'share-link');
const toolItems = items.filter((item) => item.class !== 'share-link');

test.each([
  [
    'a check',
    { code: '', class: 'escape/x', name: 'a', check: { outcome: ['value'], harmless: true } },
    /check harmless/,
  ],
  ['an outcome', { code: '', class: 'escape/x', name: 'a', check: { outcome: ['fine'] } }, /outcome/],
  ['a class', { code: '', class: 'magic/x', name: 'a', check: { outcome: ['value'] } }, /magic/],
])('%s that nothing here knows fails loudly', (_, item, sentence) => {
  expect(() => itemsOf({ items: [item] }, 'a corpus')).toThrow(sentence);
});

describe('in Node', () => {
  let pool: WorkerPool;
  let local: Sandbox;
  let close: () => Promise<void>;
  const requests: unknown[] = [];
  const noteRequest = (message: unknown) => requests.push(message);

  beforeAll(async () => {
    ({ pool, close } = await openPool({ size: 1, silenceMs: 20_000 }));
    settle();
    local = await openSandbox();
    for (const channel of ['net.client.socket', 'undici:request:create', 'http.client.request.start'])
      subscribe(channel, noteRequest);
  });
  afterAll(async () => {
    for (const channel of ['net.client.socket', 'undici:request:create', 'http.client.request.start'])
      unsubscribe(channel, noteRequest);
    await close();
  });

  for (const item of toolItems) {
    test(`${item.class}: ${item.name}`, async () => {
      const inThread = await observe(pool, item.code, item.check.outcome);
      const before = census();
      const here = await observe(local, item.code, item.check.outcome);
      expect(changes(before, census()), 'what changed in this realm').toEqual([]);
      expect(here.first, 'the same in both').toBe(inThread.first);
      expect([...faultsOf(item.check, inThread, 'a thread'), ...faultsOf(item.check, here, 'this thread')]).toEqual([]);
      // A tool that was stopped says nothing: the agent reads a sentence of ours.
      const said =
        here.returned ?? (here.kind === 'error' ? (JSON.parse(here.first) as { message: string }).message : null);
      if (said !== null && (item.class === 'token-forgery' || item.check.noSpecialTokens))
        expect(await forgeryFaults(said, local)).toEqual([]);
      expect(requests).toEqual([]);
    });
  }

  for (const item of linkItems) {
    test(`${item.class}: ${item.name}`, async () => {
      const before = census();
      for (const each of await linksOf(item.code)) {
        expect(await linkFaults(item.check, each, await openTimed(each.link), 'Node')).toEqual([]);
        expect(await terminalFault(each.link), 'the terminal').toBeNull();
      }
      expect(changes(before, census()), 'what changed in this realm').toEqual([]);
      expect(requests).toEqual([]);
    });
  }
});
