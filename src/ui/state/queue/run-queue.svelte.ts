/**
 * The queue of runs. It trains them in the Lab one after another, to their ends, and keeps each under its name. A run
 * that fails says why, and the next begins. The queue is stored in this browser; after a reload only a press starts it.
 */
import { untrack } from 'svelte';
import type { KeptRun } from '../../../run/store/saved-run';
import type { TrainerApi } from '../../../worker/protocol';
import type { Failures, Action, Notices } from '../../base/notices.svelte';
import type { Begun, LiveRun } from '../run/live-run.svelte';
import type { RunCommands } from '../run/run-commands.svelte';
import { text as lab } from '../run/text';
import type { PlannedRun } from '../../../config/sweep';
import { sameJson } from '../../../lib/same-json';
import { pageOf } from '../../base/address';
import { queueKey } from '../../base/stored';
import { leftOut, readQueue, writeQueue, type QueueItem } from './queue-store';
import { text } from './text';

export interface QueueParts {
  readonly run: LiveRun;
  readonly commands: Pick<RunCommands, 'trainQueued' | 'train' | 'pause' | 'waitsFor' | 'isHeld'>;
  readonly notices: Notices;
  readonly failures: Failures;
  /** Null while there is no trainer. */
  readonly api: () => Pick<TrainerApi, 'runs' | 'labelRun' | 'save' | 'configProblems'> | null;
  readonly canTrain: () => boolean;
}

const openQueue: Action = { label: text.stopped.open, act: () => void (location.hash = '#/runs') };

/** Time to wait for an answer of the trainer, which may have crashed. */
const answerTimeoutMs = 5000;

export class RunQueue {
  items = $state.raw<readonly QueueItem[]>([]);
  /** The next run begins when the one on the page has ended. */
  going = $state(false);
  /** Why the queue is paused; empty if it was paused by a press. */
  reason = $state('');
  /** What happened last, for screen readers. */
  said = $state('');
  /** Ids of the kept runs that are to be compared, until the page of runs takes them. */
  wanted = $state.raw<readonly string[] | null>(null);
  isStored = $state(true);
  #currentId = $state<string | null>(null);
  /** The failed run on the page is the queue's. */
  #hasFailed = $state(false);

  /** The item whose run is on the page. */
  readonly current = $derived.by(() => this.items.find(({ id }) => id === this.#currentId) ?? null);
  readonly waiting = $derived.by(() => this.items.filter(({ id, end }) => !end && id !== this.#currentId));
  readonly done = $derived.by(() => this.items.filter(({ end }) => end === 'done'));
  /** Why only a press begins the next run: the one on the page is paused, or failed and is not the queue's. */
  readonly holds: 'paused' | 'failed' | null = $derived.by(() => {
    const { state } = this.parts.run;
    if (state === 'paused' || state === 'pausing') return 'paused';
    return state === 'failed' && !this.current && !this.#hasFailed ? 'failed' : null;
  });
  /** A press begins or continues; else it pauses. */
  readonly stands = $derived.by(() => !this.going || this.holds !== null);
  /** Where it stands, for other pages; empty while no run of it is on the page. */
  readonly line = $derived.by(() => {
    const { current, items } = this;
    return current ? text.line(items.filter(({ end }) => end).length + 1, items.length, current.name) : '';
  });

  /** The run that was looked at last. */
  #seen: Begun | null = null;
  /** When the run on the page began; null if its time says nothing, because it was interrupted. */
  #beganMs: number | null = null;
  /** A run has ended and the next one has not been chosen. */
  #isBetween = false;

  /** Ids of items whose configs the trainer knows to be valid, or that were made here. */
  readonly #valid = new Set<string>();

  constructor(private readonly parts: QueueParts) {
    this.items = readQueue() ?? [];
    const { length } = this.waiting;
    const dropped = leftOut();
    if (dropped > 0) this.#drop(new Set(), dropped, null);
    else if (length > 0 && pageOf(location.hash) !== 'runs') this.#tell(text.stopped.reloaded(length));
    $effect.root(() => {
      $effect(() => this.follow());
      $effect(() => {
        const reread = ({ key }: StorageEvent) => this.reread(key);
        addEventListener('storage', reread);
        return () => removeEventListener('storage', reread);
      });
    });
  }

  /** Another tab has stored something. */
  reread(key: string | null): void {
    if (key === queueKey) this.items = readQueue() ?? [];
  }

  add(runs: readonly PlannedRun[]): void {
    const added = runs.map((run) => ({ ...run, id: crypto.randomUUID() }));
    for (const { id } of added) this.#valid.add(id);
    this.#change((items) => [...items, ...added]);
    this.said = text.said.added(runs.length);
    this.follow();
  }

  /** Takes an item off that waits or has ended; its run stays kept. */
  remove({ id, name }: QueueItem): void {
    this.#change((items) => items.filter((item) => item.id !== id));
    this.said = text.said.removed(name);
  }

  /** Lets it be the next that begins. */
  moveFirst(moved: QueueItem): void {
    this.#change((items) => {
      const others = items.filter(({ id }) => id !== moved.id);
      const next = others.findIndex(({ id, end }) => !end && id !== this.#currentId);
      const place = next < 0 ? others.length : next;
      return [...others.slice(0, place), moved, ...others.slice(place)];
    });
    this.said = text.said.moved(moved.name);
  }

  /** A failed run waits again. */
  retry({ id }: QueueItem): void {
    this.#set(id, { end: undefined, reason: undefined });
    this.follow();
  }

  clearEnded(): void {
    this.#change((items) => items.filter(({ end }) => !end));
  }

  /** Begins the next run, or continues the paused one. A paused run of the Lab is saved and gives way. */
  start(): void {
    const { run, commands, notices } = this.parts;
    this.going = true;
    this.reason = '';
    notices.dismiss('queue');
    if (!this.current) void this.#between(() => this.#next());
    else if (run.state === 'paused') commands.train.run();
  }

  /** Pauses its run, too. */
  pause(): void {
    this.going = false;
    this.said = text.said.paused;
    if (this.current) this.parts.commands.pause.run();
  }

  /** Opens the comparison with the runs that are done. */
  compare(): void {
    this.parts.notices.dismiss('queue');
    this.wanted = this.done.flatMap(({ runId }) => runId ?? []);
    location.hash = '#/runs';
  }

  /** Call whenever the run on the page has changed its state, or the trainer is ready. */
  follow(): void {
    const { state, begun } = this.parts.run;
    const mayBegin = this.#isFree && this.holds === null;
    untrack(() => this.#react(state, begun, mayBegin));
    // Without an answer the trainer refuses such a run when it is to begin.
    untrack(() => void this.#check().catch(() => undefined));
  }

  /** Lets the trainer check what was stored, and leaves out what it could not train. */
  async #check(): Promise<void> {
    const api = this.parts.api();
    const unknown = this.items.filter(({ id, end }) => end !== 'done' && !this.#valid.has(id));
    if (!api || unknown.length === 0) return;
    for (const { id } of unknown) this.#valid.add(id);
    const problems = await api.configProblems(unknown.map(({ config }) => config));
    const wrong = unknown.filter((_, i) => problems[i] !== null);
    const first = problems.find((problem) => problem !== null);
    if (first) this.#drop(new Set(wrong.map(({ id }) => id)), wrong.length, first);
  }

  #drop(ids: ReadonlySet<string>, count: number, problem: string | null): void {
    this.#change((items) => items.filter(({ id }) => !ids.has(id)));
    this.parts.notices.show({ kind: 'queue', sentence: text.leftOut(count, problem), action: null });
  }

  #react(state: LiveRun['state'], begun: Begun | null, mayBegin: boolean): void {
    if (begun && begun !== this.#seen) this.#recognize(begun);
    if (this.holds === 'paused') this.#beganMs = null;
    const { current } = this;
    if (this.#isBetween) return;
    if (current && state === 'finished') void this.#between(() => this.#finish(current));
    else if (current && state === 'failed') void this.#between(() => this.#fail(current));
    else if (current && state === 'idle')
      void this.#between(() => this.#stop(current, text.stopped.reset(current.name)));
    else if (!current && this.going && mayBegin) void this.#between(() => this.#next());
  }

  /** A run can begin now. */
  get #isFree(): boolean {
    const { run, commands, canTrain } = this.parts;
    return canTrain() && !run.busy && commands.waitsFor === null && !commands.isHeld;
  }

  /** Finds the item of the run that has begun: its own, or one that waits with the same config. */
  #recognize(begun: Begun): void {
    this.#seen = begun;
    const before = this.current;
    const isOrdered = before && (before.runId === undefined || before.runId === begun.id);
    const item = isOrdered
      ? before
      : (this.items.find(({ runId, end }) => runId === begun.id && end !== 'done') ??
        this.items.find(({ runId, end, config }) => !end && !runId && sameJson(config, begun.config)));
    if (before && before !== item) void this.#stop(before, text.stopped.replaced(before.name));
    this.#currentId = item?.id ?? null;
    this.#beganMs = item?.runId === begun.id ? null : performance.now();
    if (!item) return;
    this.#set(item.id, { runId: begun.id, end: undefined, reason: undefined });
    this.said = text.said.began(item.name);
  }

  async #next(): Promise<void> {
    const [item] = this.waiting;
    if (!item) return this.#rest();
    const kept = await this.#keptRun(item);
    // The press that stops the queue, or begins another run, may have come meanwhile.
    if (!this.going || !this.#isFree || this.waiting[0]?.id !== item.id) return;
    if (kept?.finished) return this.#set(item.id, { end: 'done' });
    const saved = kept?.resumable ? kept : null;
    if (!saved) this.#set(item.id, { runId: undefined });
    const { run, commands } = this.parts;
    const isOwn = this.items.some(({ runId }) => runId !== undefined && runId === run.begun?.id);
    this.#currentId = item.id;
    this.#hasFailed = false;
    commands.trainQueued(item.config, saved, isOwn);
  }

  #rest(): void {
    this.going = false;
    const { done, items } = this;
    const failed = items.filter(({ end }) => end === 'failed').length;
    const compare = { label: text.compare(done.length), act: () => this.compare() };
    if (done.length + failed > 0)
      this.#tell(text.said.allDone(done.length, failed), done.length > 0 ? compare : undefined);
  }

  async #finish(item: QueueItem): Promise<void> {
    const ms = this.#beganMs === null ? undefined : Math.round(performance.now() - this.#beganMs);
    await this.#name(item);
    this.#leave(item);
    this.#set(item.id, { end: 'done', ms });
    this.said = text.said.done(item.name, this.waiting.length);
  }

  async #fail(item: QueueItem): Promise<void> {
    const { failures, canTrain } = this.parts;
    const { current } = failures;
    const reason = current?.sentence ?? text.noReason;
    this.#hasFailed = true;
    // No fault of this run: no other can begin now, either.
    if (current?.action?.label === lab.remedy['try-again'])
      return this.#stop(item, text.stopped.unable(item.name, reason));
    // The list says it. Without a trainer its button is needed.
    if (canTrain()) failures.clear();
    await this.#name(item);
    this.#leave(item);
    this.#set(item.id, { end: 'failed', reason });
    this.said = text.said.failed(item.name, reason);
  }

  /** The run has left the page before its end: it waits again, and so does the queue. */
  async #stop(item: QueueItem, reason: string): Promise<void> {
    this.#leave(item);
    this.going = false;
    this.reason = reason;
    this.#tell(reason);
    await this.#name(item);
  }

  #leave({ id }: QueueItem): void {
    if (this.#currentId === id) this.#currentId = null;
  }

  /** Names its run, unless the visitor has; without storage there is nothing to name. */
  async #name(item: QueueItem): Promise<void> {
    const api = this.parts.api();
    await inTime(api?.save());
    const kept = await this.#keptRun(item);
    if (kept?.name === '') await inTime(api?.labelRun(kept.id, { name: item.name }));
  }

  async #keptRun({ runId }: QueueItem): Promise<KeptRun | undefined> {
    if (runId === undefined) return undefined;
    return (await inTime(this.parts.api()?.runs()))?.find(({ id }) => id === runId);
  }

  async #between(act: () => void | Promise<void>): Promise<void> {
    if (this.#isBetween) return;
    this.#isBetween = true;
    try {
      await act();
    } finally {
      this.#isBetween = false;
    }
    this.follow();
  }

  #tell(sentence: string, action: Action = openQueue): void {
    this.parts.notices.show({ kind: 'queue', sentence, action });
  }

  #set(id: string, changes: Partial<QueueItem>): void {
    this.#change((items) => items.map((item) => (item.id === id ? { ...item, ...changes } : item)));
  }

  /** What another tab has stored meanwhile stays. */
  #change(change: (items: readonly QueueItem[]) => readonly QueueItem[]): void {
    this.items = change(readQueue() ?? this.items);
    this.isStored = writeQueue(this.items);
  }
}

/** Undefined if there is no answer in time. */
function inTime<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, answerTimeoutMs));
  return Promise.race([Promise.resolve(answer).catch(() => undefined), late]);
}
