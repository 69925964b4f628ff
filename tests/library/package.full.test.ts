/** The package as npm packs it, installed in an empty folder: its commands, its types and its examples. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSafetensors } from '../../src/lib/safetensors';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples');
const minutes = 60_000;
let folder: string;
let files: string[];
let size: number;

const run = (program: string, args: readonly string[], cwd = folder): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });
const agentlet = (...args: string[]): string => run('npx', ['--no-install', 'agentlet', ...args]);
const installed = () => join(folder, 'node_modules/agentlet');
const bytes = (file: string) => readFileSync(join(folder, file));

/** Paths, sizes and times of what was installed. */
function stateOfPackage(): string {
  const hash = createHash('sha256');
  for (const name of (readdirSync(installed(), { recursive: true }) as string[]).sort()) {
    const { size, mtimeMs } = statSync(join(installed(), name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentlet-package-'));
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], root)) as {
    filename: string;
    size: number;
    files: { path: string }[];
  }[];
  ({ size } = packed);
  files = packed.files.map(({ path }) => path);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run('npm', ['install', '--no-audit', '--no-fund', `./${packed.filename}`]);
}, 5 * minutes);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('holds the built library and neither tests nor a package of the page, in at most 4 MB', () => {
  expect(size).toBeLessThanOrEqual(4_000_000);
  expect(files.filter((path) => !/^(dist-lib\/|package\.json$|README\.md$|LICENSE$)/.test(path))).toEqual([]);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'agentlet',
    'valibot',
  ]);
});

test('its commands run, write nothing into it, and give the bits of the checkout', { timeout: 5 * minutes }, () => {
  const before = stateOfPackage();
  const train = ['train', 'bandit', '--iterations', '2', '--device', 'cpu', '--json', '--out'];
  expect(JSON.parse(agentlet(...train, 'run'))).toMatchObject({ preset: 'bandit', iterations: 2 });
  run(process.execPath, [join(root, 'src/cli/main.mjs'), ...train, join(folder, 'own')], root);
  expect(bytes('run/checkpoint.safetensors').equals(bytes('own/checkpoint.safetensors'))).toBe(true);
  expect(JSON.parse(agentlet('eval', 'run', '--device', 'cpu', '--tasks', '4', '--json'))).toHaveProperty('success');
  agentlet('env', 'new', 'mine');
  expect(JSON.parse(agentlet('env', 'check', 'mine.js', '--json'))).toMatchObject({ solved: 32, tasks: 32 });
  run(process.execPath, ['--test', 'mine.test.js']);
  const config = JSON.parse(agentlet('config', 'bandit')) as { environment: { name: string } };
  expect(config.environment.name).toBe('bandit');
  agentlet('estimators', 'run');
  const address = (name: string) => {
    const script = `console.log(import.meta.resolve('agentlet/${name}'))`;
    return run(process.execPath, ['--input-type=module', '--eval', script]).trim();
  };
  for (const name of ['quickjs-metered.wasm', 'checkpoints/bandit.safetensors'])
    expect(statSync(new URL(address(name))).size).toBeGreaterThan(10_000);
  expect(agentlet('train', '--help')).toMatch(/^Usage: npx agentlet train /);
  const experiment = {
    name: 'short',
    title: 'Short',
    question: 'Does it run?',
    base: 'bandit',
    seeds: 1,
    changes: { iterations: 1, 'evaluation.tasks': 4 },
    rows: [{ name: 'grpo', title: 'GRPO', kind: 'train' }],
  };
  writeFileSync(join(folder, 'short.json'), JSON.stringify(experiment));
  agentlet('experiment', 'short.json', '--device', 'cpu', '--out', 'table');
  expect(bytes('table/short.json').toString()).toMatch(/"commits":\["[0-9a-f]{12}(-dirty)?"\]/);
  expect(() => agentlet('bench', '--sandbox')).toThrow('only a clone of the repository has');
  expect(JSON.parse(agentlet('bench', '--device', 'cpu', '--json'))).toHaveProperty('adapter');
  expect(stateOfPackage()).toBe(before);
});

test('makes a warm start that it has no room for, as it was recorded', { timeout: 10 * minutes }, () => {
  expect(readdirSync(join(installed(), 'dist-lib/checkpoints'))).not.toContain('pixels.safetensors');
  const cache = join(folder, 'cache');
  const train = ['train', 'pixels', '--iterations', '1', '--set', 'evaluation.tasks=4', '--device', 'cpu', '--out'];
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const spoken = (out: string): string =>
    spawnSync('npx', ['--no-install', 'agentlet', ...train, out], { cwd: folder, env, encoding: 'utf8' }).stderr;
  expect(spoken('made')).toContain('The package has no room for the warm start of pixels');
  const [kept] = readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.safetensors'),
  );
  const recorded = readSafetensors(readFileSync(join(root, 'public/checkpoints/pixels.safetensors')));
  expect(readSafetensors(readFileSync(join(cache, kept))).tensors).toEqual(recorded.tensors);
  expect(spoken('again')).not.toContain('no room');
  expect(bytes('again/checkpoint.safetensors').equals(bytes('made/checkpoint.safetensors'))).toBe(true);
});

test.each(['bundler', 'nodenext'])('its types compile under %s', { timeout: minutes }, (moduleResolution) => {
  const script = `
    import { tool, type Meta } from 'agentlet';
    import { iterations, openEngine, presetByName, type RunConfig } from 'agentlet/engine';
    import type { TrainerApi } from 'agentlet/worker';
    const rewards: Meta['rewards'] = { answer: { description: 'the answer is right', weight: 1 } };
    const config: RunConfig = { ...presetByName('bandit').config, iterations: 2 };
    const engine = await openEngine({ device: 'cpu' });
    for await (const { metrics } of iterations(await engine.trainer(config))) metrics.iteration.toFixed();
    export type Learns = TrainerApi['train'];
    export { rewards, tool };`;
  writeFileSync(join(folder, 'typed.ts'), script);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
  expect(run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toBe('');
});

test('its examples are short, and those for Node run', { timeout: 5 * minutes }, () => {
  for (const name of ['page.html', 'own-loop.mjs'])
    expect(readFileSync(join(examples, name), 'utf8').trimEnd().split('\n').length, name).toBeLessThanOrEqual(40);
  cpSync(examples, folder, { recursive: true });
  expect(run(process.execPath, ['own-loop.mjs'])).toMatch(/^Best: \d+\.\d % after iteration \d+/m);
  expect(bytes('best.safetensors').length).toBeGreaterThan(100_000);
  run(process.execPath, ['idea-to-figure.mjs']);
  expect(bytes('figure.svg').toString()).toMatch(/^<svg .*<polyline .*<\/svg>$/);
});
