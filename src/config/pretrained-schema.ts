/** The part of RunConfig that names a pretrained model, and says how an adapter of it is made. */
import * as v from 'valibot';
import { plainText } from '../lib/plain-text';
import { adapterTargets, standardAdapter } from '../model/adapter';
import { choice, integer, number } from './entries';

export const maxModelName = 128;

const line = (max: number) =>
  v.pipe(
    v.string(),
    v.minLength(1),
    v.check((text) => text === plainText(text, max), `must be plain text of at most ${max} characters`),
  );

export const pretrainedSchema = v.strictObject({
  /** Of its repository or folder. */
  name: line(maxModelName),
  revision: v.optional(line(64)),
  /** `pretrainedDigest` of its files. */
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  rank: integer(1, 256, 'LoRA rank', { default: standardAdapter.rank }),
  alpha: number(0.01, 1024, 'LoRA α', { default: standardAdapter.alpha }),
  targets: choice(adapterTargets, 'LoRA targets', { default: standardAdapter.targets }),
});

export type Pretrained = v.InferOutput<typeof pretrainedSchema>;

/** What the fields of an adapter mean. */
export const adapterHelp = {
  rank: 'Rank of the adapter of a pretrained model (r).',
  alpha: 'The adapter’s changes are scaled by this, divided by the rank.',
  targets: 'Which layers the adapter changes: all linear ones, those of attention, or queries and values alone.',
};
