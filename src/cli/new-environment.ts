/** Files of a new environment: a module that can be trained as it is, and its test. */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import template from '../environments/templates/boxes.js?raw';
import { builtInEnvironments } from '../environments/built-in';
import { plainText } from '../lib/plain-text';
import { presets } from '../config/presets';
import { checkout, entry } from './place';

/**
 * Writes an environment: in the clone as a built-in one with a preset, elsewhere as one module.
 * @returns paths of the files, from the folder
 * @throws a sentence if the name is wrong or taken; then nothing is written
 */
export function writeEnvironment(name: string, folder: string, root = checkout): string[] {
  requireName(name);
  const isInside = root !== null && (folder === root || folder.startsWith(root + sep));
  const files = isInside ? builtInFiles(name, root) : ownFiles(name, folder);
  const there = [...files.keys()].find((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (there !== undefined)
    throw new Error(`${relative(folder, there)} exists already, and nothing is overwritten: choose another name.`);
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  }
  return [...files.keys()].map((path) => relative(folder, path));
}

function requireName(name: string): void {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name))
    throw new Error(
      `"${plainText(name, 64)}" cannot name an environment: a name is a small letter and at most 31 more small ` +
        'letters, digits and "-", without an ending.',
    );
  if ([...Object.keys(builtInEnvironments), ...presets.map((preset) => preset.name), 'templates'].includes(name))
    throw new Error(`The name ${name} is taken: choose another one.`);
}

/** A folder in `src/environments`, which page and commands find by itself, and a test beside the others. */
function builtInFiles(name: string, root: string): Map<string, string> {
  const home = join(root, 'src/environments', name);
  return new Map([
    [join(home, 'environment.js'), moduleText(name)],
    [join(home, `${name}.preset.json`), presetText(name)],
    [join(root, 'tests/environments', `${name}.test.ts`), testInClone(name)],
  ]);
}

function ownFiles(name: string, folder: string): Map<string, string> {
  return new Map([
    [join(folder, `${name}.js`), moduleText(name)],
    [join(folder, `${name}.test.js`), testElsewhere(name, relative(folder, entry).replaceAll('\\', '/'))],
  ]);
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ').trim();
  return words[0].toUpperCase() + words.slice(1);
}

const moduleText = (name: string): string => template.replace("title: 'Boxes'", `title: '${titleOf(name)}'`);

/** What differs from the settings that all presets share: short texts of whole words, and a short run. */
const presetText = (name: string): string => `{
  "title": "${titleOf(name)}",
  "config": {
    "iterations": 20,
    "text": { "tokenizer": "word" },
    "warmStart": { "demonstrations": 2000, "steps": 200, "recorded": false },
    "rollout": { "group": 8 }
  }
}
`;

const testInClone = (
  name: string,
): string => `/** The environment ${name}: npx vitest run --project node tests/environments/${name}.test.ts */
import { expect, test } from 'vitest';
import { checkEnvironment } from '../../src/environment-check/check';
import { presetByName } from '../../src/config/presets';
import { emptySandbox } from './own';

test('the check finds no problem, and the oracle solves every task', async () => {
  const { lines, tasks, solved } = await checkEnvironment(presetByName('${name}').config, await emptySandbox());
  expect(lines.filter(({ kind }) => kind === 'problem')).toEqual([]);
  expect(solved).toBe(tasks);
});
`;

const testElsewhere = (
  name: string,
  entryPath: string,
): string => `/** The environment ${name}: node --test ${name}.test.js */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

/** The commands of Agentlet. */
const commands = fileURLToPath(new URL('${entryPath}', import.meta.url));
const module = fileURLToPath(new URL('${name}.js', import.meta.url));

test('the check finds no problem, and the oracle solves every task', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [commands, 'env', 'check', module, '--json'], {
    encoding: 'utf8',
  });
  assert.ok(stdout, stderr);
  const { lines, tasks, solved } = JSON.parse(stdout);
  assert.deepEqual(
    lines.filter(({ kind }) => kind === 'problem'),
    [],
  );
  assert.equal(solved, tasks);
});
`;
