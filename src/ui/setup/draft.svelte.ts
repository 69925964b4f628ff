/** The code of the visitor's own environment, kept in this browser as it is typed. Works without storage. */

const key = 'agentlet.environment';

class Draft {
  #text = $state(read());

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    write(text);
  }
}

// Storage throws where a person or an embedding page forbids it, or where it is full; then the text lasts as long as
// the page.
function read(): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    return;
  }
}

export const draft = new Draft();
