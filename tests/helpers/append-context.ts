import type { ContextOptions } from '../../src/agent/context';

export const appendContext: ContextOptions = { rule: 'append', exchanges: 1, budget: 0 };
