/**
 * The engine that guests run in: quickjs.wasm of quickjs-wasi 3.6.2 with metering. Digests pin input and output, so
 * every build has the tested engine, byte for byte. A new engine changes fuel
 * numbers: replace both digests together.
 */
import { sha256 } from '../../lib/sha256.ts';
import { meter } from './meter.ts';

const inputDigest = 'd4c9375f2b1ca4dc95f72c8aa2982a7a9951ac8011490d79c6582df732b4bbd9';
const outputDigest = '988ec37bed926cde70c23e29fc73e38ad91707c7fdad65848b5ebd534d2ac5fc';

/**
 * @param input quickjs.wasm as published. Throws a sentence if it is another file, or if this build would make another
 * engine.
 */
export async function meteredEngine(input: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const given = await sha256(input);
  if (given !== inputDigest) {
    throw new Error(
      `quickjs.wasm has the SHA-256 ${given}, but ${inputDigest} is expected: install quickjs-wasi 3.6.2 (npm ci).`,
    );
  }
  const output = meter(input);
  const made = await sha256(output);
  if (made !== outputDigest) {
    throw new Error(
      `The metered engine has the SHA-256 ${made}, but ${outputDigest} is expected: the metering pass was ` +
        'changed without its digest.',
    );
  }
  return output;
}
