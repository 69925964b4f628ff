/** Questions that the chat offers: what the agent was really asked, as far as the page has seen any of it. */
import type { RolloutView } from '../../rl/rollouts/view';

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
