/** The trainer worker: implements `TrainerApi` and owns the devices, the sandbox workers and at most one run. */
import { expose } from 'comlink';
import type { Drawing } from '../agent/drawing';
import type { EnvironmentDescription } from '../agent/env';
import { builtInEnvironments, templates } from '../environments/built-in';
import type { DeviceChoice, DeviceKind } from '../device/choice';
import { assert } from '../lib/assert';
import { sameJson } from '../lib/same-json';
import { requireBranch } from '../config/branch';
import type { RewardChange } from '../config/changed-reward';
import { configProblems, parseConfig, type RunConfig } from '../config/config';
import { withPretrained } from '../config/for-pretrained';
import { withRows } from '../config/rows';
import type { EnvironmentReport } from '../environment-check/report';
import { compareRollouts, type Comparison } from '../rl/diagnostics/comparison';
import type { DrawnRollout } from '../rl/diagnostics/drawn-rollouts';
import type { Rescoring } from '../rl/diagnostics/rescoring';
import { explainTokens, type Explanation } from '../rl/diagnostics/token-explanation';
import { environmentSource } from '../config/environment-source';
import type { RunPlan } from '../rl/memory';
import { readCheckpointHead } from '../rl/checkpoint';
import type { Round, RoundView } from '../rl/rollouts/rounds';
import type { RolloutView } from '../rl/rollouts/view';
import type { OpenedLink, RunSoFar } from '../config/run-link';
import { extended } from '../rl/learner/schedule';
import { rewardWeights } from '../rl/rollouts/setup';
import type { WorkerPool } from '../sandbox/worker-pool';
import { GivenModels } from './given-models';
import type { DeviceReport, EnvironmentSources, GivenFiles, GivenModel, SandboxFrame, TrainerApi } from './protocol';
import type { KeptRun, RunLabel, RunRecord, SavedRun } from '../run/store/saved-run';
import type { RunEvent } from '../run/events';
import type { ChatEvent } from '../rl/rollouts/chat';
import { Descriptions } from './descriptions';
import { measureGflops } from './device-speed';
import { Devices } from './devices';
import { Fit } from './fit';
import { faultOf } from '../run/faults';
import { openSandbox, workersForRun } from './open-sandbox';
import { fetchRecordedStart } from './recorded-start';
import { Run } from '../run/run';
import type { RunSpec } from '../run/run-parts';
import { recordOf } from '../run/store/run-records';
import { newSpec, onwardSpec } from '../run/run-spec';
import { SavedRuns } from '../run/store/saved-runs';
import { StartChat } from './start-chat';
import { shownRecord, shownRun, shownSnapshot } from '../run/store/stored-shapes';
import { strictStore } from '../run/store/strict-store';
import { BrowserTabLock, noLock } from '../run/tab-lock';
import type { CurrentExplanation } from '../run/token-session';
import type { Look } from '../run/attention-session';
import type { TokenQuestion } from '../rl/learner/attention-reader';

class TrainerWorker implements TrainerApi {
  private readonly listeners = new Set<(event: RunEvent) => void>();
  private readonly models = new GivenModels();
  private readonly descriptions = new Descriptions(() => this.openSandbox(1), this.models.open);
  private frame: SandboxFrame | null = null;
  /** Address of the page's files. */
  private site = '';
  /** Its runs are kept nowhere, and may train while another trainer does. */
  private apart = false;
  private readonly devices = new Devices();
  private readonly fit = new Fit(this.devices, this.descriptions, this.models);
  private pool: Promise<WorkerPool> | null = null;
  private run: Run | null = null;
  private readonly saved = new SavedRuns(strictStore('agentlet runs'));
  private readonly tabLock = new BrowserTabLock();
  /** Settles when the last request to begin or to end a run is done. Pause waits for it, to find its run. */
  private beginning: Promise<void> = Promise.resolve();
  /** What a run uses, and the chat before it. */
  private readonly surroundings = {
    deviceFor: (choice: DeviceChoice) => this.devices.kindOf(choice),
    openDevice: (kind: DeviceKind) => this.devices.openHealthy(kind),
    openSandbox: () => this.sandboxes(),
    readRecordedStart: (preset: string) => fetchRecordedStart(this.site, preset),
    openModel: this.models.open,
  };
  private readonly start = new StartChat({
    ...this.surroundings,
    withoutRun: (work) => this.inTurn(() => this.withoutRun(work)),
  });

  async connect(frame: SandboxFrame, site: string, apart: boolean): Promise<void> {
    this.frame = frame;
    this.site = site;
    this.apart = apart;
    // A deletion can be undone until the page is opened again.
    if (!apart) void this.saved.purge().catch(() => undefined);
  }

  async sources(): Promise<EnvironmentSources> {
    return {
      builtIn: builtInEnvironments,
      templates: Object.entries(templates).map(([title, source]) => ({ title, source })),
    };
  }

  device(): Promise<DeviceReport> {
    return this.devices.find();
  }

  async speed(choice: DeviceChoice): Promise<number> {
    return measureGflops(await this.devices.open(await this.devices.kindOf(choice)));
  }

  plan(config: RunConfig): Promise<RunPlan> {
    return this.fit.plan(config);
  }

  async giveModel(
    given: GivenFiles,
    wanted: RunConfig | null,
    onProgress: (share: number) => void,
  ): Promise<GivenModel> {
    return this.models.take(given, await this.fit.maxWeightBytes(wanted?.device ?? 'auto'), wanted, onProgress);
  }

  describeEnvironment(source: string): Promise<EnvironmentDescription> {
    return this.descriptions.of(source);
  }

  async checkEnvironment(config: RunConfig): Promise<EnvironmentReport> {
    return this.descriptions.check(withPretrained(parseConfig(config), null));
  }

  async subscribe(listener: (event: RunEvent) => void): Promise<void> {
    this.listeners.add(listener);
  }

  async train(config: RunConfig, author: OpenedLink | null): Promise<void> {
    await this.begin(async () => newSpec(config, author), Infinity);
  }

  async extend(iterations: number): Promise<RunConfig> {
    const saved = this.run?.savedState;
    if (!saved?.run.finished)
      throw new Error('The end of this run could not be kept, so it cannot go on: press Train again.');
    const config = parseConfig(extended(saved.run.config, iterations));
    await this.begin(async () => onwardSpec(config, saved.run, saved.snapshot, null), Infinity);
    return config;
  }

  async changeReward(change: RewardChange): Promise<RunConfig> {
    const { run } = this;
    const saved = run && !run.gate.hasEnded ? await run.saveToBranch() : null;
    if (!saved || saved.run.finished) throw new Error('There is no run that could go on with another reward.');
    const { config: before, iteration } = saved.run;
    const config = await this.descriptions.withReward(before, change);
    await this.begin(async () => onwardSpec(config, saved.run, saved.snapshot, iteration), Infinity);
    return config;
  }

  async answersAt(iteration: number): Promise<readonly RolloutView[]> {
    const { run } = this;
    if (!run) throw new Error('There is no run whose earlier agents could answer: press Train first.');
    return run.agent.past.answersAt(iteration, () => this.keptCheckpoint(run.id, iteration));
  }

  async checkBranch(iteration: number, config: RunConfig): Promise<void> {
    await this.branchSpec(iteration, config);
  }

  async branch(iteration: number, config: RunConfig): Promise<RunConfig> {
    const spec = await this.branchSpec(iteration, config);
    await this.begin(async () => spec, Infinity);
    return spec.config;
  }

  async pause(): Promise<void> {
    await this.beginning;
    await this.run?.pause();
  }

  async resume(): Promise<void> {
    await this.beginning;
    if (this.run?.gate.isClosed) this.run.resume(Infinity);
  }

  async step(config: RunConfig, author: OpenedLink | null): Promise<void> {
    await this.beginning;
    if (this.run?.gate.isClosed) this.run.resume(1);
    else if (!this.run || this.run.gate.hasEnded) await this.begin(async () => newSpec(config, author), 1);
  }

  reset(): Promise<void> {
    return this.inTurn(async () => {
      await this.run?.drop();
      this.run = null;
      this.emit({ type: 'state', state: 'idle' });
    });
  }

  async chat(message: string, listener: (event: ChatEvent) => void): Promise<void> {
    if (!this.run) throw new Error('There is no agent to talk to yet: press Train first.');
    await this.run.chat(message, listener);
  }

  async chatWithStart(config: RunConfig, message: string, listener: (event: ChatEvent) => void): Promise<void> {
    await this.start.ask(parseConfig(config), message, listener);
  }

  async compareEstimators(rollouts: readonly RolloutView[], ofRun: RunConfig): Promise<Comparison> {
    const config = parseConfig(ofRun);
    const description = await this.descriptions.of(environmentSource(config));
    return compareRollouts(rollouts, config, rewardWeights({ config, description }));
  }

  async rescore(rollouts: readonly RolloutView[], ofRun: RunConfig, change: RewardChange): Promise<Rescoring> {
    return this.descriptions.rescore(rollouts, parseConfig(ofRun), change);
  }

  async draw(rollouts: readonly DrawnRollout[], ofRun: RunConfig): Promise<readonly Drawing[] | null> {
    return this.descriptions.draw(rollouts, parseConfig(ofRun));
  }

  async play(round: Round, ofRun: RunConfig): Promise<RoundView> {
    return this.descriptions.play(round, parseConfig(ofRun));
  }

  async explainTokens(rollout: RolloutView, ofRun: RunConfig): Promise<Explanation> {
    const { run } = this;
    const config = parseConfig(ofRun);
    const template = run && sameJson(run.config.model, config.model) ? run.readTemplate(rollout) : null;
    return { ...explainTokens(rollout, config, null), template };
  }

  async readTokens(rollout: RolloutView): Promise<CurrentExplanation> {
    if (!this.run) throw new Error('There is no agent yet that could read these tokens: press Train first.');
    return this.run.agent.tokens.explain(rollout);
  }

  async lookInside(rollout: RolloutView, place: TokenQuestion, iteration: number | null): Promise<Look> {
    const { run } = this;
    if (!run) throw new Error('There is no agent yet to look into: press Train first.');
    const kept = iteration === null ? null : { iteration, read: () => this.keptCheckpoint(run.id, iteration) };
    return run.agent.attention.look(rollout, place, kept);
  }

  private async keptCheckpoint(id: string, iteration: number): Promise<Uint8Array> {
    return (await this.saved.checkpoints.load(id, iteration)).checkpoint;
  }

  async soFar(config: RunConfig): Promise<RunSoFar | null> {
    return this.run !== null && sameJson(this.run.config, config) ? this.run.soFar : null;
  }

  async configProblems(configs: readonly unknown[]): Promise<readonly (string | null)[]> {
    return configs.map((config) => configProblems(config)[0] ?? null);
  }

  async savedRuns(): Promise<readonly SavedRun[]> {
    // Where nothing can be stored, the run of this tab is in memory.
    const here = this.run?.savedState?.run;
    const stored = (await this.saved.list().catch((): SavedRun[] => [])).flatMap((each) => shownRun(each) ?? []);
    return here && !stored.some(({ id }) => id === here.id) ? [here, ...stored] : stored;
  }

  async restore(id: string, author: OpenedLink | null): Promise<void> {
    await this.begin(async () => {
      const here = this.run?.savedState;
      const snapshot = here?.run.id === id ? here.snapshot : shownSnapshot(await this.saved.load(id));
      const { config: saved } = readCheckpointHead(snapshot.checkpoint);
      const run = (await this.savedRuns()).find((each) => each.id === id);
      const rows = run?.config.environment.rows;
      const config = rows === undefined ? saved : await withRows(saved, rows);
      const checkpoints = await this.saved.checkpoints.list(id).catch(() => []);
      return { id, config, author, snapshot, checkpoints, parent: run?.parent, configChanges: run?.configChanges };
    }, Infinity);
  }

  async runs(): Promise<readonly KeptRun[]> {
    const { run } = this;
    const all = await this.saved.all(run?.savedState ?? undefined);
    const shown = all.flatMap((each) => shownRun(each) ?? []);
    return shown.map((each) => ({ ...each, here: run?.id === each.id && !run.gate.hasEnded }));
  }

  async runRecord(id: string): Promise<RunRecord> {
    const here = this.run?.savedState;
    return here?.run.id === id ? recordOf(here.snapshot.history) : shownRecord(await this.saved.record(id));
  }

  async labelRun(id: string, label: Partial<RunLabel>): Promise<void> {
    await this.saved.label(id, label);
  }

  async save(): Promise<void> {
    await this.run?.save();
  }

  async alive(): Promise<void> {}

  async checkpoint(id?: string): Promise<Uint8Array> {
    if (id !== undefined && id !== this.run?.id) return (await this.saved.load(id)).checkpoint;
    if (!this.run) throw new Error('There is nothing to save yet: press Train first.');
    return this.run.checkpoint();
  }

  /** @throws a sentence if the run of now cannot go on from there under this config */
  private async branchSpec(iteration: number, changed: RunConfig): Promise<RunSpec> {
    const { run } = this;
    if (!run) throw new Error('There is no run that could go on from there: press Train first.');
    const config = parseConfig(changed);
    requireBranch(run.config, config, iteration);
    return onwardSpec(config, run.spec, await this.saved.checkpoints.load(run.id, iteration), iteration);
  }

  private begin(spec: () => Promise<RunSpec>, iterations: number): Promise<void> {
    return this.inTurn(() => this.replaceRun(spec, iterations));
  }

  /** Does such work one at a time. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.beginning.then(work);
    this.beginning = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  private async withoutRun<T>(work: () => Promise<T>): Promise<T> {
    if (this.run) throw new Error('A run has begun meanwhile: ask its agent.');
    return work();
  }

  /** Ends the current run and starts another. If that fails, it emits an event and rejects. */
  private async replaceRun(prepare: () => Promise<RunSpec>, iterations: number): Promise<void> {
    try {
      const spec = await prepare();
      await this.run?.drop();
      this.run = null;
      await this.start.close();
      await this.fit.require(spec.config);
      const parts = {
        ...this.surroundings,
        saved: this.apart ? nowhere : this.saved,
        checkpoints: this.apart ? null : this.saved.checkpoints,
        tabLock: this.apart ? noLock : this.tabLock,
        emit: (event: RunEvent) => this.emit(event),
      };
      this.run = new Run(parts, spec);
      this.run.start(iterations);
    } catch (error) {
      const { message, remedy } = faultOf(error, 'start-over');
      this.emit({ type: 'state', state: 'failed', message, remedy });
      throw error;
    }
  }

  private sandboxes(): Promise<WorkerPool> {
    this.pool ??= this.openSandbox(workersForRun()).catch((error: unknown) => {
      this.pool = null;
      throw error;
    });
    return this.pool;
  }

  private openSandbox(workers: number): Promise<WorkerPool> {
    assert(this.frame !== null, 'an environment was to be run before TrainerApi.connect');
    return openSandbox(this.frame, workers);
  }

  private emit(event: RunEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

const nowhere: Pick<SavedRuns, 'save'> = { save: async () => undefined };

expose(new TrainerWorker());
