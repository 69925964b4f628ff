/** A schema's first issue with a stranger's value, as the end of a sentence. */
import * as v from 'valibot';
import { plainText } from './plain-text';

export function firstIssue([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const at = v.getDotPath(issue);
  return plainText(at === null ? issue.message : `${at}: ${issue.message}`, 200);
}
