/** The list of runs, the search in it, and what is chosen to be compared. The runs themselves are the trainer's. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { KeptRun, RunLabel, RunRecord } from '../../../run/store/saved-run';
import type { TrainerApi } from '../../../worker/protocol';
import { sentenceOf } from '../../../lib/sentences';
import { fitsBeside, type ComparedRun } from '../../../presentation/compared-runs';
import { nameOf } from '../../../lib/run-names';
import { foundRuns, sortedRuns, type RunOrder } from '../../../presentation/run-list';

export type RunsApi = Pick<TrainerApi, 'runs' | 'runRecord' | 'labelRun'>;

export class Runs {
  /** The latest first; null until they were read. */
  list = $state.raw<readonly KeptRun[] | null>(null);
  query = $state('');
  order = $state<RunOrder>('latest');
  problem = $state<string | null>(null);
  /** The run that was deleted last and can be brought back. */
  deleted = $state.raw<KeptRun | null>(null);
  readonly chosen = new SvelteSet<string>();
  /** Runs that were to be compared and did not fit on the chart. */
  left = $state(0);
  readonly #records = new SvelteMap<string, RunRecord>();

  readonly found = $derived.by(() =>
    sortedRuns(
      foundRuns(this.list ?? [], this.query, (run) => this.titlesOf(run)),
      this.order,
    ),
  );
  readonly #chosenRuns = $derived.by(() => this.list?.filter(({ id }) => this.chosen.has(id)) ?? []);
  /** The chosen runs whose curves are read, in the order of choice. */
  readonly compared: readonly ComparedRun[] = $derived.by(() =>
    [...this.chosen].flatMap((id) => {
      const run = this.list?.find((each) => each.id === id);
      const record = this.#records.get(id);
      if (!run || !record) return [];
      const { config, configChanges = [] } = run;
      return { id, name: nameOf(run), config, record, configChanges };
    }),
  );

  /** @param titlesOf of a run's preset and algorithm */
  constructor(
    private readonly api: () => RunsApi | null,
    private readonly titlesOf: (run: KeptRun) => readonly string[],
  ) {}

  async refresh(): Promise<void> {
    await this.#try((api) => this.#read(api));
  }

  async choose(id: string, chosen: boolean): Promise<void> {
    this.left = 0;
    if (!chosen) this.chosen.delete(id);
    else if (this.fits(id)) this.chosen.add(id);
    await this.#try((api) => this.#readChosen(api));
  }

  /** Chooses these in place of the others, as far as they fit. */
  async chooseOnly(ids: readonly string[]): Promise<void> {
    await this.refresh();
    this.chosen.clear();
    const here = ids.filter((id) => this.list?.some((run) => run.id === id));
    for (const id of here) if (this.fits(id)) this.chosen.add(id);
    this.left = here.length - this.chosen.size;
    await this.#try((api) => this.#readChosen(api));
  }

  /** Whether the chart has room for another run. */
  fits(id: string): boolean {
    const run = this.list?.find((each) => each.id === id);
    return run !== undefined && fitsBeside(this.#chosenRuns, run);
  }

  async label(run: KeptRun, label: Partial<RunLabel>): Promise<void> {
    await this.#try(async (api) => {
      await api.labelRun(run.id, label);
      await this.#read(api);
    });
  }

  async delete(run: KeptRun): Promise<void> {
    await this.label(run, { deleted: true });
    if (this.problem === null) this.deleted = run;
  }

  async bringBack(): Promise<void> {
    const run = this.deleted;
    this.deleted = null;
    if (run) await this.label(run, { deleted: false });
  }

  async #read(api: RunsApi): Promise<void> {
    const list = await api.runs();
    // What was read of a run that has gone on since is out of date.
    for (const { id, savedAtMs } of list)
      if (savedAtMs !== this.list?.find((each) => each.id === id)?.savedAtMs) this.#records.delete(id);
    this.list = list;
    for (const id of this.chosen) if (!list.some((run) => run.id === id)) this.chosen.delete(id);
    await this.#readChosen(api);
  }

  async #readChosen(api: RunsApi): Promise<void> {
    for (const id of this.chosen) if (!this.#records.has(id)) this.#records.set(id, await api.runRecord(id));
  }

  async #try(act: (api: RunsApi) => Promise<void>): Promise<void> {
    const api = this.api();
    if (!api) return;
    try {
      await act(api);
      this.problem = null;
    } catch (error) {
      this.problem = sentenceOf(error);
    }
  }
}
