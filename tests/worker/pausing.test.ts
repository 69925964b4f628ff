/** A pause is answered within one batch of the sandbox, wherever the run is. */
import { expect, onTestFinished, test } from 'vitest';
import { episodesPerBatch, type Sandbox, type SandboxRequest } from '../../src/agent/sandbox';
import { compileQuickJs } from '../../src/cli/quickjs';
import { sdkSource } from '../../src/environments/built-in';
import { parseConfig } from '../../src/config/config';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { tiny, Watched } from './run-of';

const config = parseConfig({
  ...tiny,
  iterations: 1,
  warmStart: { ...tiny.warmStart, demonstrations: 40 },
  rollout: { ...tiny.rollout, tasks: 10, group: 4 },
  evaluation: { tasks: 40, every: 1 },
});

/**
 * Pauses the run as it sends a batch, lets it go on, and so on. @returns episodes sent after each pause was asked for,
 * and methods of these batches
 */
async function pausedAtEachBatch(watched: Watched, sandbox: Sandbox) {
  const pauses: { method: string; episodes: number }[] = [];
  const call = sandbox.call.bind(sandbox);
  let pausing: { method: string; episodes: number } | null = null;
  sandbox.call = async (requests: readonly SandboxRequest[]) => {
    const episodes = new Set(requests.map(({ episode }) => episode)).size;
    const { method } = requests[0];
    if (pausing) pausing.episodes += episodes;
    // Nothing can pause before the trainer stands.
    else if (watched.of('started').length > 0) {
      const mine = (pausing = { method, episodes });
      void watched.run.pause().then(() => {
        pauses.push(mine);
        pausing = null;
        watched.run.resume(Infinity);
      });
    }
    return call(requests);
  };
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  return pauses;
}

test('a run that is asked to pause sends no further batch, and ends with the bits of an unpaused one', async () => {
  const whole = new Watched(config);
  onTestFinished(() => whole.close());
  expect(await whole.finish()).toEqual({ type: 'state', state: 'finished' });

  const sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
  const watched = new Watched(config, { parts: { openSandbox: async () => sandbox } });
  onTestFinished(() => watched.close());
  const pauses = await pausedAtEachBatch(watched, sandbox);
  expect(new Set(pauses.map(({ method }) => method))).toEqual(new Set(['tasks', 'demonstrate', 'execute', 'reward']));
  expect(pauses.filter(({ episodes }) => episodes > episodesPerBatch)).toEqual([]);
  expect(watched.curve).toEqual(whole.curve);
  expect(watched.fingerprint).toEqual(whole.fingerprint);
  const validated = watched.of('progress').filter(({ phase }) => phase === 'evaluating');
  expect(validated.map(({ done }) => done)).toEqual([...validated.map(({ done }) => done)].sort((a, b) => a - b));
  expect(new Set(validated.map(({ done }) => done)).size, 'counts that were told').toBeGreaterThan(2);
  expect(validated.at(-1)).toMatchObject({ done: 40, total: 40 });
});
