/** Context strategies: which messages of the conversation the next prompt contains. */
import type { Message } from './types';

/** @param messages all of the episode, oldest first @returns those of the next prompt */
export type ContextStrategy = (messages: readonly Message[]) => readonly Message[];

/** All messages: each prompt extends the one before token for token, so that steps share the cache and one segment. */
export const appendContext: ContextStrategy = (messages) => messages;
