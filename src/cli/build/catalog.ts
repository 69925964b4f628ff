/**
 * The catalog of the page. Made when it is built, so that the first screen waits for neither the trainer nor the
 * sandbox.
 */
import { EnvironmentClient } from '../../agent/environment-client';
import { sdkSource } from '../../environments/built-in';
import { makeCatalog, type Catalog } from '../../config/catalog';
import { LocalSandbox } from '../../sandbox/local-sandbox';
import { compileQuickJs } from '../quickjs';

/** Runs every built-in environment's module in a sandbox. Rejects with the sentence of one that cannot be loaded. */
export async function readCatalog(): Promise<Catalog> {
  const sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
  return makeCatalog(async (source) => {
    await sandbox.load(source);
    return new EnvironmentClient(sandbox).describe();
  });
}
