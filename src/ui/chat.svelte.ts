/** A conversation with the agent as it is now. One question at a time; each is answered from an empty context. */
import type { ChatEvent, ToolCall } from '../worker/protocol';

export type ChatPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'call'; readonly call: ToolCall };

export interface ChatTurn {
  readonly id: number;
  readonly question: string;
  /** Iterations the agent had learned for when it was asked. */
  readonly iteration: number;
  readonly parts: readonly ChatPart[];
  /** undefined while it answers, null if it ended without one. */
  readonly answer: string | null | undefined;
  readonly problem: string | null;
}

export class Chat {
  turns = $state.raw<readonly ChatTurn[]>([]);
  readonly busy = $derived(this.turns.at(-1)?.answer === undefined && this.turns.length > 0 && this.turns.at(-1)?.problem === null);

  async ask(question: string, iteration: number, send: (listener: (event: ChatEvent) => void) => Promise<void>): Promise<void> {
    const id = this.turns.length;
    this.turns = [...this.turns, { id, question, iteration, parts: [], answer: undefined, problem: null }];
    try {
      await send((event) => this.#update(id, (turn) => withEvent(turn, event)));
      this.#update(id, (turn) => (turn.answer === undefined ? { ...turn, answer: null } : turn));
    } catch (error) {
      this.#update(id, (turn) => ({ ...turn, problem: error instanceof Error ? error.message : String(error) }));
    }
  }

  /** The agent is gone: what it was about to say will not come. */
  abandon(): void {
    this.turns = this.turns.map((turn) => (turn.answer === undefined && turn.problem === null ? { ...turn, answer: null } : turn));
  }

  #update(id: number, change: (turn: ChatTurn) => ChatTurn): void {
    this.turns = this.turns.map((turn) => (turn.id === id ? change(turn) : turn));
  }
}

function withEvent(turn: ChatTurn, event: ChatEvent): ChatTurn {
  if (event.type === 'done') return { ...turn, answer: event.answer };
  if (event.type === 'tool') return { ...turn, parts: [...turn.parts, { kind: 'call', call: event.call }] };
  const last = turn.parts.at(-1);
  if (last?.kind !== 'text') return { ...turn, parts: [...turn.parts, { kind: 'text', text: event.text }] };
  return { ...turn, parts: [...turn.parts.slice(0, -1), { kind: 'text', text: last.text + event.text }] };
}
