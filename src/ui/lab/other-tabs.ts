/** Whether a tab of this browser trains: one at a time can. Asks the browser, and no other tab. */

/** Held by the trainer worker (worker/tab-lock.ts) while it has a run. */
const lockName = 'agentlet trainer';

export async function isSomeTabTraining(locks: Pick<LockManager, 'query'> | undefined): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {};
  return held.some(({ name }) => name === lockName);
}
