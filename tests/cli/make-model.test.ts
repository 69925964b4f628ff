/** `make-model`: a small model of the demonstrations of worlds, in files that `--model` takes as any other. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-make-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const small = '--steps 40 --batch 8 --demonstrations 64 --layers 1 --width 32'.split(' ');
const makeModel = async (name: string, ...args: string[]) => {
  const { code, stderr } = await runCommand('make-model', ...args, ...small, '--out', at(name));
  expect(code, stderr).toBe(0);
  return stderr;
};

test('it learns what two worlds demonstrate, and an adapter of it is trained', async () => {
  const said = await makeModel('two', 'calculator', 'bandit');
  const losses = [...said.matchAll(/loss (\d+\.\d+)/g)].map(([, loss]) => Number(loss));
  expect(losses.at(-1)).toBeLessThan(losses[0] - 1);
  const settings = '--set tasks=2 --set group=4 --set evalTasks=4 --set demos=8 --set warm=2'.split(' ');
  const run = ['calculator', '--model', at('two'), '--iterations', '1', '--device', 'cpu', ...settings];
  const { code, stderr } = await runCommand('train', ...run, '--out', at('run'));
  expect(code, stderr).toBe(0);
});

test('the same seed gives the same files, another one others', async () => {
  await makeModel('a', 'calculator');
  await makeModel('b', 'calculator');
  await makeModel('c', 'calculator', '--seed', '2');
  const weights = (name: string) => readFileSync(join(at(name), 'model.safetensors'));
  expect(weights('b').equals(weights('a'))).toBe(true);
  expect(weights('c').equals(weights('a'))).toBe(false);
  const record = JSON.parse(readFileSync(join(at('c'), 'record.json'), 'utf8')) as Record<string, string>;
  expect(record.command).toBe(`npm run make-model -- calculator --seed 2 ${small.join(' ')} --out ${at('c')}`);
  expect(record.engineVersion).toMatch(/^\d+\.\d+\.\d+$/);
});
