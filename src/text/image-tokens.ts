/** A tokenizer for an environment that shows images: one more id, the last, stands at the place of every patch. */
import type { Tokenizer } from './tokenizer';

export function withImages(text: Tokenizer): Tokenizer {
  const image = text.size;
  return {
    ...text,
    image,
    size: image + 1,
    decode: (ids) => text.decode(ids.filter((id) => id !== image)),
    label: (id) => (id === image ? '<image>' : text.label(id)),
    toJson: () => ({ ...text.toJson(), images: true }),
  };
}
