/** The code of the visitor's own environment, kept in this browser as it is typed. Works without storage. */
import { readStored, writeStored } from '../../base/stored';

const key = 'agentlet.environment';

class Draft {
  #text = $state(readStored(key) ?? '');

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    writeStored(key, text);
  }
}

export const draft = new Draft();
