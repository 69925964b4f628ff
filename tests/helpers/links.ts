/** Links for the tests of the page. */
import { engineVersion } from '../../src/rl/config/run-link';
import { encodeLink } from '../../src/share/link';

/** A shared link that brings its own environment, with this source. */
export const linkWithCode = (source: string): Promise<string> =>
  encodeLink({ preset: 'calculator-mini', engineVersion, shared: true, scalars: { env: 'mine' }, source });
