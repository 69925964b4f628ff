/** What a schema found wrong with a stranger's value, fit to end a sentence of ours. */
import * as v from 'valibot';
import { plainText } from './plain-text';

/** The first of them, and where in the value. */
export function firstIssue([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const at = v.getDotPath(issue);
  return plainText(at === null ? issue.message : `${at}: ${issue.message}`, 200);
}
