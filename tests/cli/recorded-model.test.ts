/** The model that comes with a clone: small, made by the command that its record names, and found by its name. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openModelFolder } from '../../src/cli/model-folder';
import { recordedModelFolder } from '../../src/cli/place';
import { runCommand } from '../helpers/command';

const name = 'agentlet-1.3m';
const folder = recordedModelFolder(name)!;

test('it has 1 to 3 million parameters in at most 6 MB, and opens by its name as by its folder', async () => {
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  expect(bytes).toBeLessThan(6e6);
  const model = (await openModelFolder(name))!;
  expect(model).toMatchObject({ name, architecture: 'Llama', context: 512, licence: 'mit' });
  expect(model.parameters).toBeGreaterThan(1e6);
  expect(model.parameters).toBeLessThan(3e6);
  expect(model.digest).toBe((await openModelFolder(folder))!.digest);
});

test('its record’s command makes a model of this shape', () => {
  const json = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;
  const { command, engineVersion } = json('record.json');
  expect(engineVersion).toMatch(/^\d+\.\d+\.\d+$/);
  const flag = (flagName: string) => Number(new RegExp(`--${flagName} (\\d+)`).exec(String(command))![1]);
  expect(String(command)).toMatch(/^npm run make-model -- calculator bandit /);
  expect(json('config.json')).toMatchObject({ num_hidden_layers: flag('layers'), hidden_size: flag('width') });
});

test.each(['calculator', 'bandit'])('its settings for %s make a run of GRPO on an adapter', async (world) => {
  const { code, stdout, stderr } = await runCommand('config', join(folder, `${world}.json`), '--model', name);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    environment: { name: world },
    algorithm: { name: 'grpo' },
    model: { pretrained: { name }, context: 512 },
    warmStart: { demonstrations: 0 },
    optimizer: { learningRate: 0.002 },
  });
});

test('its agent answers token by token, beside what its template would write', async () => {
  const settings = join(folder, 'calculator.json');
  const args = [settings, '(2+3)*4', '--model', name, '--device', 'cpu', '--tokens'];
  const { code, stdout, stderr } = await runCommand('chat', ...args);
  expect(code, stderr).toBe(0);
  const tokens = /\nturn 1\n((?: {2}[> ] +\d+ {2}.+\n)+)/.exec(stdout)![1].split('\n');
  expect(tokens[0]).toMatch(/<\|im_start\|>$/);
  expect(tokens.some((line) => line.startsWith('  > '))).toBe(true);
  expect(stdout).toMatch(/\nRendered again by the model’s chat template, the conversation .*\.\n$/);
});

test('another name is no model of the clone, whatever it reaches for', async () => {
  expect(recordedModelFolder('../recordings')).toBe(null);
  expect(recordedModelFolder('agentlet-1.4m')).toBe(null);
  const { code, stderr } = await runCommand('train', 'calculator', '--model', 'agentlet-1.4m');
  expect([code, stderr]).toEqual([1, expect.stringContaining('--model: there is no folder agentlet-1.4m.')]);
});
