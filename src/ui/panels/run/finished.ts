/** What a finished run came to, and what to try next; questions that the chat offers. Pure. */
import type { RunConfig } from '../../../config/config';
import type { Metrics } from '../../../rl/report';
import { validationCurve } from '../../../share/run-metrics';
import type { Setup } from '../../state/setup/setup.svelte';
import { text } from '../../state/run/text';
import type { RolloutView } from '../../../rl/rollouts/view';

const words = text.finished;

/** A smaller difference than this is left to chance. */
const noticeable = 0.02;
const almostAll = 0.95;

/** One sentence with numbers: success on new tasks at the first and the last validation. Null before the first. */
export function outcomeOf(metrics: readonly Metrics[]): string | null {
  const points = validationCurve(metrics);
  if (points.length === 0) return null;
  const first = points[0];
  const last = points[points.length - 1];
  const change = last.success - first.success;
  if (first === last) return words.only(last.success);
  if (change >= noticeable) return words.rose(first.success, last.success, first.iteration);
  if (change <= -noticeable) return words.fell(first.success, last.success, first.iteration);
  return first.success >= almostAll
    ? words.alwaysGood(last.success, first.iteration)
    : words.stayed(last.success, first.iteration);
}

/** One change of the setup for the next run. */
export interface Idea {
  readonly name: string;
  readonly about: string;
  readonly apply: (setup: Setup) => void;
}

/** @param newSeed chooses another seed */
export function ideasFor(config: RunConfig, newSeed: () => void): readonly Idea[] {
  const other = config.algorithm.name === 'rloo' ? 'grpo' : 'rloo';
  const { seed, rate, algorithm, scratch } = words.ideas;
  return [
    { ...seed, apply: newSeed },
    { ...rate, apply: (setup) => setup.halveRate() },
    { ...algorithm(other.toUpperCase()), apply: (setup) => setup.set(['algorithm', 'name'], other) },
    ...(config.warmStart.demonstrations > 0
      ? [{ ...scratch, apply: (setup: Setup) => setup.setFromScratch(true) }]
      : []),
  ];
}

/** More would push the box to write in off the screen. */
const exampleCount = 3;

/**
 * The first different prompts among the rollouts, so that they stay as the run goes on; `standard` where there are
 * none.
 */
export function chatExamples(seen: readonly RolloutView[], standard: readonly string[]): readonly string[] {
  const prompts = new Set<string>();
  for (const { prompt } of seen) {
    prompts.add(prompt);
    if (prompts.size === exampleCount) break;
  }
  return prompts.size > 0 ? [...prompts] : standard;
}
