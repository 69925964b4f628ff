/** Names from outside that become keys of plain objects: reward terms and options, by link, flag, file or module. */
export const maxNameCharacters = 32;

/** Whether JSON and plain objects carry the name safely: no object inherits it, and it has 1 to 32 characters. */
export function isSafeName(name: string): boolean {
  return name.length > 0 && name.length <= maxNameCharacters && !(name in Object.prototype) && name !== 'prototype';
}
