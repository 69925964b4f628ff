/**
 * A config's pretrained model: files and links name it and never carry it. Whoever trains it has its files from
 * elsewhere.
 */
import * as v from 'valibot';
import { firstIssue } from '../lib/first-issue';
import { quoted } from '../lib/plain-text';
import type { RunConfig } from './config';
import type { FoundModel } from './for-pretrained';
import { maxModelName, pretrainedSchema, type Pretrained } from './pretrained-schema';

/** @throws a sentence if the model that was found is not the config's */
export function requireModel({ model: { pretrained } }: RunConfig, { name, digest }: FoundModel): void {
  if (!pretrained)
    throw new Error('These settings are of a model from nothing, not of a pretrained one: leave --model out.');
  if (pretrained.digest === digest) return;
  throw new Error(
    `This run was made with the model ${quoted(pretrained.name, maxModelName)} (SHA-256 ${pretrained.digest}), ` +
      `and the files of ${quoted(name, maxModelName)} are others (SHA-256 ${digest}).`,
  );
}

/** A sentence: why a run of this model cannot begin. */
export const missingModel = ({ name }: Pick<Pretrained, 'name'>): string =>
  `This run trains an adapter of the pretrained model ${quoted(name, maxModelName)}, whose files do not come ` +
  'with it: choose their folder on the page, or give it to a command of the terminal with --model DIR.';

/** A sentence: why a pretrained model cannot be trained on an environment with images. */
export const cannotSee = 'The environment shows images, which no pretrained model here can see.';

/** Links carry it as one text. */
export const pretrainedAsText = (pretrained: Pretrained): string => JSON.stringify(pretrained);

/** The inverse. @returns a sentence if it is no model */
export function readPretrained(text: string): Pretrained | string {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), pretrainedSchema), text, { abortEarly: true });
  return read.success ? read.output : `Its pretrained model cannot be used: ${firstIssue(read.issues)}.`;
}
