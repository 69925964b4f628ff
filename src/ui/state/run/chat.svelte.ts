/**
 * A conversation with the agent as it is now, and who that is. One question at a time; each is answered from an empty
 * context.
 */
import type { EndReason } from '../../../agent/types';
import type { RunConfig } from '../../../config/config';
import { valueAt } from '../../../config/edit';
import { sameJson } from '../../../lib/same-json';
import { sentenceOf } from '../../../lib/sentences';
import type { ChatEvent } from '../../../rl/rollouts/chat';
import type { Setup } from '../setup/setup.svelte';
import type { LiveRun } from './live-run.svelte';
import { text } from './text';

const words = text.chat;

/** `text` is all the agent wrote in one turn; the calls it made with it follow. */
export type ChatPart = Exclude<ChatEvent, { type: 'done' }>;

export interface ChatTurn {
  readonly id: number;
  readonly question: string;
  /** Who was asked. */
  readonly agent: string;
  readonly parts: readonly ChatPart[];
  /** undefined while it answers, null if it ended without one. */
  readonly answer: string | null | undefined;
  /** Null where nobody can say. */
  readonly solved: boolean | null;
  readonly end?: EndReason;
  readonly problem: string | null;
}

/** Turns kept: a conversation may go on as long as a run. */
const maxTurns = 100;

export class Chat {
  /** Number of the oldest turns that were removed. */
  forgotten = $state(0);
  turns = $state.raw<readonly ChatTurn[]>([]);
  readonly busy = $derived(
    this.turns.at(-1)?.answer === undefined && this.turns.length > 0 && this.turns.at(-1)?.problem === null,
  );

  async ask(
    question: string,
    agent: string,
    send: (listener: (event: ChatEvent) => void) => Promise<void>,
  ): Promise<void> {
    const id = this.forgotten + this.turns.length;
    const turns = [...this.turns, { id, question, agent, parts: [], answer: undefined, solved: null, problem: null }];
    this.forgotten += Math.max(0, turns.length - maxTurns);
    this.turns = turns.slice(-maxTurns);
    try {
      await send((event) => this.#update(id, (turn) => withEvent(turn, event)));
      this.#update(id, (turn) => (turn.answer === undefined ? { ...turn, answer: null } : turn));
    } catch (error) {
      this.#update(id, (turn) => ({ ...turn, problem: sentenceOf(error) }));
    }
  }

  /** Ends the answer in progress: its agent is gone. */
  abandon(): void {
    this.turns = this.turns.map((turn) =>
      turn.answer === undefined && turn.problem === null ? { ...turn, problem: words.stopped } : turn,
    );
  }

  /** What still comes of an answer that was stopped is left out. */
  #update(id: number, change: (turn: ChatTurn) => ChatTurn): void {
    this.turns = this.turns.map((turn) => (turn.id === id && turn.problem === null ? change(turn) : turn));
  }
}

function withEvent(turn: ChatTurn, event: ChatEvent): ChatTurn {
  if (event.type !== 'done') return { ...turn, parts: [...turn.parts, event] };
  const { answer, solved, end } = event;
  return { ...turn, answer, solved, end };
}

/** What there is to read of an answer: a text that became a call, or the answer itself, is not said twice. */
export function partsToShow(turn: ChatTurn): readonly ChatPart[] {
  const { parts, answer } = turn;
  return parts.filter((part, index) => {
    if (part.type !== 'text') return true;
    const isLast = index === parts.length - 1;
    return part.text.trim() !== '' && parts[index + 1]?.type !== 'tool' && !(isLast && typeof answer === 'string');
  });
}

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

/**
 * The agent of this tab's run; before a run the recorded one, which has copied examples only; or nobody yet, and why.
 * @param hasAgent this tab's run has an agent @param ready the trainer is there
 */
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
