/** What the time of a run depends on. Pure. */
import { fnv1a } from '../lib/fnv1a';
import { canonicalJson, type Json } from '../lib/json';
import type { RunConfig } from './config';

/** Key of configs of which each iteration takes equally long here, however many there are: 8 hexadecimal digits. */
export function costOf(config: RunConfig): string {
  const { device, environment, model, text, warmStart, context, rollout, filter, evaluation } = config;
  const { epochs, miniBatches } = config.algorithm;
  const critic = [config.critic.network, config.critic.epochs];
  const parts = { device, environment, model, text, warmStart, context, rollout, filter, evaluation };
  const written = canonicalJson({ ...parts, epochs, miniBatches, critic } as unknown as Json);
  return fnv1a(written).toString(16).padStart(8, '0');
}
