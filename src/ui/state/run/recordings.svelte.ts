/** The recorded runs, one per preset: fetched on first use and cached. Plays none. */
import type { Recording } from '../../../share/recording';
import { unpackRecording, type RecordingFile } from '../../../share/recording-file';
import type { RunConfig } from '../../../config/config';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';

export type RecordedRun = Recording<RunConfig, Metrics, RolloutView>;

export class Recordings {
  /** Null if a preset has none. */
  #known = $state.raw<Readonly<Record<string, RecordedRun | null>>>({});
  readonly #asked = new Map<string, Promise<void>>();

  /** @param folderUrl where the files are, ending in `/` */
  constructor(private readonly folderUrl: string) {}

  /** Null if the preset has none, undefined before the answer. */
  of(preset: string): RecordedRun | null | undefined {
    return this.#known[preset];
  }

  /** Fetches a preset's recording once. Resolves when it is there or known to be missing. */
  ask(preset: string): Promise<void> {
    const asked = this.#asked.get(preset) ?? this.#load(preset);
    this.#asked.set(preset, asked);
    return asked;
  }

  /** Resolves when everything that was asked for is there or known to be missing. */
  async settled(): Promise<void> {
    await Promise.all(this.#asked.values());
  }

  async #load(preset: string): Promise<void> {
    const recording = await this.#fetch(preset).catch(() => null);
    this.#known = { ...this.#known, [preset]: recording };
  }

  async #fetch(preset: string): Promise<RecordedRun | null> {
    const response = await fetch(`${this.folderUrl}${preset}.json`);
    if (!response.ok) return null;
    const file = (await response.json()) as RecordingFile;
    if (file.format !== 2) return null;
    const recording = unpackRecording(file) as RecordedRun;
    if (recording.preset !== preset) return null;
    return { ...recording, rollouts: [...recording.rollouts].sort((a, b) => a.iteration - b.iteration) };
  }
}
