/**
 * The setup being edited: a config, what differs from its preset, and what is wrong with it. Holds only valid values; a
 * value out of range stays in its field with a sentence. Decides nothing about a run that exists.
 */
import type { Catalog, PresetInfo } from '../../../config/catalog';
import type { EnvironmentSources } from '../../../worker/protocol';
import type { EnvironmentDescription } from '../../../agent/env';
import type { RunConfig } from '../../../config/config';
import type { Field } from '../../../config/fields';
import type { RunPlan } from '../../../rl/memory';
import { sameJson } from '../../../lib/same-json';
import { closestPreset, presetOf } from '../../../config/closest-preset';
import { edited, merged, valueAt, type Path } from '../../../config/edit';
import { type FoundModel, forPretrained, isMeant, withPretrained } from '../../../config/for-pretrained';
import type { PartialSettings } from '../../../lib/recorded-model';
import { customEnvironment, type CustomEnvironment, type Origin } from './custom-environment';
import { draft } from './draft.svelte';

export class Setup {
  catalog = $state.raw<Catalog | null>(null);
  /** Null before the trainer's answer. */
  sources = $state.raw<EnvironmentSources | null>(null);
  preset = $state.raw<PresetInfo | null>(null);
  config = $state.raw<RunConfig | null>(null);
  /** The environment that is not built in, if there is or was one. */
  custom = $state.raw<CustomEnvironment | null>(null);
  /** By dotted path: the sentence beside a field with an invalid text. */
  errors = $state.raw<Readonly<Record<string, string>>>({});
  /** Counts the loaded configs; a new one clears invalid texts from the fields. */
  loads = $state(0);
  /** Help of the field under the pointer or with the focus. */
  hint = $state('');
  /** The config before a pretrained model was chosen. */
  #fromNothing: RunConfig | null = null;
  /** Parameters and memory of the config; null before the trainer's answer. */
  plan = $state.raw<RunPlan | null>(null);
  /** The same for each model preset, by its name. */
  presetPlans = $state.raw<Readonly<Record<string, RunPlan>>>({});

  /** The choices: the presets, and the environment that is not built in. */
  readonly offered = $derived<readonly PresetInfo[]>([
    ...(this.catalog?.presets ?? []),
    ...(this.custom ? [this.custom] : []),
  ]);
  readonly edited = $derived(
    this.config !== null && this.preset !== null && !sameJson(this.config, this.preset.config),
  );
  /** The first reason why this setup cannot be trained. */
  readonly problem = $derived(Object.values(this.errors)[0] ?? this.plan?.problems[0] ?? null);
  /** Those that mean something for the setup's model. */
  readonly fields = $derived(
    (this.catalog?.fields ?? []).filter(({ path }) => this.config !== null && isMeant(path, this.config)),
  );
  readonly fromScratch = $derived(this.config?.warmStart.demonstrations === 0);

  adopt(catalog: Catalog): void {
    this.catalog = catalog;
    this.chooseFirst();
  }

  chooseFirst(): void {
    const first = this.catalog?.presets[0];
    if (first) this.load(first, first.config);
  }

  /** The preset whose environment a run of this config is in, options and all. */
  presetOf(config: RunConfig): PresetInfo | null {
    return presetOf(config, this.catalog?.presets ?? []);
  }

  /** The description of a config's environment; null if unknown. */
  environmentOf({ environment }: RunConfig): EnvironmentDescription | null {
    const { source } = environment;
    if (source !== undefined) return this.isOwn(source) && this.custom?.described ? this.custom.environment : null;
    return (
      this.catalog?.presets.find((preset) => preset.config.environment.name === environment.name)?.environment ?? null
    );
  }

  /** What a run of this config is called: by its preset, else by its environment; null if unknown. */
  titleOf(config: RunConfig): string | null {
    return this.presetOf(config)?.title ?? this.environmentOf(config)?.title ?? null;
  }

  /** The JavaScript of a config's environment; undefined if unknown. */
  sourceOf({ environment: { name, source } }: RunConfig): string | undefined {
    return source ?? this.sources?.builtIn[name];
  }

  /** As the page names it; a run of another version may have an algorithm that is not in the catalog. */
  algorithmTitle({ algorithm: { name } }: RunConfig): string {
    const about: Partial<Catalog['aboutAlgorithms']> | undefined = this.catalog?.aboutAlgorithms;
    return about?.[name]?.title ?? name;
  }

  /** A pretrained model of the setup stays. */
  choosePreset(name: string): void {
    const preset = this.offered.find((candidate) => candidate.name === name);
    if (preset) this.load(preset, this.config ? likeModelOf(preset.config, this.config) : preset.config);
  }

  /** An adapter of this model is to be trained. @param settings that it learns with, where they are known */
  useModel(model: FoundModel, settings: PartialSettings = {}): void {
    const { config, plainPreset } = this;
    if (!config || !plainPreset) return;
    if (!config.model.pretrained) this.#fromNothing = config;
    this.load(plainPreset, merged(forPretrained(config, model), settings));
  }

  /** A model from nothing is to be trained: the one before, if the world is still the same. */
  useOwnModel(): void {
    const { config, plainPreset } = this;
    if (!config?.model.pretrained || !plainPreset) return;
    const before = this.#fromNothing;
    const isSame = before !== null && sameJson(before.environment, config.environment);
    this.load(plainPreset, isSame ? before : withPretrained(plainPreset.config, null));
  }

  /** The preset as it is offered, without the setup's pretrained model. */
  private get plainPreset(): PresetInfo | null {
    return this.offered.find(({ name }) => name === this.preset?.name) ?? this.preset;
  }

  /** Whether the visitor wrote this source. */
  isOwn(source: string): boolean {
    return this.custom?.name === 'own' && this.custom.source === source;
  }

  /** A config from a link; its preset is what 'edited' compares with. */
  loadLinked(presetName: string, config: RunConfig): void {
    if (config.environment.source !== undefined) return this.loadBrought('link', config);
    const presets = this.catalog?.presets ?? [];
    const preset = presets.find((candidate) => candidate.name === presetName) ?? presets[0];
    if (preset) this.load(preset, config);
  }

  /** A saved run's config. */
  loadLike(config: RunConfig): void {
    if (config.environment.source !== undefined) return this.loadBrought('saved', config);
    const preset = closestPreset(config, this.catalog?.presets ?? []);
    if (preset) this.load(preset, config);
  }

  /** A config with code that the visitor wrote. */
  loadOwn(config: RunConfig, description: EnvironmentDescription): void {
    this.load(customEnvironment('own', config, description), config);
  }

  /** The arguments that make `load` restore this setup. */
  snapshot(): { readonly preset: PresetInfo; readonly config: RunConfig } | null {
    return this.preset && this.config && { preset: this.preset, config: this.config };
  }

  /** Takes the same setup with the rows that it named; what it is compared with has them too. */
  supply(config: RunConfig): void {
    if (!this.preset) return;
    const { environment } = config;
    this.load({ ...this.preset, config: { ...this.preset.config, environment } }, config);
  }

  load(preset: PresetInfo, config: RunConfig): void {
    if (isCustom(preset)) this.custom = preset;
    const base = likeModelOf(preset.config, config);
    this.preset = base === preset.config ? preset : { ...preset, config: base };
    this.config = config;
    this.errors = {};
    this.loads++;
  }

  /** Takes the description of an environment that is not built in, after its code has run. */
  describe(source: string, description: EnvironmentDescription): void {
    const { custom } = this;
    if (custom?.source !== source || custom.described) return;
    const described = customEnvironment(custom.name, custom.config, description);
    if (this.preset?.name === custom.name) this.preset = { ...described, config: this.preset.config };
    this.custom = described;
  }

  private loadBrought(origin: Origin, config: RunConfig): void {
    const { source } = config.environment;
    const known = this.custom?.source === source && this.custom?.described ? this.custom.environment : null;
    this.load(customEnvironment(source === draft.text ? 'own' : origin, config, known), config);
  }

  field(path: string): Field | undefined {
    return this.catalog?.fields.find((field) => field.path === path);
  }

  set(path: Path, value: string | number | boolean): void {
    this.put(path, value);
  }

  private put(path: Path, value: unknown): void {
    const { config, preset, catalog } = this;
    if (config && preset && catalog) this.config = edited(config, path, value, preset.config, catalog.algorithms);
    this.setError(path, null);
  }

  setError(path: Path, sentence: string | null): void {
    const { [path.join('.')]: _, ...others } = this.errors;
    this.errors = sentence === null ? others : { ...others, [path.join('.')]: sentence };
  }

  isEdited(path: Path): boolean {
    return !sameJson(valueAt(this.config, path), valueAt(this.preset?.config, path));
  }

  restore(path: Path): void {
    this.put(path, valueAt(this.preset?.config, path));
  }

  restoreAll(): void {
    if (this.preset) this.load(this.preset, this.preset.config);
  }

  /** Half as many rollouts an iteration and half as many demonstrations a step, for a device that ran out of memory. */
  halveBatch(): void {
    if (!this.config) return;
    const { rollout, warmStart } = this.config;
    const [path, size] = rollout.tasks > 1 ? (['tasks', rollout.tasks] as const) : (['group', rollout.group] as const);
    this.set(['rollout', path], Math.max(1, size >> 1));
    this.set(['warmStart', 'batch'], Math.max(1, warmStart.batch >> 1));
  }

  newSeed(): void {
    this.set(['seed'], crypto.getRandomValues(new Uint32Array(1))[0] % 100_000);
  }

  halveRate(): void {
    if (this.config) this.set(['optimizer', 'learningRate'], this.config.optimizer.learningRate / 2);
  }

  /**
   * Asks for the memory plan of this config and of it with each model preset. Answers for a config that has changed
   * since are dropped.
   */
  async askPlans(plan: (config: RunConfig) => Promise<RunPlan>): Promise<void> {
    const { config } = this;
    if (!config) return;
    const presets = config.model.pretrained ? [] : (this.catalog?.modelPresets ?? []);
    const [own, ...others] = await Promise.all([
      plan(config),
      ...presets.map(({ model }) => plan({ ...config, model })),
    ]);
    if (this.config !== config) return;
    this.plan = own;
    this.presetPlans = Object.fromEntries(presets.map((preset, index) => [preset.name, others[index]]));
  }

  /** Takes the rounds that the warm start imitates, as the config holds them; none if the text is empty. */
  teach(rounds: string): void {
    if (!this.config) return;
    if (rounds !== '' && this.fromScratch) this.setFromScratch(false);
    const { rounds: _before, ...warmStart } = this.config.warmStart;
    this.put(['warmStart'], rounds === '' ? warmStart : { ...warmStart, rounds });
  }

  setFromScratch(on: boolean): void {
    if (!this.config || !this.preset) return;
    const demonstrations = on ? 0 : Math.max(1, this.preset.config.warmStart.demonstrations);
    this.set(['warmStart', 'demonstrations'], demonstrations);
  }
}

/** The config with the pretrained model of another, if that has one and it has none itself. */
function likeModelOf(config: RunConfig, { model: { pretrained, context } }: RunConfig): RunConfig {
  if (!pretrained || config.model.pretrained) return config;
  return withPretrained(forPretrained(config, { ...pretrained, context }), pretrained);
}

const isCustom = (preset: PresetInfo): preset is CustomEnvironment => 'source' in preset;
