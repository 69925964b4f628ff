/** Sources that a build carries as text lose what no machine reads, and nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { bareSources } from '../../../src/cli/build/bare-sources-plugin';

/** The text that a build takes for a file. */
async function bare(file: string): Promise<string> {
  const { load } = bareSources() as { load: { filter: { id: RegExp }; handler: (id: string) => Promise<string> } };
  const id = `${file}?raw`;
  expect(load.filter.id.test(id), id).toBe(true);
  const module = await load.handler(id);
  return JSON.parse(module.replace(/^export default /, '').replace(/;$/, '')) as string;
}

test('shaders lose comments and indents', async () => {
  const files = readdirSync('shaders', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wgsl'));
  expect(files.length).toBeGreaterThan(40);
  for (const name of files) {
    const file = `${process.cwd()}/shaders/${name}`;
    const [before, after] = [readFileSync(file, 'utf8'), await bare(file)];
    expect(after, name).not.toContain('//');
    const statements = (text: string) =>
      text
        .split('\n')
        .map((line) => line.split('//')[0].trim())
        .filter(Boolean);
    expect(after.split('\n'), name).toEqual(statements(before));
  }
});

test('the search library is the same program', async () => {
  const file = createRequire(import.meta.url)
    .resolve('minisearch')
    .replace('/cjs/index.cjs', '/es/index.js');
  const [before, after] = [readFileSync(file, 'utf8'), await bare(file)];
  expect(after.length).toBeLessThan(before.length / 2);
  const program = (text: string): unknown =>
    JSON.parse(
      JSON.stringify(parseSync(file, text).program.body, (key, value: unknown) =>
        key === 'start' || key === 'end' || key === 'raw' ? undefined : value,
      ),
    );
  expect(program(after)).toEqual(program(before));
});
