/** The name of the file that an environment is saved in. */

/** From the title that its `meta` names first, as far as it makes a name. */
export function fileNameOf(source: string): string {
  const [, title = ''] = /\btitle:\s*['"`]([^'"`\n]{1,80})['"`]/.exec(source) ?? [];
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['environment'];
  return `${words.join('-')}.js`;
}
