/** Sessions of all protocols by their id. One that nobody asks for is forgotten after a while. */
import { busy } from './answer';

export const maxSessions = 10_000;
/** Clients that need a session ask for it every ten seconds. */
export const sessionLifeMs = 900_000;

export class Sessions {
  /** The one that was asked for longest ago first. */
  private readonly kept = new Map<string, { readonly session: object; readonly seenMs: number }>();

  /** @param now milliseconds that only grow */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The session, which lives on from now; undefined if there is none of this kind. */
  get<T extends object>(id: string, kind: abstract new (...args: never[]) => T): T | undefined {
    this.forget();
    const session = this.kept.get(id)?.session;
    if (!(session instanceof kind)) return undefined;
    this.kept.delete(id);
    this.add(id, session);
    return session;
  }

  /** @throws Refusal if there are too many */
  requireRoom(): void {
    this.forget();
    if (this.kept.size >= maxSessions) throw busy(`There are ${maxSessions} sessions: delete those that are done.`);
  }

  add(id: string, session: object): void {
    this.kept.set(id, { session, seenMs: this.now() });
  }

  delete(id: string): void {
    this.kept.delete(id);
  }

  private forget(): void {
    const oldestMs = this.now() - sessionLifeMs;
    for (const [id, { seenMs }] of this.kept) {
      if (seenMs >= oldestMs) return;
      this.kept.delete(id);
    }
  }
}
