/**
 * What environments say of themselves, each asked once, and what a check of them finds, in a sandbox of one worker that
 * no run uses. One at a time, because loading an environment replaces the one before.
 */
import type { EnvironmentDescription } from '../agent/env';
import { EnvironmentClient } from '../agent/environment-client';
import type { Sandbox } from '../agent/sandbox';
import type { RunConfig } from '../rl/config/config';
import { checkEnvironment } from '../environment-check/check';
import type { EnvironmentReport } from '../environment-check/report';

export class Descriptions {
  private readonly asked = new Map<string, Promise<EnvironmentDescription>>();
  private last: Promise<unknown> = Promise.resolve();
  private sandbox: Promise<Sandbox> | null = null;

  constructor(private readonly open: () => Promise<Sandbox>) {}

  /** @param source of the environment's module, which runs in the sandbox */
  of(source: string): Promise<EnvironmentDescription> {
    const known = this.asked.get(source);
    if (known) return known;
    const description = this.inTurn(async (sandbox) => {
      await sandbox.load(source);
      return new EnvironmentClient(sandbox).describe();
    });
    description.catch(() => this.asked.delete(source));
    this.asked.set(source, description);
    return description;
  }

  /** What was said before, or null: the code of a stranger runs only when a person wants it to. */
  async known(source: string): Promise<EnvironmentDescription | null> {
    return (await this.asked.get(source)?.catch(() => null)) ?? null;
  }

  /** Plays the environment of a config before it is trained on. Rejects with a sentence if it cannot be loaded. */
  check(config: RunConfig): Promise<EnvironmentReport> {
    return this.inTurn((sandbox) => checkEnvironment(config, sandbox));
  }

  private inTurn<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const done = this.last.then(() => this.inSandbox(work));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async inSandbox<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    this.sandbox ??= this.open();
    try {
      return await work(await this.sandbox);
    } catch (error) {
      const failed = this.sandbox;
      this.sandbox = null;
      void failed.then(
        (sandbox) => sandbox.dispose(),
        () => undefined,
      );
      throw error;
    }
  }
}
