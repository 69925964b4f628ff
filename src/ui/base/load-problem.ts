/** What to say when a part of the page could not be loaded. */
import { text } from './text';
import { wasReplaced } from './version';

export interface LoadProblem {
  readonly sentence: string;
  /** Null where a reload would not help. */
  readonly action: { readonly label: string; readonly act: () => void } | null;
}

/** @param offline what to say unless the host has a newer version of the page, and no longer this file */
export async function loadProblem(offline: string): Promise<LoadProblem> {
  if (!(await wasReplaced())) return { sentence: offline, action: null };
  return { sentence: text.later.replaced, action: { label: text.later.reload, act: () => location.reload() } };
}
