/**
 * Checks the visitor's own environment and puts it into the setup. Its code runs in the trainer's sandbox, and nowhere
 * else.
 */
import type { ReportLine } from '../../../environment-check/report';
import type { RunConfig } from '../../../config/config';
import { inEnvironment } from '../../../config/in-environment';
import { withRows } from '../../../config/rows';
import type { PresetInfo } from '../../../config/catalog';
import { sentenceOf } from '../../../lib/sentences';
import type { Setup } from './setup.svelte';
import type { TrainerClient } from '../../trainer/trainer-client';
import { customEnvironment, type CustomEnvironment } from './custom-environment';
import { draft } from './draft.svelte';
import { text } from './text';

/** What a check found. */
interface Checked {
  /** The checked source and settings. */
  readonly source: string;
  readonly settings: RunConfig | null;
  readonly rows: RowsFile | null;
  readonly lines: readonly ReportLine[];
  /** The config for the setup; null if the module cannot be loaded. */
  readonly ready: { readonly preset: CustomEnvironment; readonly config: RunConfig } | null;
}

/** A file of rows that stands beside the module. */
export interface RowsFile {
  readonly name: string;
  readonly text: string;
}

export class OwnEnvironment {
  rows = $state.raw<RowsFile | null>(null);
  /** The preset whose settings it is checked and trained with; null for those of the setup. */
  settingsOf = $state.raw<PresetInfo | null>(null);
  checking = $state(false);
  checked = $state.raw<Checked | null>(null);

  readonly #settings = $derived.by(() => this.settingsOf?.config ?? this.setup.config);
  /** The check is of the present text and settings. */
  readonly isCurrent = $derived.by(
    () =>
      this.checked?.source === draft.text &&
      this.checked.settings === this.#settings &&
      this.checked.rows === this.rows,
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
    const settings = this.#settings;
    const { rows } = this;
    const found = await this.#find(source, settings, rows).catch((error: unknown) => ({
      lines: [{ kind: 'problem', text: sentenceOf(error) } as const],
      ready: null,
    }));
    this.checked = { source, settings, rows, ...found };
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
    this.settingsOf = null;
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

  /** Takes the rows that the setup has for the module in the editor. */
  takeRows(): void {
    const { rows, source } = this.setup.config?.environment ?? {};
    if (rows !== undefined && source === draft.text && this.rows?.text !== rows)
      this.rows = { name: text.rows.inSetup, text: rows };
  }

  /**
   * Gives the setup the rows that it names. @throws a sentence if the file holds others
   */
  async supplyRows({ name, text: rows }: RowsFile): Promise<RunConfig | null> {
    const { config } = this.setup;
    if (!config) throw new Error(text.environment.notReady);
    const supplied = await withRows(config, rows, name);
    if (this.setup.config !== config) return null;
    this.setup.supply(supplied);
    return supplied;
  }

  async #find(
    source: string,
    settings: RunConfig | null,
    file: RowsFile | null,
  ): Promise<Pick<Checked, 'lines' | 'ready'>> {
    const api = this.trainer()?.api;
    if (source.trim() === '') throw new Error(text.environment.empty);
    if (!api || !settings) throw new Error(text.environment.notReady);
    const description = await api.describeEnvironment(source);
    const { rowsDigest, source: before } = settings.environment;
    const named = rowsDigest !== undefined && source === before ? { rowsDigest } : {};
    const data = file
      ? { rows: (await withRows(withoutData(settings), file.text, file.name)).environment.rows }
      : named;
    // Names of another environment in the setup mean something else.
    const keepsNames = before !== undefined || this.settingsOf !== null;
    const standard = this.settingsOf === null ? (this.setup.preset?.config ?? null) : null;
    const own: RunConfig = { ...settings, environment: { name: 'own', options: {}, source, ...data } };
    const config = inEnvironment(own, description, keepsNames ? settings : null, standard);
    const preset = customEnvironment('own', inEnvironment(own, description), description);
    const { lines, title } = await api.checkEnvironment(config);
    return {
      lines: lines.length > 0 ? lines : [{ kind: 'good', text: text.environment.loaded(title) }],
      ready: { preset, config },
    };
  }
}

/** Settings that name no rows, so that any rows may be given. */
function withoutData(config: RunConfig): RunConfig {
  const { rows: _rows, rowsDigest: _digest, ...environment } = config.environment;
  return { ...config, environment };
}
