/** How much a file of rollouts may hold: estimators are compared, and drawn, for one step at a time. */
import type { ImportedRollout } from './format';

/** In the whole file. */
const maxRollouts = 100_000;
const maxSteps = 2048;
/** Rollouts of one prompt in one step. */
export const maxGroup = 1024;
/** Prompts of one step. */
const maxGroups = 1024;
const maxStepRollouts = 16_384;
/** Tokens of all responses of a step; one each where lengths are not known. */
const maxStepTokens = 200_000;

interface Counted {
  rollouts: number;
  tokens: number;
  /** Rollouts of each prompt. */
  readonly groups: Map<string, number>;
}

/** @throws a sentence */
export function requireRollouts(count: number, name: string): void {
  if (count > maxRollouts)
    throw new Error(`${name} has ${count} rollouts, and ${maxRollouts} are the most. Keep the rows of fewer steps.`);
}

/** @param name of the file, for messages @throws a sentence about the first step that has too much */
export function requireSteps(rollouts: readonly ImportedRollout[], name: string): void {
  const steps = new Map<number, Counted>();
  for (const { step, prompt, tokens = 1 } of rollouts) {
    const counted = steps.get(step) ?? { rollouts: 0, tokens: 0, groups: new Map<string, number>() };
    steps.set(step, counted);
    if (steps.size > maxSteps) throw new Error(`${name} has more than ${maxSteps} steps. Keep fewer of them.`);
    const group = (counted.groups.get(prompt) ?? 0) + 1;
    counted.groups.set(prompt, group);
    counted.rollouts++;
    counted.tokens += tokens;
    const refuse = (what: string, keep: string): never => {
      throw new Error(`${name} has more than ${what} in step ${step}. Keep fewer ${keep}.`);
    };
    if (group > maxGroup) refuse(`${maxGroup} rollouts of one prompt`, 'of them');
    if (counted.groups.size > maxGroups) refuse(`${maxGroups} prompts`, 'of them');
    if (counted.rollouts > maxStepRollouts) refuse(`${maxStepRollouts} rollouts`, 'of them');
    if (counted.tokens > maxStepTokens) refuse(`${maxStepTokens} tokens`, 'rollouts of the step');
  }
}
