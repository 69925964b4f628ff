/**
 * A recorded run: what the page replays before anything is pressed and where there is no WebGPU.
 * Made by `npm run record`, never by hand. `rl` types are generic here because share stands beside it.
 */

/** A run as JSON. `config`, `metrics` and `rollouts` are the run's own, unchanged. */
export interface Recording<Config = unknown, Metrics = unknown, Rollout = unknown> {
  readonly format: 1;
  readonly engineVersion: string;
  readonly preset: string;
  readonly config: Config;
  readonly adapter: string;
  /** ISO date of the run. */
  readonly date: string;
  readonly command: string;
  readonly seconds: number;
  readonly vocabulary: readonly string[];
  readonly specialTokens: readonly number[];
  readonly parameters: number;
  readonly fingerprint: readonly string[];
  readonly metrics: readonly Metrics[];
  /** A sample of rollouts over the run, so that early and late behaviour can be compared. */
  readonly rollouts: readonly Rollout[];
}
