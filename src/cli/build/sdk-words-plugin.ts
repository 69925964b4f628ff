/**
 * `virtual:sdk-words` lists what an environment can use and must export, for completion in the page's editor: read from
 * the JSDoc of the SDK and the tables of its guide, so that it is never behind them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { SdkWord } from 'virtual:sdk-words';

const folder = join(import.meta.dirname, '../../environments');
const files = { sdk: join(folder, 'sdk.js'), guide: join(folder, 'README.md') };

export function sdkWords(): Plugin {
  return {
    name: 'agentlet:sdk-words',
    resolveId: { filter: { id: /^virtual:sdk-words$/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:sdk-words$/ },
      handler() {
        for (const file of Object.values(files)) this.addWatchFile(file);
        const [sdk, guide] = [files.sdk, files.guide].map((file) => readFileSync(file, 'utf8'));
        return `export default ${JSON.stringify(merged(wordsOfSdk(sdk), wordsOfGuide(guide)))};`;
      },
    },
  };
}

/** What both describe has the type of the SDK and the words of the guide, which says more. */
function merged(sdk: readonly SdkWord[], guide: readonly SdkWord[]): SdkWord[] {
  const isSame = (one: SdkWord) => (other: SdkWord) => one.of === other.of && one.name === other.name;
  return [
    ...sdk.map((word) => ({ ...word, about: guide.find(isSame(word))?.about ?? word.about })),
    ...guide.filter((word) => !sdk.some(isSame(word))),
  ];
}

const comment = String.raw`\/\*\*((?:(?!\*\/)[^])*)\*\/\s*`;

function wordsOfSdk(source: string): SdkWord[] {
  const exported = new RegExp(`${comment}export (class|const|function) (\\w+)(?: = )?(\\([^)]*\\))?`, 'g');
  const method = new RegExp(`\\n  ${comment}(\\w+)(\\([^)]*\\)) \\{`, 'g');
  const words: SdkWord[] = [];
  for (const [, about, kind, name, parameters = ''] of source.matchAll(exported)) {
    const signature = kind === 'class' ? `class ${name}` : name + withoutRenames(parameters);
    words.push({ of: 'agentlet', name, signature, about: sentences(about) }, ...parametersOf(name, about));
  }
  const [, members = ''] = /\nexport class Random \{([^]*?)\n\}/.exec(source) ?? [];
  for (const [, about, name, parameters] of members.matchAll(method))
    if (name !== 'constructor')
      words.push({ of: 'Random', name, signature: name + parameters, about: sentences(about) });
  return [...words, ...typedefs(source)];
}

/** Members of the types: `@property {type} name Description.` after `@typedef {object} Type`. */
function typedefs(source: string): SdkWord[] {
  const [, header = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? [];
  const words: SdkWord[] = [];
  let type = '';
  for (const tag of tagsOf(header)) {
    if (tag.kind === 'typedef') type = tag.name === 'Meta' ? 'meta' : tag.name;
    else if (tag.kind === 'property')
      words.push({ of: type, name: tag.name, signature: `${tag.name}: ${tag.type}`, about: tag.about });
  }
  return words;
}

/** Fields of a function's only parameter: `@param {type} tool.name`. */
const parametersOf = (owner: string, about: string): SdkWord[] =>
  tagsOf(about)
    .filter(({ kind, name }) => kind === 'param' && name.startsWith(`${owner}.`))
    .map(({ name, type, about: said }) => {
      const field = name.slice(owner.length + 1);
      return { of: owner, name: field, signature: `${field}: ${type}`, about: said };
    });

interface Tag {
  readonly kind: string;
  readonly type: string;
  readonly name: string;
  readonly about: string;
}

function tagsOf(text: string): Tag[] {
  return flat(text)
    .split(/ ?@(?=(?:typedef|property|param|template|returns)\b)/)
    .flatMap((tag) => {
      const [, kind, rest] = /^(\w+) \{(.*)$/.exec(tag) ?? [];
      if (rest === undefined) return [];
      const end = endOfType(rest);
      const [, name = '', about = ''] = /^ *\[?([\w.]+)\]? ?(.*)$/.exec(rest.slice(end + 1)) ?? [];
      return [{ kind, type: rest.slice(0, end), name, about: about.trim() }];
    });
}

/** Where the brace closes that was opened before the text. */
function endOfType(text: string): number {
  let depth = 1;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}' && --depth === 0) return i;
  }
  return text.length;
}

/** Exports of an environment, and fields of `meta`. */
function wordsOfGuide(guide: string): SdkWord[] {
  return [
    ...rowsOf(guide, 'The contract').map(([signature, about, when]) => ({
      of: about.startsWith('Of a tool') ? 'tool' : 'export',
      name: nameOf(signature),
      signature,
      about: `${about} Called: ${when}.`.replace('Called: read', 'Read'),
    })),
    ...rowsOf(guide, 'Fields of `meta`').map(([name, type, about]) => ({
      of: 'meta',
      name,
      signature: `${name}: ${type}`,
      about,
    })),
  ];
}

const nameOf = (signature: string): string => /^\w+/.exec(signature)![0];

/** Rows of the first table under a heading, without the marks of Markdown. */
function rowsOf(guide: string, heading: string): string[][] {
  const [, section = ''] = guide.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

const withoutRenames = (parameters: string): string => parameters.replace(/(\w+): \w+/g, '$1');

/** What a comment says before its tags. */
const sentences = (text: string): string => flat(text).replace(/ *@(?:param|template|returns)\b.*$/, '');

const flat = (text: string): string => text.replace(/\s*\n\s*\*? ?/g, ' ').trim();
