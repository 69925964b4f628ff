/** Checkpoints along a run: they change no bit of it, their agents answer while it trains, and runs branch off them. */
import { expect, onTestFinished, test } from 'vitest';
import type { Trajectory } from '../../src/agent/types';
import { readSafetensors } from '../../src/lib/safetensors';
import { readCheckpointHead } from '../../src/rl/checkpoint';
import { requireBranch } from '../../src/config/branch';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { withAlgorithm } from '../../src/config/with-algorithm';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { onwardSpec } from '../../src/run/run-spec';
import type { RunParts } from '../../src/run/run-parts';
import type { RunSnapshot } from '../../src/run/store/run-snapshot';
import type { CheckpointStore } from '../../src/run/timeline';
import { cpuDevice } from '../helpers/devices';
import { tinyRun } from '../helpers/tiny-run';
import { Watched } from './run-of';

const tiny = tinyRun(16, 4);
/** The entropy bonus moves its weights, even where no attempt earns a reward. */
const config = parseConfig({ ...tiny, algorithm: { ...tiny.algorithm, entropyCoefficient: 0.05 } });

/** In place of the browser's storage. */
class Shelf implements CheckpointStore {
  readonly kept = new Map<number, RunSnapshot>();
  /** Takes no more than these. */
  room = Infinity;
  private id = '';

  async save(id: string, iteration: number, snapshot: RunSnapshot): Promise<void> {
    if (this.kept.size >= this.room) throw new DOMException('full', 'QuotaExceededError');
    this.id = id;
    this.kept.set(iteration, structuredClone(snapshot));
  }

  async delete(which: Parameters<CheckpointStore['delete']>[0]): Promise<boolean> {
    const gone = this.iterations.filter((iteration) => which({ key: '', id: this.id, iteration }));
    for (const iteration of gone) this.kept.delete(iteration);
    return gone.length > 0;
  }

  read(iteration: number): Uint8Array {
    const snapshot = this.kept.get(iteration);
    if (!snapshot) throw new Error(`The checkpoint of iteration ${iteration} is not there any more.`);
    return snapshot.checkpoint;
  }

  get iterations(): number[] {
    return [...this.kept.keys()].sort((a, b) => a - b);
  }
}

function watch(of: RunConfig, shelf: Shelf | null, spec: object = {}): Watched {
  const parts: Partial<RunParts> = { deviceFor: async () => 'cpu', openDevice: cpuDevice, checkpoints: shelf };
  const watched = new Watched(of, { parts, spec });
  onTestFinished(() => watched.close());
  return watched;
}

async function finished(watched: Watched): Promise<Watched> {
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  await watched.run.drop();
  return watched;
}

const last = (watched: Watched) => watched.stored.at(-1)!.state;
const isSame = (a: Watched, b: Watched) => Buffer.compare(last(a).checkpoint, last(b).checkpoint) === 0;

test('a run has the same bits with checkpoints, without, and from any of them under the same config', async () => {
  const without = await finished(watch(config, null));
  const shelf = new Shelf();
  const whole = await finished(watch(config, shelf));
  expect(isSame(whole, without)).toBe(true);
  expect(shelf.iterations).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16]);
  expect(whole.of('checkpoints').at(-1)).toMatchObject({ iterations: shelf.iterations, full: false });
  for (const [iteration, { checkpoint, history }] of shelf.kept) {
    expect(readCheckpointHead(checkpoint).progress).toMatchObject({ warm: true, iteration });
    expect(history.curve).toEqual(last(whole).history.curve.slice(0, iteration));
  }

  const own = new Shelf();
  const branch = await finished(watch(config, own, onwardSpec(config, whole.run.spec, shelf.kept.get(6)!, 6)));
  expect(branch.of('restored')[0].metrics.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(branch.curve).toEqual(whole.curve.slice(6));
  expect(branch.fingerprint).toEqual(whole.fingerprint);
  expect(isSame(branch, whole)).toBe(true);
  expect(last(branch).history.curve).toEqual(last(whole).history.curve);
  expect(own.iterations, 'checkpoints of its own').toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
});

test('a branch with one setting changed says where, is the parent’s until then and another run after it', async () => {
  const shelf = new Shelf();
  const parent = await finished(watch(config, shelf, { configChanges: [1, 9] }));
  const { optimizer } = config;
  const faster = parseConfig({ ...config, optimizer: { ...optimizer, learningRate: optimizer.learningRate * 2 } });
  const spec = onwardSpec(faster, parent.run.spec, shelf.kept.get(8)!, 8);
  const branch = await finished(watch(faster, null, spec));
  expect(branch.of('begun')[0].configChanges).toEqual([1, 8]);
  expect(branch.stored.at(-1)!.run).toMatchObject({ parent: 'test', configChanges: [1, 8], iteration: 16 });
  expect(branch.run.soFar).toBeNull();
  const weights = (watched: Watched) => readSafetensors(last(watched).checkpoint).tensors;
  expect(weights(branch)).not.toEqual(weights(parent));
  const metrics = (watched: Watched, iteration: number) =>
    watched.of('iteration').find((each) => each.metrics.iteration === iteration)!.metrics;
  expect(metrics(branch, 9).learningRate).toBe(metrics(parent, 9).learningRate * 2);
  expect(metrics(branch, 9).success, 'the same agent attempts iteration 9').toBe(metrics(parent, 9).success);
});

test('a KL coefficient that a branch changes counts from its first step', async () => {
  const shelf = new Shelf();
  const short = parseConfig({ ...config, iterations: 3 });
  const parent = await finished(watch(short, shelf));
  const algorithm = { ...short.algorithm, klCoefficient: 0.5 };
  const held = parseConfig({ ...short, algorithm });
  const branch = await finished(watch(held, null, onwardSpec(held, parent.run.spec, shelf.kept.get(1)!, 1)));
  expect(branch.of('iteration')[0].metrics.diagnostics?.klCoefficient).toBe(0.5);
});

test('agents of checkpoints answer the same tasks while the run trains, and change none of its bits', async () => {
  const quiet = await finished(watch(config, null));
  const shelf = new Shelf();
  const watched = watch(config, shelf);
  const asked = new Map<number, Promise<readonly RolloutView[]>>();
  const ask = (iteration: number) => watched.run.agent.past.answersAt(iteration, async () => shelf.read(iteration));
  watched.onEvent((event) => {
    if (event.type !== 'checkpoints') return;
    for (const iteration of event.iterations) if (!asked.has(iteration)) asked.set(iteration, ask(iteration));
  });
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(isSame(watched, quiet)).toBe(true);
  for (const iteration of shelf.iterations) {
    const answers = await asked.get(iteration)!;
    expect(await ask(iteration), 'asked once').toBe(answers);
    expect(answers).toHaveLength(3);
    expect(answers.every((each) => each.iteration === iteration && each.steps.length > 0)).toBe(true);
    expect(answers.map(({ taskId }) => taskId)).toEqual((await asked.get(0)!).map(({ taskId }) => taskId));
  }
  const tokensOf = (attempts: readonly Pick<RolloutView | Trajectory, 'steps'>[]) =>
    attempts.map(({ steps }) => steps.map((step) => ('tokens' in step ? step.tokens : step.action.tokens)));
  const validated = await watched.run.agent.trainer.evaluate('validation');
  expect(tokensOf(await ask(16)), 'as the validation has them').toEqual(tokensOf(validated.slice(0, 3)));
  const logProbs = async (iteration: number) => (await ask(iteration))[0].steps[0].logProbs;
  expect(await logProbs(0)).not.toEqual(await logProbs(16));
  await expect(ask(99)).rejects.toThrow('The checkpoint of iteration 99 is not there any more.');
  shelf.kept.set(99, shelf.kept.get(16)!);
  expect(await ask(99), 'a refused question may be asked again').toHaveLength(3);
});

test('after going back to an earlier state, later checkpoints are gone and are taken again', async () => {
  const shelf = new Shelf();
  const whole = await finished(watch(config, shelf));
  const before = shelf.iterations;
  const again = watch(config, shelf, { snapshot: shelf.kept.get(8)!, checkpoints: before });
  const seen: (readonly number[])[] = [];
  again.onEvent((event) => event.type === 'checkpoints' && seen.push(event.iterations));
  await finished(again);
  expect(seen[0]).toEqual([0, 2, 4, 6, 8]);
  expect(shelf.iterations).toEqual(before);
  expect(isSame(again, whole)).toBe(true);
});

test('where no more can be stored the run goes on, and thinning makes room for later checkpoints', async () => {
  const shelf = new Shelf();
  shelf.room = 3;
  const watched = await finished(watch(config, shelf));
  const lists = watched.of('checkpoints').map(({ iterations, full }) => `${iterations.join(' ')} ${full}`);
  expect(lists).toEqual(expect.arrayContaining(['0 1 2 false', '0 1 2 true', '0 2 12 false', '0 2 12 true']));
  expect(shelf.iterations).toEqual([0, 2, 12]);
  expect(watched.notices).toEqual([]);
});

test('what a checkpoint cannot carry is refused with the reason', () => {
  const branch = (to: RunConfig, iteration = 8) => requireBranch(config, to, iteration);
  branch(config);
  branch({ ...config, seed: 9, rollout: { ...config.rollout, group: 8, temperature: 0.5 } });
  branch(withAlgorithm(config, 'rloo'));
  const { model, text, environment, warmStart } = config;
  expect(() => branch({ ...config, model: { ...model, layers: 2 } })).toThrow('have that model’s shape');
  expect(() => branch({ ...config, text: { ...text, tokenizer: 'byte' } })).toThrow('would mean something else');
  expect(() => branch({ ...config, environment: { ...environment, name: 'bandit' } })).toThrow('the environment');
  expect(() => branch({ ...config, warmStart: { ...warmStart, steps: 99 } })).toThrow('taken after it');
  expect(() => branch(withAlgorithm(config, 'ppo'))).toThrow(
    'A branch cannot change from grpo to ppo here, because its checkpoint holds no critic and the new setup needs a ' +
      'separate critic.',
  );
  expect(() => branch(config, 16)).toThrow(
    'A branch from iteration 16 needs more than 16 iterations, and its setup has 16.',
  );
});
