/** A run on the CPU device made in Node is the same run in each browser, and the other way round, to the last bit. */
import { expect, inject, test } from 'vitest';
import { installedBrowsers } from '../programs/engines/browsers';
import { inBrowser, node } from '../programs/engines/trained';
import { longMs } from '../helpers/lab';

/** What presets do not have: imitation in the engine itself, a learnt tokenizer, a critic, rewards with a penalty. */
const link = `v=1&preset=calculator-mini&${new URLSearchParams({
  device: 'cpu',
  seed: '1',
  steps: '3',
  warm: '20',
  tok: 'bpe',
  vocab: '280',
  mlp: 'gelu',
  decay: 'cosine',
  algo: 'ppo',
  critic: 'separate',
  kl: '0.05',
  klIn: 'reward',
  ent: '0.01',
  temp: '0.8',
  topK: '20',
  topP: '0.9',
})}`;

test.for(['Chromium', 'Firefox'])('Node and %s', { timeout: longMs }, async (name, { skip }) => {
  const browser = installedBrowsers().find((each) => each.name === name);
  if (!browser) return skip(`there is no ${name} on this machine`);
  const page = inBrowser(browser, { plainUrl: inject('siteUrl'), isolatedUrl: inject('siteIsolatedUrl') });
  for (const [maker, other] of [
    [node, page],
    [page, node],
  ]) {
    const { link: made, fingerprint, checkpoint } = await maker.train(link, 'one');
    expect(fingerprint).toHaveLength(3);
    const verdict = other === page ? 'identical' : null;
    expect(await other.train(made, 'all')).toMatchObject({ fingerprint, checkpoint, verdict });
  }
});
