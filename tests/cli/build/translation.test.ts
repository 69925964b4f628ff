/** The page in another language: whose words a file gets, and what a translation must have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { translation } from '../../../src/cli/build/translation-plugin';
import type { Strings } from '../../../src/ui/strings';
import * as pseudo from '../../ui/translations/en-XA';

const translations = join(import.meta.dirname, '../../ui/translations');

test('a file gets the words of the translation that are its own, and no others', async () => {
  const load = await built('results/load.ts');
  expect(load).toContain('antwortet');
  expect(load).not.toMatch(/} answered|es blieb still/);
  const supervisor = await built('trainer/trainer-supervisor.ts');
  expect(supervisor).toContain('es blieb still');
  expect(supervisor).not.toMatch(/sign of life|antwortet/);
});

test('a language that nobody has written is refused with the ones there are', () => {
  const refused = (folder: string) => () => translation('xx', folder);
  const file = join(translations, 'xx.ts');
  expect(refused(translations)).toThrow(`AGENTLET_LANGUAGE is xx: choose en, en-XA, partial, or write ${file}.`);
  expect(refused('none')).toThrow('AGENTLET_LANGUAGE is xx: choose en, or write none/xx.ts.');
});

test('the catalogue has every file of words', () => {
  const ui = join(import.meta.dirname, '../../../src/ui');
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && /^export const text\b/m.test(readFileSync(join(ui, file), 'utf8')))
    .map((file) => file.replace(/\.ts$/, '').replace(/[^a-z]+(.)/g, (_, letter: string) => letter.toUpperCase()));
  expect(Object.keys(pseudo).sort()).toEqual(files.sort());
});

test('a translation that lacks a word, has one more or takes other parameters is no catalogue', () => {
  type Trainer = Strings['trainerText'];
  const sandbox = { silent: '', fault: (reason: string) => reason, notLoaded: '', closed: '' };
  const whole: Trainer = { silent: 'keine Antwort', notLoaded: 'nicht geladen', sandbox };
  // @ts-expect-error notLoaded is missing
  const lacking: Trainer = { silent: '', sandbox };
  // @ts-expect-error there is no such word
  const more: Trainer = { ...whole, other: '' };
  // @ts-expect-error the reason is a string
  const unlike: Trainer = { ...whole, sandbox: { ...sandbox, fault: (reason: number) => `${reason}` } };
  // @ts-expect-error what it says is a string
  const number: Trainer = { ...whole, silent: 1 };
  expect([whole, lacking, more, unlike, number]).toHaveLength(5);
});

/** The code of a file of the page with the words of `translations/partial.ts`. */
async function built(file: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [translation(join(translations, 'partial.ts'))],
    build: {
      write: false,
      rolldownOptions: {
        input: join(import.meta.dirname, '../../../src/ui', file),
        external: /trainer-client/,
        preserveEntrySignatures: 'strict',
      },
    },
  });
  return (result as Rolldown.RolldownOutput).output[0].code;
}
