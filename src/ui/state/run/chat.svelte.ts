/** A conversation with the agent as it is now. One question at a time; each is answered from an empty context. */
import type { Image, ToolCall } from '../../../agent/types';
import type { ChatEvent } from '../../../rl/rollouts/chat';
import { sentenceOf } from '../../../lib/sentences';
import { text } from './text';

/**
 * `text` is all the agent wrote in one turn; the calls it made with it follow. `seen` is what the world showed first.
 */
export type ChatPart =
  | { readonly kind: 'seen'; readonly text: string; readonly images: readonly Image[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall };

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
      turn.answer === undefined && turn.problem === null ? { ...turn, problem: text.chat.stopped } : turn,
    );
  }

  /** What still comes of an answer that was stopped is left out. */
  #update(id: number, change: (turn: ChatTurn) => ChatTurn): void {
    this.turns = this.turns.map((turn) => (turn.id === id && turn.problem === null ? change(turn) : turn));
  }
}

function withEvent(turn: ChatTurn, event: ChatEvent): ChatTurn {
  if (event.type === 'done') return { ...turn, answer: event.answer, solved: event.solved };
  if (event.type === 'tool') return { ...turn, parts: [...turn.parts, { kind: 'call', call: event.call }] };
  const part: ChatPart =
    event.type === 'seen'
      ? { kind: 'seen', text: event.text, images: event.images }
      : { kind: 'text', text: event.text };
  return { ...turn, parts: [...turn.parts, part] };
}

/** What there is to read of an answer: a text that became a call, or the answer itself, is not said twice. */
export function partsToShow(turn: ChatTurn): readonly ChatPart[] {
  const { parts, answer } = turn;
  return parts.filter((part, index) => {
    if (part.kind !== 'text') return true;
    const isLast = index === parts.length - 1;
    return part.text.trim() !== '' && parts[index + 1]?.kind !== 'call' && !(isLast && typeof answer === 'string');
  });
}
