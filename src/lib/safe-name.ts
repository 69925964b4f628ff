/**
 * Names that become keys of plain objects: reward terms and options. A module declares them; links, flags, files and
 * what a browser has stored name them.
 */
export const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,31}$/;
export const nameWords = 'a name is a letter or _ and at most 31 more letters, digits or _';
/** Of reward terms, and of options. */
export const maxNames = 32;

/** Whether it has the form of a name, and no object inherits something that is called so. */
export function isSafeName(name: string): boolean {
  return nameForm.test(name) && !(name in Object.prototype) && name !== 'prototype';
}
