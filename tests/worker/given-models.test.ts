/**
 * A pretrained model whose files a person gave to the page: the trainer trains an adapter of it with the bits of a
 * terminal, and refuses other files in the same sentences.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { forPretrained } from '../../src/config/for-pretrained';
import { missingModel } from '../../src/config/pretrained';
import { presetByName } from '../../src/config/presets';
import { checkpointWeights, readCheckpointHead } from '../../src/rl/checkpoint';
import { planRun } from '../../src/rl/memory';
import type { ChatEvent } from '../../src/rl/rollouts/chat';
import { tokenCells } from '../../src/share/rollout-tokens';
import { GivenModels } from '../../src/worker/given-models';
import type { GivenFiles } from '../../src/worker/protocol';
import { runCommand } from '../helpers/command';
import { cpuDevice } from '../helpers/devices';
import { writeTinyPretrained } from '../helpers/tiny-pretrained';
import { Watched } from './run-of';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-given-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = writeTinyPretrained(join(folder, 'tiny-qwen3'));
const other = writeTinyPretrained(join(folder, 'other'), 2);

/** As a page sends them to its worker. */
function given(from: string): GivenFiles {
  const files = new Map(readdirSync(from).map((name) => [name, new Blob([readFileSync(join(from, name))])]));
  return structuredClone({ folder: from, files });
}

const models = new GivenModels();
let config: RunConfig;

beforeAll(async () => {
  const found = await models.take(given(path), Infinity, null);
  const made = forPretrained(presetByName('calculator').config, found);
  config = parseConfig({
    ...made,
    iterations: 2,
    model: { ...made.model, pretrained: { ...made.model.pretrained!, rank: 4, alpha: 8 } },
    warmStart: { ...made.warmStart, demonstrations: 4, steps: 2, batch: 2 },
    rollout: { ...made.rollout, tasks: 2, group: 4, maxTurns: 3 },
    shaping: { ...made.shaping, overlong: 1, overlongFrom: 1, overlongBuffer: 300 },
    optimizer: { ...made.optimizer, learningRate: 1e-2 },
    evaluation: { tasks: 4, every: 3 },
  });
});

const set =
  'tasks=2 group=4 turns=3 evalTasks=4 evalEvery=3 lr=1e-2 overlong=1 overlongFrom=1 overlongBuffer=300 ' +
  'rank=4 alpha=8 demos=4 warm=2 warmBatch=2';

const parts = {
  deviceFor: async () => 'cpu' as const,
  openDevice: () => cpuDevice(),
  openModel: models.open,
};

function watch(options: ConstructorParameters<typeof Watched>[1] = {}): Watched {
  const watched = new Watched(config, { ...options, parts: { ...parts, ...options.parts } });
  onTestFinished(() => watched.run.drop());
  return watched;
}

test('what is told of a model is what its files say', async () => {
  const told: number[] = [];
  const found = await models.take(given(path), Infinity, null, (share) => told.push(share));
  expect(found).toMatchObject({ name: 'tiny-qwen3', architecture: 'Qwen3', context: 2048, licence: 'apache-2.0' });
  expect(found.bytes).toBeGreaterThan(2 * found.parameters);
  expect(told.at(-1)).toBe(1);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
});

test('its adapter learns with the bits of a terminal, and goes on with them from a save', async () => {
  const flags = set.split(' ').flatMap((each) => ['--set', each]);
  const out = join(folder, 'terminal');
  const args = ['calculator', '--model', path, '--iterations', '2', ...flags, '--device', 'cpu', '--json'];
  const { code, stdout, stderr } = await runCommand('train', ...args, '--out', out);
  expect(code, stderr).toBe(0);
  const whole = watch();
  whole.onEvent((event) => event.type === 'iteration' && void whole.run.save());
  expect(await whole.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(whole.fingerprint.join('.')).toBe((JSON.parse(stdout) as { fingerprint: string }).fingerprint);
  const saved = readFileSync(join(out, 'checkpoint.safetensors'));
  expect(readCheckpointHead(saved).config).toEqual({ ...config, device: 'cpu' });
  const last = whole.stored.at(-1)!.state.checkpoint;
  expect(checkpointWeights(last)).toEqual(checkpointWeights(saved));

  const first = whole.stored.find(({ run }) => run.iteration === 1)!;
  const resumed = watch({ spec: { snapshot: structuredClone(first.state) } });
  expect(await resumed.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(Buffer.compare(resumed.stored.at(-1)!.state.checkpoint, last)).toBe(0);
});

test('its agent answers, an earlier one too, and its tokens are read by their text', async () => {
  const watched = watch();
  watched.onEvent((event) => event.type === 'iteration' && void watched.run.save());
  await watched.finish();
  const { agent } = watched.run;
  const said: ChatEvent[] = [];
  await agent.chat.ask('(2+3)*4', (event) => said.push(event));
  expect(said.map(({ type }) => type)).toContain('done');
  const first = watched.stored.find(({ run }) => run.iteration === 1)!;
  const answers = await agent.past.answersAt(1, async () => first.state.checkpoint);
  expect(answers.length).toBeGreaterThan(0);
  const rollout = watched.of('iteration')[0].rollouts[0];
  const { tokens } = await agent.tokens.explain(rollout);
  expect(tokens[0].length).toBe(rollout.steps[0].tokens.length);
  const { vocabulary, specialTokens } = watched.of('started')[0];
  const shown = tokenCells(rollout, vocabulary, specialTokens).map(({ text }) => text);
  expect(shown.slice(0, 2)).toEqual(['<|im_start|>', 's']);
});

test('a run without its files ends with the sentence that asks for them', async () => {
  const { pretrained } = config.model;
  const watched = watch({ parts: { openModel: new GivenModels().open } });
  expect(await watched.finish()).toMatchObject({ state: 'failed', message: missingModel(pretrained!) });
});

test('the plan of a run counts the model that is here', async () => {
  const unlimited = { bindingBytes: Infinity, memoryBytes: Infinity };
  const network = await models.network(config);
  const { parameters } = await models.take(given(path), Infinity, null);
  const plan = planRun(config, null, unlimited, network);
  expect(plan.problems).toEqual([]);
  expect(plan.parameters).toBeGreaterThan(parameters);
  expect(plan.totalBytes).toBeGreaterThan(0);
  expect(planRun(config, null, unlimited).problems).toEqual([missingModel(config.model.pretrained!)]);
});

test('other files, too large ones and files that are no model are refused before they are used', async () => {
  await expect(models.take(given(other), Infinity, config)).rejects.toThrow(
    /^This run was made with the model "tiny-qwen3" \(SHA-256 \w+\), and the files of "other" are others/,
  );
  await expect(models.take(given(path), 1e4, null)).rejects.toThrow(
    /^The weights of this model take .*, and the device can hold .*: choose a smaller model\.$/,
  );
  const { files } = given(path);
  const without = new Map([...files].filter(([name]) => name !== 'config.json'));
  await expect(models.take({ folder: 'x', files: without }, Infinity, null)).rejects.toThrow(
    'The model has no file "config.json".',
  );
  expect(models.has({ ...config.model.pretrained!, digest: 'f'.repeat(64) })).toBe(false);
});
