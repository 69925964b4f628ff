/** The parts of the page that decide whose run is shown, with recordings that a test answers by hand. */
import { afterEach, beforeEach, vi } from 'vitest';
import { presets } from '../../src/config/presets';
import { LiveRun } from '../../src/ui/state/run/live-run.svelte';
import { Recordings, Replay, type RecordedRun } from '../../src/ui/state/run/recordings.svelte';
import { Setup } from '../../src/ui/state/setup/setup.svelte';
import { DisplayedRun } from '../../src/ui/state/run/displayed-run.svelte';
import { packRecording } from '../../src/share/recording-file';
import type { Catalog } from '../../src/config/catalog';
import type { RunConfig } from '../../src/config/config';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { metricsRow } from './metrics-row';

export const configOf = (name: string): RunConfig => presets.find((preset) => preset.name === name)!.config;
const environmentOf = (name: string) => ({ title: `Title of ${name}`, examples: [`asked in ${name}`], rewards: {} });
const catalog = {
  fields: [],
  presets: presets.map(({ name, title, config }) => ({
    name,
    title,
    config,
    environment: environmentOf(config.environment.name),
  })),
} as unknown as Catalog;

export const rollout = (iteration: number, success: boolean, prompt: string): RolloutView => ({
  iteration,
  index: 0,
  group: 0,
  taskId: 't',
  prompt,
  reward: 0,
  advantage: 0,
  success,
  end: 'answer',
  steps: [],
});

/** Success on unseen tasks is told apart from practice by its value. */
export const recordingOf = (name: string) =>
  ({
    preset: name,
    config: configOf(name),
    vocabulary: [],
    specialTokens: [],
    groups: 16,
    metrics: [1, 2, 3].map((i) => metricsRow(i, { success: 0.3, validationSuccess: i === 2 ? null : i / 4 })),
    rollouts: [rollout(1, false, `asked by ${name}`), rollout(3, true, `asked by ${name}`)],
    answers: [[0, 2, 3].map((iteration) => rollout(iteration, iteration > 0, `asked by ${name}`))],
  }) as unknown as RecordedRun;

/** The page's own addresses of recordings, answered by hand. */
export let answers: Map<string, (recording: RecordedRun | null) => Promise<unknown>>;
export const settled = () => new Promise((resolve) => setTimeout(resolve));

/** Answers requests for recordings by hand in every test of a file. */
export function answerRecordings(): void {
  beforeEach(() => {
    answers = new Map();
    vi.stubGlobal('fetch', (url: string) => {
      const name = /([\w-]+)\.json$/.exec(url)![1];
      return new Promise((resolve) => {
        answers.set(name, (recording) => {
          resolve(recording ? Response.json(packRecording(recording)) : new Response('', { status: 404 }));
          return settled();
        });
      });
    });
  });

  afterEach(() => void vi.unstubAllGlobals());
}

/** The parts of the page that decide whose run is shown. */
export function page() {
  const [setup, run, recordings] = [new Setup(), new LiveRun(), new Recordings('recordings/')];
  const replay: Replay = new Replay(() => shown.toReplay);
  const shown: DisplayedRun = new DisplayedRun(run, replay, setup, recordings, 'calculator');
  setup.adopt(catalog);
  const choose = (name: string) => {
    setup.choosePreset(name);
    for (const preset of shown.wanted) void recordings.ask(preset);
  };
  const begin = (config: RunConfig) => {
    run.clear('preparing');
    shown.view = 'live';
    const author = shown.compareRun(config);
    for (const preset of shown.wanted) void recordings.ask(preset);
    return author;
  };
  choose('calculator');
  return { setup, run, recordings, replay, shown, choose, begin };
}

export const start = (run: LiveRun, config: RunConfig) =>
  run.take({ type: 'started', config, title: '', vocabulary: [], specialTokens: [], parameters: 1 }, 0);
