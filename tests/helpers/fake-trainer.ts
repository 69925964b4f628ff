/**
 * A trainer for tests of the page. It computes nothing: it notes each call, and plays the events of a run, one after
 * another, when the test says so. Trainers of one `FakeBrowser` share what is saved, as workers of one browser do.
 */
import { afterEach, beforeEach, vi } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import type { RunEvent, RunState } from '../../src/run/events';
import type { SavedRun } from '../../src/run/store/saved-run';
import { PageState } from '../../src/ui/state/page-state.svelte';
import type { Surroundings } from '../../src/ui/state/tab-run.svelte';
import type { TrainerClient } from '../../src/ui/trainer/trainer-client';
import type { DeviceReport, TrainerApi } from '../../src/worker/protocol';
import { metricsRow } from './metrics-row';
import { catalogOf } from './catalog';

/** Around each test of a file: clocks that the test moves, and what the state of the page asks of a browser. */
export function stubPage(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('location', { hash: '#/lab', href: 'http://here/#/lab' });
    vi.stubGlobal('history', { replaceState: () => undefined });
    vi.stubGlobal('navigator', {});
  });
  afterEach(() => {
    // Files share modules: what a test has put in the place of a function goes with it.
    vi.restoreAllMocks();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

export const onCpu: DeviceReport = {
  gpu: { ok: false, reason: 'There is none.' },
  cpu: 'CPU',
  runsOn: { auto: 'cpu', gpu: 'cpu', cpu: 'cpu' },
};
const plan = { parameters: 1, totalBytes: 1, warmStart: 'recorded', problems: [], notices: [] } as const;

const unlabelled = { name: '', note: '', deleted: false };

const state = (next: RunState): RunEvent => ({ type: 'state', state: next });

/** What a run tells from its beginning, or from where it was saved, to its end. */
export function eventsOf(id: string, config: RunConfig, saved: SavedRun | null = null): readonly RunEvent[] {
  const from = saved?.iteration ?? 0;
  const rows = Array.from({ length: config.iterations }, (_, i) => metricsRow(i + 1));
  const restored = { metrics: rows.slice(0, from), rollouts: [], warmLosses: [], fingerprint: [], sameTasks: [] };
  return [
    state('preparing'),
    { type: 'begun', id, config, warmStart: 'recorded', configChanges: [] },
    { type: 'progress', phase: 'compiling', done: 1, total: 1 },
    { type: 'started', config, title: 'Calculator', vocabulary: [], specialTokens: [], parameters: 1 },
    ...(saved ? [{ type: 'restored', iteration: from, ...restored } as const] : []),
    state('running'),
    ...rows.slice(from).map((metrics) => ({ type: 'iteration', metrics, rollouts: [], fingerprint: [] }) as const),
    state('finished'),
  ];
}

/** A browser with the page in it, and workers that are played. */
export class FakeBrowser {
  readonly trainers: FakeTrainer[] = [];
  /** The latest first. */
  readonly saved: SavedRun[] = [];
  /** Ids of those that were deleted, which can be undone. */
  readonly deleted = new Set<string>();
  /** Answers at once, unless a test puts a promise here before the page opens. */
  device: Promise<DeviceReport> = Promise.resolve(onCpu);
  /** Why every order that begins a run is refused. */
  refusal: Extract<RunEvent, { type: 'state' }> | null = null;
  /** The visitor asked for less motion. */
  still = true;
  /** A test may change what they give. */
  readonly surroundings = surroundingsOf(this);
  readonly page = new PageState(this.surroundings);

  get kept(): readonly SavedRun[] {
    return this.saved.filter(({ id }) => !this.deleted.has(id));
  }

  get trainer(): FakeTrainer {
    return this.trainers.at(-1)!;
  }

  /** Opens the page and waits for its trainer. */
  async open(): Promise<PageState> {
    void this.page.start();
    await settle();
    return this.page;
  }
}

function surroundingsOf(browser: FakeBrowser): { -readonly [name in keyof Surroundings]: Surroundings[name] } {
  return {
    get still() {
      return browser.still;
    },
    recordingsUrl: '/recordings/',
    firstPreset: 'calculator-mini',
    readCatalog: async () => catalogOf('calculator-mini', 'bandit'),
    startTrainer: (onCrash) => {
      browser.trainers.push(new FakeTrainer(browser, onCrash));
      return browser.trainer;
    },
  };
}

/** Lets every promise settle that waits for no timer. */
export const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

export class FakeTrainer implements TrainerClient {
  /** The orders for a run, in words. */
  readonly orders: string[] = [];
  readonly api: TrainerClient['api'];
  isTerminated = false;
  readonly chat: TrainerClient['chat'] = async () => undefined;
  readonly chatWithStart: TrainerClient['chatWithStart'] = async () => undefined;
  /** How it answers; a test may let it find a model. */
  giveModel: TrainerClient['giveModel'] = async () => Promise.reject(new Error('It is no model.'));
  /** How it answers; a test may let it be silent or refuse. */
  answerAlive = (): Promise<void> => Promise.resolve();
  answerPause = (): Promise<void> => Promise.resolve();
  /** What it tells when a run was reset, before it answers. */
  afterReset = (): void => this.tell(state('idle'));
  #listener: (event: RunEvent) => void = () => undefined;
  /** What is still to be played of the run. */
  #events: RunEvent[] = [];
  #run: SavedRun | null = null;

  constructor(
    private readonly browser: FakeBrowser,
    /** The worker dies, with this sentence. */
    readonly crash: (sentence: string) => void,
  ) {
    const calls: Partial<TrainerApi> = {
      device: () => browser.device,
      plan: async () => plan,
      alive: () => this.answerAlive(),
      sources: async () => ({ builtIn: {}, templates: [] }),
      soFar: async () => null,
      savedRuns: async () => browser.kept,
      runs: async () =>
        browser.kept.map((run) => ({
          ...run,
          ...unlabelled,
          curve: [],
          validation: null,
          resumable: true,
          here: false,
        })),
      labelRun: async (id, { deleted }) => void (deleted ? browser.deleted.add(id) : browser.deleted.delete(id)),
      train: (config) => this.#begin(`train ${config.seed}`, config),
      restore: (id) => this.#begin(`restore ${id}`, browser.saved.find((run) => run.id === id)!.config, id),
      ...this.#goingOn(),
      ...this.#steering(),
    };
    this.api = calls as TrainerClient['api'];
  }

  async subscribe(listener: (event: RunEvent) => void): Promise<void> {
    this.#listener = listener;
  }

  terminate(): void {
    this.isTerminated = true;
    this.#listener = () => undefined;
  }

  /** From now on it answers these calls so. */
  answer(calls: Partial<TrainerApi>): void {
    Object.assign(this.api, calls);
  }

  /** Plays events up to the next that fits: an iteration, or a state. */
  play(until: number | RunState): void {
    for (let event = this.#events.shift(); event; event = this.#events.shift()) {
      this.tell(event);
      if (event.type === 'iteration' && event.metrics.iteration === until) return;
      if (event.type === 'state' && event.state === until) return;
    }
  }

  tell(event: RunEvent): void {
    if (event.type === 'iteration' && this.#run) this.#run = { ...this.#run, iteration: event.metrics.iteration };
    this.#listener(event);
  }

  /** Orders for the run that is here. As from a worker, what they lead to is told later. */
  #steering(): Partial<TrainerApi> {
    return {
      pause: async () => {
        this.orders.push('pause');
        await this.answerPause();
        this.tell(state('pausing'));
        this.tell(state('paused'));
      },
      resume: async () => {
        this.orders.push('resume');
        await null;
        this.tell(state('running'));
      },
      step: async (config) => {
        this.orders.push(`step ${config.seed}`);
        await null;
        if (this.#run) this.tell(state('running'));
        else this.#load(config);
      },
      reset: async () => {
        this.orders.push('reset');
        this.#run = null;
        this.#events = [];
        this.afterReset();
      },
      save: async () => this.save(),
    };
  }

  /** Orders that go on from a state as a new run. */
  #goingOn(): Partial<TrainerApi> {
    const onward = async (order: string, config: RunConfig): Promise<RunConfig> => {
      await this.#begin(order, config);
      return config;
    };
    return {
      extend: (iterations) => {
        const { config } = this.#run!;
        return onward(`extend ${iterations}`, { ...config, iterations: config.iterations + iterations });
      },
      branch: (iteration, config) => onward(`branch ${iteration}`, config),
      changeReward: () => onward('changeReward', this.#run!.config),
    };
  }

  /** Saves the run that is here as it is now. */
  save(): void {
    const run = this.#run;
    if (!run) return;
    const others = this.browser.saved.filter(({ id }) => id !== run.id);
    this.browser.saved.splice(0, Infinity, run, ...others);
    this.tell({ type: 'saved', id: run.id, iteration: run.iteration });
  }

  async #begin(order: string, config: RunConfig, id?: string): Promise<void> {
    this.orders.push(order);
    const { refusal } = this.browser;
    if (refusal) {
      this.tell(refusal);
      throw new Error(refusal.message);
    }
    this.#load(config, id);
  }

  #load(config: RunConfig, id = `${this.browser.trainers.length}.${this.orders.length}`): void {
    const saved = this.browser.saved.find((run) => run.id === id) ?? null;
    this.#run = saved ?? {
      id,
      config,
      title: 'Calculator',
      savedAtMs: 0,
      iteration: 0,
      warmSteps: 1,
      finished: false,
    };
    this.#events = [...eventsOf(id, config, saved)];
  }
}
