/**
 * Context strategies: what of the conversation the agent sees in its next step. The choice is the environment's and
 * costs or saves prompt tokens; it never touches what was sampled.
 */
import type { Message } from './types';

/** From all messages of an episode, oldest first, the observation of the next step. */
export type ContextStrategy = (messages: readonly Message[]) => readonly Message[];

/**
 * Everything, always: each prompt extends the one before token for token, so that steps share cache and training row.
 */
export const appendContext: ContextStrategy = (messages) => messages;
