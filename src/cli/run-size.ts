/** The cost of a run, printed before it begins: its memory, and its likely time once a validation was measured. */
import type { AdapterFacts } from '../device/device';
import { formatBytes, formatCompact } from '../lib/amounts';
import type { RunConfig } from '../config/config';
import type { RunSize } from '../rl/memory';
import { isValidated } from '../share/claim';

/** `Model: 592K parameters. Memory: 310 MB on CPU (WebAssembly SIMD).` */
export function sizeLine({ name }: Pick<AdapterFacts, 'name'>, { parameters, totalBytes }: RunSize): string {
  return `Model: ${formatCompact(parameters)} parameters. Memory: ${formatBytes(totalBytes)} on ${name}.`;
}

/** To learn from episodes takes about as long as to sample them. */
const learningShare = 1;

/**
 * Likely time of steps of reinforcement in ms; it may be off by a factor of two.
 * @param steps how many steps are done already @param validationMs what the validation just took
 */
export function likelyMs(config: RunConfig, steps: number, validationMs: number): number {
  const { iterations, rollout, evaluation } = config;
  const iterationMs = ((1 + learningShare) * validationMs * rollout.tasks * rollout.group) / evaluation.tasks;
  const left = Array.from({ length: iterations - steps }, (_, i) => steps + i + 1);
  return left.length * iterationMs + left.filter((step) => isValidated(config, step)).length * validationMs;
}
