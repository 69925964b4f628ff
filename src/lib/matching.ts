/** Which of some named things have all typed words, those that begin with them first. */

export interface Named {
  readonly name: string;
  /** What sort of thing it is; its words count, too. */
  readonly kind: string;
}

export function matching<T extends Named>(things: readonly T[], typed: string): readonly T[] {
  const asked = typed.trim().toLowerCase();
  const words = asked.split(/\s+/);
  const found = things.filter(({ name, kind }) => {
    const said = `${name} ${kind}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
  const begins = ({ name }: T): boolean => name.toLowerCase().startsWith(asked);
  return [...found.filter(begins), ...found.filter((thing) => !begins(thing))];
}
