/** What the displayed run offers its parts: weights, drawings, tokens, estimators, names, and its verdict. */
import { describe, expect, it, vi } from 'vitest';
import { aboutAlgorithms } from '../../src/algorithms/table';
import { openRunLink, runLink } from '../../src/config/run-link';
import { text } from '../../src/ui/state/run/text';
import type { TrainerClient } from '../../src/ui/trainer/trainer-client';
import type { DeviceReport, TrainerApi } from '../../src/worker/protocol';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { answerRecordings, answers, configOf, page, recordingOf, rollout, start } from '../helpers/displayed-run';

answerRecordings();

const trainerOf = (api: Partial<TrainerApi>) => ({ api }) as unknown as TrainerClient;

/** A page whose environments draw themselves, or do not, and weigh a reward. */
function described(hooks: readonly string[] = ['draw']) {
  const parts = page();
  const { setup } = parts;
  const presets = setup.catalog!.presets.map((preset) => ({
    ...preset,
    environment: { ...preset.environment, hooks, rewards: { correct: { weight: 2, description: '' } } },
  }));
  setup.adopt({ ...setup.catalog!, aboutAlgorithms: aboutAlgorithms(), presets } as typeof setup.catalog & object);
  setup.choosePreset('calculator');
  return parts;
}

describe('rewards', () => {
  it('weigh what the config says, else what the environment says; of a foreign one only the config is known', () => {
    const { shown, begin } = described();
    const config = configOf('calculator');
    expect(shown.rewardWeights, 'no run is shown').toBeNull();
    begin({ ...config, rewards: { brief: 0.5 } });
    expect(shown.rewardWeights).toEqual({ correct: 2, brief: 0.5 });
    begin({ ...config, rewards: { correct: 0 } });
    expect(shown.rewardWeights).toEqual({ correct: 0 });
    begin({ ...config, rewards: { own: 1 }, environment: { ...config.environment, source: 'export {}' } });
    expect(shown.rewardWeights).toEqual({ own: 1 });
  });

  it('are compared with what the algorithm of the run compares them with', () => {
    const { shown, begin } = described();
    expect(shown.baseline).toBeUndefined();
    begin(configOf('calculator'));
    expect(shown.baseline).toBe(aboutAlgorithms().grpo.baseline);
  });
});

describe('recordings', () => {
  it('are needed of the chosen preset and of the displayed run', () => {
    const { shown, begin } = page();
    expect(shown.wanted).toEqual(['calculator', 'calculator']);
    begin(configOf('bandit'));
    expect(shown.wanted).toEqual(['calculator', 'bandit']);
  });

  it('name their preset only while one is shown', async () => {
    const { shown } = page();
    expect(shown.recordedPreset).toBeNull();
    await answers.get('calculator')!(recordingOf('calculator'));
    expect(shown.recordedPreset).toBe('calculator');
    shown.view = 'live';
    expect(shown.recordedPreset).toBeNull();
  });

  it('give the questions of the chat until this tab’s run has rollouts', async () => {
    const { shown, begin, run } = page();
    expect(shown.askedBefore).toEqual([]);
    await answers.get('calculator')!(recordingOf('calculator'));
    expect(shown.askedBefore.map(({ prompt }) => prompt)).toEqual(['asked by calculator', 'asked by calculator']);
    begin(configOf('calculator'));
    run.rollouts = [rollout(1, true, 'its own')];
    expect(shown.askedBefore.map(({ prompt }) => prompt)).toEqual(['its own']);
  });
});

describe('drawings', () => {
  const drawn = { scenes: [] };

  it('are there where the world of the run draws itself', () => {
    const drawing = described();
    expect(drawing.shown.drawingSource(() => null, true).draws, 'no run is shown').toBe(false);
    drawing.begin(configOf('calculator'));
    expect(drawing.shown.drawingSource(() => null, true).draws).toBe(true);
    expect(drawing.shown.crowdSource(() => null)).not.toBeNull();
    const other = described([]);
    other.begin(configOf('calculator'));
    expect(other.shown.drawingSource(() => null, true)).toEqual({ draws: false, of: null });
    expect(other.shown.crowdSource(() => null)).toBeNull();
  });

  it('have a place before the catalog has come, but not where the run’s world is the visitor’s own', () => {
    const { shown, begin, setup } = page();
    setup.catalog = null;
    const config = configOf('calculator');
    begin(config);
    expect(shown.drawingSource(() => null, true).draws).toBe(true);
    begin({ ...config, environment: { ...config.environment, source: 'export const meta = {};' } });
    expect(shown.drawingSource(() => null, true).draws).toBe(false);
  });

  it('of this tab’s run are asked of the trainer once it is there', async () => {
    const { shown, begin } = described();
    begin(configOf('calculator'));
    const draw = vi.fn(async () => [drawn]);
    expect(shown.drawingSource(() => trainerOf({ draw }), false).of).toBeNull();
    const { of } = shown.drawingSource(() => trainerOf({ draw }), true);
    expect(await of!(rollout(1, true, 'a'))).toBe(drawn);
    expect(draw.mock.calls[0].at(1 as never)).toEqual(configOf('calculator'));
  });

  it('of many rollouts are asked for at once; none come without a trainer', async () => {
    const { shown, begin } = described();
    begin(configOf('calculator'));
    const draw = vi.fn(async (rollouts: readonly unknown[]) => rollouts.map(() => drawn));
    const both = [rollout(1, true, 'a'), rollout(1, false, 'b')];
    expect(await shown.crowdSource(() => trainerOf({ draw } as Partial<TrainerApi>))!(both)).toEqual([drawn, drawn]);
    expect(draw).toHaveBeenCalledTimes(1);
    expect(await shown.crowdSource(() => null)!(both)).toBeNull();
  });

  it('of a recording come without a trainer, too', async () => {
    const { shown } = described();
    await answers.get('calculator')!(recordingOf('calculator'));
    expect(shown.drawingSource(() => null, false).of).not.toBeNull();
  });
});

describe('the trainer', () => {
  const one: RolloutView = rollout(1, true, 'a');

  it('explains tokens of the displayed run, and reads them again only with this tab’s agent', async () => {
    const { shown, begin } = page();
    const explainTokens = vi.fn(async () => 'explained');
    const readTokens = vi.fn(async () => 'read');
    const trainer = trainerOf({ explainTokens, readTokens } as unknown as Partial<TrainerApi>);
    const source = (hasAgent: boolean, client: TrainerClient | null = trainer) =>
      shown.tokenSource(() => client, hasAgent);
    await expect(source(true).explain(one), 'no run').rejects.toThrow(text.notReady);
    expect(source(true).read, 'a recording has no agent').toBeNull();
    begin(configOf('bandit'));
    await expect(source(true, null).explain(one), 'no trainer').rejects.toThrow(text.notReady);
    expect(await source(true).explain(one)).toBe('explained');
    expect(explainTokens.mock.calls).toEqual([[one, configOf('bandit')]]);
    expect(source(false).read).toBeNull();
    expect(await source(true).read!(one)).toBe('read');
  });

  it('compares estimators of the displayed run', async () => {
    const { shown, begin } = page();
    const compareEstimators = vi.fn(async () => 'compared');
    const trainer = trainerOf({ compareEstimators } as unknown as Partial<TrainerApi>);
    await expect(shown.compareEstimators([one], trainer), 'no run').rejects.toThrow(text.notReady);
    begin(configOf('bandit'));
    await expect(shown.compareEstimators([one], null), 'no trainer').rejects.toThrow(text.notReady);
    expect(await shown.compareEstimators([one], trainer)).toBe('compared');
    expect(compareEstimators.mock.calls).toEqual([[[one], configOf('bandit')]]);
  });
});

it('files are named after the run, or after the page without one', () => {
  const { shown } = page();
  expect(shown.nameOf(undefined)).toBe('agentlet');
  expect(shown.nameOf(configOf('bandit'))).toBe('agentlet-bandit-1');
});

it('the config of a run counts from the order on, and no longer once the run is neither busy nor started', () => {
  const { shown, begin, run } = page();
  begin(configOf('bandit'));
  expect(shown.runConfig).toEqual(configOf('bandit'));
  run.take({ type: 'state', state: 'failed' }, 0);
  expect(shown.runConfig).toBeUndefined();
  start(run, configOf('bandit'));
  expect(shown.runConfig).toEqual(configOf('bandit'));
});

describe('the verdict on a run beside its author’s', () => {
  const report = (adapter: string, on: 'gpu' | 'cpu' = 'gpu'): DeviceReport => ({
    gpu: { ok: true, adapter, software: false } as DeviceReport['gpu'],
    cpu: 'CPU',
    runsOn: { auto: on, gpu: on, cpu: 'cpu' },
  });

  it('says whether both were trained on the same device', async () => {
    const { shown, begin, run } = page();
    const config = { ...configOf('calculator'), device: 'auto' } as const;
    const soFar = { validation: [{ iteration: 1, success: 0.5 }], fingerprint: ['a'.repeat(16)] };
    shown.author = await openRunLink(await runLink(config, { ...soFar, adapter: 'a GPU', device: 'gpu' }));
    expect(begin(shown.author.config)).toBe(shown.author);
    run.take({ type: 'reproduction', digests: 1, identicalTo: 0, comparedTo: 1, difference: 0.05 }, 0);
    const sentence = (device: DeviceReport | null) => shown.reproduction(device)?.sentence;
    expect(sentence(report('a GPU'))).toContain('not bit for bit');
    expect(sentence(report('another GPU'))).toContain('other device');
    expect(sentence(report('a GPU', 'cpu')), 'a GPU that is not trained on').toContain('other device');
    expect(sentence({ ...report('a GPU'), gpu: { ok: false, reason: '' } })).toContain('other device');
    expect(sentence(null)).toContain('other device');
    shown.author = { ...shown.author, adapter: 'CPU' };
    shown.comparedWith = shown.author;
    expect(sentence(report('a GPU', 'cpu'))).toContain('not bit for bit');
  });
});
