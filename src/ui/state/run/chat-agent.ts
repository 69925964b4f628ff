/**
 * Who answers in the chat: the agent of this tab's run; before a run the recorded one, which has copied examples only;
 * or nobody yet, and why. Pure.
 */
import type { RunConfig } from '../../../config/config';
import { sameJson } from '../../../lib/same-json';
import { valueAt } from '../../../config/edit';
import type { Setup } from '../setup/setup.svelte';
import type { LiveRun } from './live-run.svelte';
import { text } from './text';

const words = text.chat;

export interface ChatAgent {
  readonly kind: 'run' | 'start' | 'nobody';
  /** Stands over its answers. */
  readonly name: string;
  /** What it has done; of nobody, why nobody answers and what to do. */
  readonly about: string;
}

export interface Situation
  extends Pick<Setup, 'config' | 'plan' | 'preset'>, Pick<LiveRun, 'busy' | 'iteration' | 'state'> {
  /** Why the setup cannot be trained. */
  readonly problem: string | null;
}

/** @param hasAgent this tab's run has an agent. @param ready the trainer is there */
export function chatAgent(situation: Situation, hasAgent: boolean, ready: boolean): ChatAgent {
  const { config, plan, preset, iteration } = situation;
  if (hasAgent) return { kind: 'run', name: words.agent(iteration), about: words.ready(iteration) };
  if (situation.busy) return nobody(words.preparing);
  if (situation.state === 'failed') return nobody(words.failed);
  if (!ready || !config || !preset || !plan) return nobody(words.starting);
  const obstacle = situation.problem === null ? obstacleOf(config) : words.unusable(situation.problem);
  if (obstacle !== null) return nobody(obstacle);
  if (plan.warmStart !== 'recorded') return nobody(words.changed(changedPart(config, preset.config)));
  return {
    kind: 'start',
    name: words.beforePractice(preset.title),
    about: words.copied(config.warmStart.demonstrations),
  };
}

const nobody = (about: string): ChatAgent => ({ kind: 'nobody', name: '', about });

/** Why there is no recorded agent, where the config alone says so. */
function obstacleOf({ environment, warmStart }: RunConfig): string | null {
  if (environment.source !== undefined) return words.notBuiltIn;
  if (warmStart.demonstrations === 0 || warmStart.steps === 0) return words.fromScratch;
  return warmStart.recorded ? null : words.copiesHere;
}

/** The first part of a config that the recorded agent depends on and that is not the preset's. */
function changedPart(config: RunConfig, preset: RunConfig): string {
  const changed = Object.entries(words.parts).find(([key]) => {
    const path = key.split('.');
    return !sameJson(valueAt(config, path), valueAt(preset, path));
  });
  return changed?.[1] ?? words.settings;
}
