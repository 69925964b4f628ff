/** How long queued runs take on this device, as far as it is known. */
import type { WorldCard } from '../../../cli/build/world-cards';
import type { DeviceChoice, DeviceKind } from '../../../device/choice';
import type { RunConfig } from '../../../config/config';
import type { Pace } from '../../state/run/pace.svelte';
import type { Setup } from '../../state/setup/setup.svelte';
import type { DeviceReport } from '../../../worker/protocol';
import { sameJson } from '../../../lib/same-json';
import type { QueueItem } from '../../state/queue/queue-store';

/** A run and how long it takes here. */
export interface Timed {
  readonly config: RunConfig;
  readonly ms: number;
}

/** The runs of the queue that have ended, the latest first; then the recorded runs, at the pace of this device. */
export function knownTimes(
  items: readonly QueueItem[],
  cards: readonly WorldCard[],
  { device, pace }: { readonly device: DeviceReport | null; readonly pace: Pace },
  { catalog }: Pick<Setup, 'catalog'>,
): readonly Timed[] {
  const ended = items.flatMap(({ config, ms }) => (ms === undefined ? [] : [{ config, ms }])).reverse();
  const choices = Object.entries(device?.runsOn ?? {}) as [DeviceChoice, DeviceKind][];
  const recorded = cards.flatMap(({ preset, recordedMs }) => {
    const config = catalog?.presets.find(({ name }) => name === preset)?.config;
    if (!config) return [];
    return choices.flatMap(([choice, kind]) => {
      const ms = pace.msHere(recordedMs, kind);
      return ms === null ? [] : [{ config: { ...config, device: choice }, ms }];
    });
  });
  return [...ended, ...recorded];
}

/** Milliseconds of all of them one after another; null if one is unknown. */
export function totalMs(configs: readonly RunConfig[], known: readonly Timed[]): number | null {
  return configs.reduce<number | null>((sum, config) => {
    const alike = known.find((each) => sameJson(costOf(each.config), costOf(config)));
    return sum === null || !alike ? null : sum + (alike.ms * config.iterations) / alike.config.iterations;
  }, 0);
}

/** What a run's time depends on, besides its number of iterations. */
function costOf(config: RunConfig): object {
  const { device, environment, model, text, warmStart, context, rollout, filter, evaluation } = config;
  const { epochs, miniBatches } = config.algorithm;
  return {
    device,
    environment,
    model,
    text,
    warmStart,
    context,
    rollout,
    filter,
    evaluation,
    epochs,
    miniBatches,
    critic: [config.critic.network, config.critic.epochs],
  };
}
