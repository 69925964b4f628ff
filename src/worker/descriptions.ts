/**
 * What environments say of themselves, each asked once, in a sandbox of one worker that no run uses. One at a time, because loading an
 * environment replaces the one before.
 */
import type { EnvironmentDescription } from '../agent/env';
import { EnvironmentClient } from '../agent/environment-client';
import type { Sandbox } from '../agent/sandbox';

export class Descriptions {
  private readonly known = new Map<string, Promise<EnvironmentDescription>>();
  private last: Promise<unknown> = Promise.resolve();
  private sandbox: Promise<Sandbox> | null = null;

  constructor(private readonly open: () => Promise<Sandbox>) {}

  /** @param source of the environment's module, which runs in the sandbox */
  of(source: string): Promise<EnvironmentDescription> {
    const known = this.known.get(source);
    if (known) return known;
    const description = this.last.then(() => this.ask(source));
    this.last = description.catch(() => this.known.delete(source));
    this.known.set(source, description);
    return description;
  }

  private async ask(source: string): Promise<EnvironmentDescription> {
    this.sandbox ??= this.open();
    try {
      const sandbox = await this.sandbox;
      await sandbox.load(source);
      return await new EnvironmentClient(sandbox).describe();
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
