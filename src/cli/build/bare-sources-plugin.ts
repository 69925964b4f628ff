/**
 * Sources that the page carries as text, without what no machine reads: comments and indents of shaders and of the
 * search library. What runs is the same.
 */
import { readFile } from 'node:fs/promises';
import { parseSync, type Plugin } from 'vite';

const ids = /(?:\/shaders\/.*\.wgsl|\/node_modules\/minisearch\/.*\.js)\?raw$/;

export const bareSources = (): Plugin => ({
  name: 'agentlet:bare-sources',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: ids },
    async handler(id) {
      const file = id.replace(/\?raw$/, '');
      const text = await readFile(file, 'utf8');
      return `export default ${JSON.stringify(file.endsWith('.js') ? bareModule(file, text) : bareShader(text))};`;
    },
  },
});

/** WGSL has no strings, so `//` begins a comment wherever it stands. */
const bareShader = (text: string): string => withoutIndents(text.replace(/\/\/.*$/gm, ''));

function bareModule(file: string, text: string): string {
  const { comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} could not be read: ${errors[0].message}`);
  const ends = [0, ...comments.map(({ end }) => end)];
  const code = ends.map((end, i) => text.slice(end, comments[i]?.start)).join('');
  return withoutIndents(code);
}

const withoutIndents = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
