/** `env new`: an environment that is sound as it is written, in a clone and elsewhere; no file is overwritten. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkEnvironment } from '../../src/environment-check/check';
import { writeEnvironment } from '../../src/cli/new-environment';
import { entry } from '../../src/cli/place';
import { presetByName } from '../../src/config/presets';
import { emptySandbox, ownConfig } from '../environments/own';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-new-'));
const clone = join(folder, 'clone');
const elsewhere = join(folder, 'elsewhere');
mkdirSync(clone);
mkdirSync(elsewhere);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('in a clone it is a built-in environment with a preset and a test', async () => {
  expect(writeEnvironment('two-keys', clone, clone)).toEqual([
    join('src', 'environments', 'two-keys', 'environment.js'),
    join('src', 'environments', 'two-keys', 'two-keys.preset.json'),
    join('tests', 'environments', 'two-keys.test.ts'),
  ]);
  const home = join(clone, 'src/environments/two-keys');
  const source = readFileSync(join(home, 'environment.js'), 'utf8');
  const preset = JSON.parse(readFileSync(join(home, 'two-keys.preset.json'), 'utf8'));
  expect(preset.title).toBe('Two keys');
  const { text, rollout } = presetByName('calculator').config;
  const config = ownConfig(source, (base) => ({
    ...base,
    ...preset.config,
    text: { ...text, ...preset.config.text },
    warmStart: { ...base.warmStart, ...preset.config.warmStart },
    rollout: { ...rollout, ...preset.config.rollout },
  }));
  const report = await checkEnvironment(config, await emptySandbox());
  expect(report.title).toBe('Two keys');
  expect(report.lines.filter(({ kind }) => kind === 'problem')).toEqual([]);
  expect(report.solved).toBe(report.tasks);
  const written = readFileSync(join(clone, 'tests/environments/two-keys.test.ts'), 'utf8');
  expect(written).toContain("presetByName('two-keys')");
  const imported = [...written.matchAll(/from '(\..*)'/g)].map(([, path]) => path);
  expect(imported.length).toBe(3);
  for (const path of imported)
    expect(existsSync(join(import.meta.dirname, '../environments', `${path}.ts`)), path).toBe(true);
});

test('elsewhere it is one module, whose test runs the check of this clone', () => {
  expect(writeEnvironment('lift', elsewhere)).toEqual(['lift.js', 'lift.test.js']);
  const { status, stdout } = spawnSync('node', ['--test', 'lift.test.js'], { cwd: elsewhere, encoding: 'utf8' });
  expect(stdout).toMatch(/the oracle solves every task/);
  expect(status, stdout).toBe(0);
  const [, path] = /new URL\('(.*)', import\.meta\.url\)/.exec(readFileSync(join(elsewhere, 'lift.test.js'), 'utf8'))!;
  expect(join(elsewhere, path)).toBe(entry);
});

test.each([
  ['Boxes', '"Boxes" cannot name an environment'],
  ['boxes.js', '"boxes.js" cannot name an environment'],
  ['../boxes', '"../boxes" cannot name an environment'],
  ['', '"" cannot name an environment'],
  ['a'.repeat(33), 'cannot name an environment'],
  ['calculator', 'The name calculator is taken'],
  ['calculator-mini', 'The name calculator-mini is taken'],
  ['templates', 'The name templates is taken'],
])('the name %j is refused in a sentence', async (name, sentence) => {
  const { code, stderr } = await runCommand('env', 'new', name);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('    at ');
});

test('a file in the way stays as it is, and no other is written', () => {
  writeFileSync(join(elsewhere, 'ship.test.js'), 'mine');
  expect(() => writeEnvironment('ship', elsewhere)).toThrow('ship.test.js exists already');
  expect(existsSync(join(elsewhere, 'ship.js'))).toBe(false);
  expect(readFileSync(join(elsewhere, 'ship.test.js'), 'utf8')).toBe('mine');
});

test('a link in the way is not followed', () => {
  symlinkSync(join(folder, 'nowhere'), join(elsewhere, 'moon.js'));
  expect(() => writeEnvironment('moon', elsewhere)).toThrow('moon.js exists already');
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
});

test('an unknown action names the known ones', async () => {
  const { code, stderr } = await runCommand('env', 'make', 'boxes');
  expect(code).toBe(1);
  expect(stderr).toContain('npm run env -- new boxes');
});
