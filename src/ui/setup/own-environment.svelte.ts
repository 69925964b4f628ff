/**
 * Checks the visitor's own environment and puts it into the setup. Its code runs in the trainer's sandbox, and nowhere
 * else.
 */
import type { ReportLine } from '../../environment-check/report';
import type { RunConfig } from '../../rl/config/config';
import { sentenceOf } from '../shell/error-sentence';
import type { Setup } from './setup.svelte';
import type { TrainerClient } from '../trainer/trainer-client';
import { customEnvironment, configOf, type CustomEnvironment } from './custom-environment';
import { draft } from './draft.svelte';
import { text } from './text';

/** What a check found. */
interface Checked {
  /** The checked source and settings. */
  readonly source: string;
  readonly settings: RunConfig | null;
  readonly lines: readonly ReportLine[];
  /** The config for the setup; null if the module cannot be loaded. */
  readonly ready: { readonly preset: CustomEnvironment; readonly config: RunConfig } | null;
}

export class OwnEnvironment {
  checking = $state(false);
  checked = $state.raw<Checked | null>(null);

  /** The check is of the present text and settings. */
  readonly isCurrent = $derived.by(
    () => this.checked?.source === draft.text && this.checked.settings === this.setup.config,
  );
  readonly hasProblems = $derived(this.checked?.lines.some(({ kind }) => kind === 'problem') ?? false);
  /** It has problems and can be run in spite of them. */
  readonly mayInsist = $derived(this.isCurrent && this.hasProblems && this.checked?.ready !== null);

  constructor(
    private readonly setup: Setup,
    private readonly trainer: () => TrainerClient | null,
  ) {}

  async check(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    const source = draft.text;
    const settings = this.setup.config;
    const found = await this.#find(source, settings).catch((error: unknown) => ({
      lines: [{ kind: 'problem', text: sentenceOf(error) } as const],
      ready: null,
    }));
    this.checked = { source, settings, ...found };
    this.checking = false;
  }

  /**
   * Checks it, unless that was done, and puts it into the setup. @returns whether it is there: a first look at problems
   * comes before
   */
  async adopt(): Promise<boolean> {
    const insisted = this.mayInsist;
    if (!this.isCurrent) await this.check();
    const { checked } = this;
    if (!this.isCurrent || (this.hasProblems && !insisted) || !checked?.ready) return false;
    this.setup.load(checked.ready.preset, checked.ready.config);
    this.checked = { ...checked, settings: checked.ready.config };
    return true;
  }

  /** Asks for the description of an environment whose run has begun. */
  async learn({ environment: { source } }: RunConfig): Promise<void> {
    if (source === undefined) return;
    const description = await this.trainer()
      ?.api.describeEnvironment(source)
      .catch(() => null);
    if (description) this.setup.describe(source, description);
  }

  async #find(source: string, settings: RunConfig | null): Promise<Pick<Checked, 'lines' | 'ready'>> {
    const api = this.trainer()?.api;
    if (!api || !settings) throw new Error(text.environment.notReady);
    const description = await api.describeEnvironment(source);
    const config = configOf(source, description, settings, settings.environment.source === undefined ? null : settings);
    const preset = customEnvironment('own', configOf(source, description, settings, null), description);
    const { lines, title } = await api.checkEnvironment(config);
    return {
      lines: lines.length > 0 ? lines : [{ kind: 'good', text: text.environment.loaded(title) }],
      ready: { preset, config },
    };
  }
}
