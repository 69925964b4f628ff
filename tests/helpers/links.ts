/** Links for the tests of the page. */
import { engineVersion } from '../../src/config/run-link';
import { encodeLink } from '../../src/share/link';

/** A shared link that brings its own environment, with this source. */
export const linkWithCode = (source: string): Promise<string> =>
  encodeLink({ preset: 'calculator-mini', engineVersion, shared: true, scalars: { env: 'mine' }, source });

/** What a link can ask for at most; on the CPU device such a run would take 17 GB. */
export const largestLink =
  'v=1&layers=12&width=512&heads=16&kv=16&ff=2048&context=1024&tasks=512&group=64&tok=bpe&vocab=8192&' +
  'tokens=512&device=cpu';
