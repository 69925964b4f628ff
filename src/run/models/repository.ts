/** A model's name on a hub, as people type it: `owner/name`, or `owner/name@revision`. */
import { quoted } from '../../lib/plain-text';

export interface Repository {
  /** `owner/name` */
  readonly name: string;
  /** A branch, a tag or a commit; null: none is asked for. */
  readonly revision: string | null;
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/;
const revisionForm = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/;
const maxName = 96;

/** Null if the text has not the form of one. */
export function repositoryIn(text: string): Repository | null {
  const at = text.indexOf('@');
  const [name, revision] = at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
  // The hub allows neither, so that a name can be a folder's.
  const isName = nameForm.test(name) && name.length <= maxName && !/--|\.\.|\.git$/.test(name);
  if (!isName || (revision !== null && (!revisionForm.test(revision) || revision.includes('..')))) return null;
  return { name, revision };
}

/** @throws a sentence if the text has not the form of one */
export function parseRepository(text: string): Repository {
  const repository = repositoryIn(text.trim());
  if (repository) return repository;
  throw new Error(
    `${quoted(text, 120)} is no name of a model on a hub: it should be owner/name, or owner/name@revision.`,
  );
}
