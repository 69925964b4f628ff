/** The built library in folders of its own, without Vite and without a package beside it. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { libraryOfCheckout, packageOfCheckout } from '../../src/cli/build/fresh-library.mjs';
import { openEngine } from '../../src/cli/library';
import { iterations, presetByName } from '../../src/library/engine';

const root = join(import.meta.dirname, '../..');
const script = join(import.meta.dirname, 'train-bandit.mjs');

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a bare Node script of at most 12 lines trains bandit, with the bits of this checkout', async () => {
  expect(readFileSync(script, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  const folder = emptyFolder();
  const installed = join(folder, 'node_modules/agentlet');
  cpSync(await packageOfCheckout(), join(installed, 'dist-lib'), { recursive: true });
  cpSync(join(root, 'package.json'), join(installed, 'package.json'));
  cpSync(script, join(folder, 'train-bandit.mjs'));
  const printed = execFileSync(process.execPath, ['train-bandit.mjs'], { cwd: folder, encoding: 'utf8' });

  const engine = await openEngine({ device: 'cpu' });
  const trainer = await engine.trainer({ ...presetByName('bandit').config, iterations: 2 });
  const lines: string[] = [];
  for await (const { metrics } of iterations(trainer)) lines.push(`${metrics.iteration} ${metrics.success}`);
  expect(printed.trim().split('\n')).toEqual([...lines, trainer.progress.fingerprint.join('.')]);
  engine.close();
});

test('the package has every file that it names, and asks for no package but an optional WebGPU for Node', async () => {
  const folder = await packageOfCheckout();
  const { exports, peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, unknown>
  >;
  const named = JSON.stringify(exports).match(/dist-lib\/[^"]+/g)!;
  const inFolder = (path: string) => join(folder, path.replace('dist-lib/', '').replace('*', 'bandit.safetensors'));
  expect(named.filter((path) => !existsSync(inFolder(path)))).toEqual([]);
  const modules = readdirSync(folder).filter((name) => /\.m?js$/.test(name));
  const imports = modules.flatMap((name) => importsOf(readFileSync(join(folder, name), 'utf8')));
  const packages = imports.filter(({ from }) => !/^(\.|node:)/.test(from));
  expect(packages.filter(({ later }) => !later)).toEqual([]);
  // Parts of `bench`, which say that they need a clone before they ask for its tools.
  const ofClones = ['@playwright/test', 'assemblyscript/asc', 'vite'];
  expect([...new Set(packages.map(({ from }) => from))].sort()).toEqual([...ofClones, 'webgpu']);
  expect(peerDependenciesMeta).toEqual({ webgpu: { optional: true } });
});

/** A module or package that a module imports; `later` when it gets there. */
interface Import {
  readonly from: string;
  readonly later: boolean;
}

/** What a module imports, statically and by constant name. */
function importsOf(code: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const given = isImport
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0];
    if (given && ts.isStringLiteralLike(given)) found.push({ from: given.text, later: !isImport });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.js', code, ts.ScriptTarget.Latest));
  return found;
}

test('the commands run from a copy of the library', async () => {
  const folder = emptyFolder();
  cpSync(dirname(fileURLToPath(await libraryOfCheckout('commands.mjs'))), folder, { recursive: true });
  const run = `const { main } = await import('./commands.mjs'); process.exitCode = await main(process.argv.slice(1));`;
  const command = (...args: string[]) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', run, '--', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const report = command('train', 'bandit', '--iterations', '1', '--device', 'cpu', '--out', 'run', '--json');
  expect(JSON.parse(report)).toMatchObject({ preset: 'bandit', iterations: 1, stopped: false });
  expect(JSON.parse(command('eval', 'run', '--device', 'cpu', '--json'))).toHaveProperty('success');
});
