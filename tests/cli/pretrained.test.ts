/** `--model`: an adapter of a pretrained model is trained, resumed, measured and asked, and a link names the model. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSafetensors } from '../../src/lib/safetensors';
import { openTensors } from '../../src/lib/stored-tensors';
import { checkpointWeights, readCheckpointHead } from '../../src/rl/checkpoint';
import { runCommand } from '../helpers/command';
import { filesIn } from '../helpers/pretrained';
import { tinyConfig, writeTinyPretrained } from '../helpers/tiny-pretrained';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const model = writeTinyPretrained(at('tiny-qwen3'));
const other = writeTinyPretrained(at('other'), 2);

/** No tiny random model solves a task; the penalty of long episodes gives its groups a signal. */
const settings =
  'tasks=2 group=4 turns=3 evalTasks=4 evalEvery=3 lr=1e-2 overlong=1 overlongFrom=1 overlongBuffer=300 ' +
  'rank=4 alpha=8 demos=4 warm=2 warmBatch=2';
const set = settings.split(' ').flatMap((each) => ['--set', each]);
const warmer = 'demos=32 warm=30 warmBatch=4 warmLr=2e-2'.split(' ').flatMap((each) => ['--set', each]);
const train = async (name: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runCommand('train', ...args, '--device', 'cpu', '--json', '--out', at(name));
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as { fingerprint: string; link: string; iterations: number };
};
const refusal = async (...args: string[]) => {
  const { code, stderr } = await runCommand(...(args as [string, ...string[]]));
  expect(code).toBe(1);
  expect(stderr).not.toContain('    at ');
  return stderr;
};
const fileOf = (run: string, name: string) => readFileSync(join(at(run), name));
const adapterOf = (run: string) => fileOf(run, 'adapter_model.safetensors');
const begun = train('first', 'calculator', '--model', model, '--iterations', '3', ...set);

test('three iterations of GRPO on the calculator move the adapter, which is in the run’s folder', async () => {
  const { iterations } = await begun;
  expect(iterations).toBe(3);
  const weights = checkpointWeights(fileOf('first', 'checkpoint.safetensors'));
  const { config } = readCheckpointHead(fileOf('first', 'checkpoint.safetensors'));
  expect(config.model.pretrained).toMatchObject({ name: 'tiny-qwen3', rank: 4, alpha: 8, targets: 'all-linear' });
  expect(config.model.context).toBe(1024);
  const changed = [...weights].filter(([name]) => name.endsWith('lora_B'));
  expect(changed).toHaveLength(8);
  for (const [name, numbers] of changed)
    expect(
      numbers.some((number) => number !== 0),
      name,
    ).toBe(true);
  const { tensors } = readSafetensors(fileOf('first', 'adapter_model.safetensors'));
  const down = 'base_model.model.model.layers.1.mlp.down_proj.lora_B.weight';
  expect([...tensors.get(down)!.data]).toEqual([...weights.get('model.layers.1.mlp.down_proj.lora_B')!]);
  expect(JSON.parse(String(fileOf('first', 'adapter_config.json')))).toMatchObject({ r: 4, lora_alpha: 8 });
});

test('the warm start teaches the adapter what is demonstrated', async () => {
  await train('warm', 'calculator', '--model', model, '--iterations', '1', ...set, ...warmer);
  const lines = String(fileOf('warm', 'warm-start.jsonl')).trim().split('\n');
  const losses = lines.map((line) => (JSON.parse(line) as { loss: number }).loss);
  expect(losses).toHaveLength(3);
  expect(losses[2]).toBeLessThan(losses[0] - 0.3);
});

test('the same seed, and the link with the model beside it, give the same bits', async () => {
  const { fingerprint, link } = await begun;
  const again = await train('again', link, '--model', model);
  expect(again.fingerprint).toBe(fingerprint);
  expect(adapterOf('again').equals(adapterOf('first'))).toBe(true);
  expect(link.length).toBeLessThan(1500);
});

test('a run that is resumed has the bits of one that never stopped', async () => {
  const { fingerprint } = await begun;
  const args = ['calculator', '--model', model, '--iterations', '3', '--device', 'cpu', ...set, '--out', at('half')];
  const child = spawn('node', ['src/cli/main.mjs', 'train', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const before = said;
    said += chunk.toString();
    if (said.includes('unseen tasks') && !before.includes('unseen tasks')) child.kill('SIGINT');
  });
  expect(await new Promise((resolve) => child.on('close', resolve)), said).toBe(130);
  const progress = () => readCheckpointHead(fileOf('half', 'checkpoint.safetensors')).progress;
  expect(progress().iteration).toBeLessThan(3);
  const { code, stderr } = await runCommand('train', '--resume', at('half'), '--model', model);
  expect(code, stderr).toBe(0);
  expect(progress().fingerprint.join('.')).toBe(fingerprint);
  expect(adapterOf('half').equals(adapterOf('first'))).toBe(true);
});

test('eval measures it, and chat asks it', async () => {
  await begun;
  const measured = await runCommand('eval', at('first'), '--model', model, '--json');
  expect(measured.code, measured.stderr).toBe(0);
  expect(JSON.parse(measured.stdout)).toMatchObject({ environment: 'calculator', iteration: 3, tasks: 4 });
  const asked = await runCommand('chat', at('first'), '(2+3)*4', '--model', model);
  expect(asked.code, asked.stderr).toBe(0);
  expect(asked.stdout).not.toBe('');
});

test('the adapter merged in, the model is loaded as any other, with the rows that pad its vocabulary', async () => {
  await begun;
  const merged = await runCommand('export', at('first'), '--to', 'model', '--model', model, '--out', at('merged'));
  expect(merged.code, merged.stderr).toBe(0);
  const [before, after] = await Promise.all([model, at('merged')].map((path) => openTensors(filesIn(path))));
  const numbers = async (tensors: typeof before, name: string) => [...(await tensors.get(name)!.numbers())];
  const changes = async (name: string) => {
    const [old, now] = [await numbers(before, name), await numbers(after, name)];
    return Math.max(...now.map((number, i) => Math.abs(number - old[i])));
  };
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  expect(await numbers(after, 'model.embed_tokens.weight')).toEqual(await numbers(before, 'model.embed_tokens.weight'));
  expect(await changes('model.layers.1.self_attn.k_proj.weight')).toBeGreaterThan(1e-3);
  expect(
    (await train('on-merged', 'calculator', '--model', at('merged'), '--iterations', '1', ...set)).iterations,
  ).toBe(1);
});

describe('one sentence for', () => {
  const broken = (name: string, breakIt: (path: string) => void) => {
    const path = at(name);
    cpSync(model, path, { recursive: true });
    breakIt(path);
    return refusal('train', 'calculator', '--model', path, '--out', at(`${name}-run`));
  };

  test('a run without its model, with another one, and a run that has none', async () => {
    const { link } = await begun;
    const missing = 'This run trains an adapter of the pretrained model "tiny-qwen3", whose files do not come with it';
    expect(await refusal('train', link)).toContain(missing);
    for (const command of [['train', '--resume'], ['eval'], ['chat']])
      expect(await refusal(...command, at('first'))).toContain(missing);
    const differs = /made with the model "tiny-qwen3" \(SHA-256 \w+\), and the files of "other" are others/;
    expect(await refusal('train', link, '--model', other)).toMatch(differs);
    expect(await refusal('train', '--resume', at('first'), '--model', other)).toMatch(differs);
    expect(await refusal('eval', at('first'), '--model', other)).toMatch(differs);
  });

  test.each<[string, (path: string) => void, string]>([
    ['no folder', (path) => rmSync(path, { recursive: true }), '--model: there is no folder'],
    ['no config', (path) => rmSync(join(path, 'config.json')), 'The model has no file "config.json".'],
    ['no tokenizer', (path) => rmSync(join(path, 'tokenizer.json')), 'The model has no tokenizer.json.'],
    [
      'no shard',
      (path) => rmSync(join(path, 'model-00002-of-00002.safetensors')),
      'The model has no file "model-00002-of-00002.safetensors".',
    ],
    [
      'another architecture',
      (path) => writeFileSync(join(path, 'config.json'), JSON.stringify({ ...tinyConfig, model_type: 'gemma3' })),
      'config.json cannot be used: model_type is "gemma3"',
    ],
    [
      'a truncated shard',
      (path) => truncateSync(join(path, 'model-00001-of-00002.safetensors'), 5000),
      '"model-00001-of-00002.safetensors" cannot be read:',
    ],
    [
      'a smaller vocabulary than the tokenizer’s',
      (path) => writeFileSync(join(path, 'tokenizer.json'), largerTokenizer(path)),
      'tokenizer.json has 301 tokens, and the model of config.json knows 264',
    ],
  ])('%s', async (name, breakIt, sentence) => {
    expect(await broken(name.replaceAll(' ', '-'), breakIt)).toContain(sentence);
  });

  test('settings of an adapter without a model', async () => {
    expect(await refusal('config', 'calculator', '--set', 'rank=4')).toContain(
      '--set rank=4: model.pretrained.rank is of the adapter of a pretrained model: give its folder with --model DIR.',
    );
  });
});

function largerTokenizer(path: string): string {
  const tokenizer = JSON.parse(readFileSync(join(path, 'tokenizer.json'), 'utf8')) as { added_tokens: object[] };
  tokenizer.added_tokens.push({ id: 300, content: '<|far|>', special: true });
  return JSON.stringify(tokenizer);
}
