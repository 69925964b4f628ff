/** Where the commands' own files are: in the built library, or in the checkout whose sources run. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Defined in the built library only (`build/library.ts`). */
declare const BUILT_LIBRARY: { readonly checkout: string | null; readonly commit: string };

const library = typeof BUILT_LIBRARY === 'undefined' ? undefined : BUILT_LIBRARY;

/** Root of the checkout that the commands belong to; null in an installed package. */
export const checkout = library
  ? library.checkout
  : fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** The commit that an installed package was built from; null in a checkout, which may have changed since. */
export const packagedCommit = library && checkout === null ? library.commit : null;

/** A command as it is typed here: `npm run train -- bandit`, or `npx agentlet train bandit` in an installed package. */
export function commandLine(name: string, words: readonly string[]): string {
  const start = checkout === null ? ['npx', 'agentlet', name] : ['npm', 'run', name, '--'];
  return [...start, ...words].join(' ');
}

/** A file that the library carries beside its modules; undefined in a checkout's sources. */
export function fileOfLibrary(name: string): URL | undefined {
  return library && new URL(name, import.meta.url);
}

/** The recorded warm start of a preset. */
export function recordedStartFile(preset: string): string {
  const name = `checkpoints/${preset}.safetensors`;
  return fileURLToPath(fileOfLibrary(name) ?? new URL(`../../public/${name}`, import.meta.url));
}

/** The folder of a model that comes with a clone, see `public/models`; null if there is none of this name. */
export function recordedModelFolder(name: string): string | null {
  if (checkout === null || !/^[a-z0-9][a-z0-9.-]*$/.test(name)) return null;
  const folder = join(checkout, 'public/models', name);
  return existsSync(folder) ? folder : null;
}

/** Digests of the recorded warm starts that a package makes again, by their presets. */
export function remadeStarts(): Readonly<Record<string, string>> {
  const list = fileOfLibrary('checkpoints/remade.json');
  return list && existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>) : {};
}

/** The script that runs the commands. */
export const entry =
  checkout === null ? fileURLToPath(new URL('main.mjs', import.meta.url)) : join(checkout, 'src/cli/main.mjs');

/** Root of the checkout. @throws a sentence in an installed package */
export function requireCheckout(): string {
  if (checkout === null) throw new Error('This measures what only a clone of the repository has: run it there.');
  return checkout;
}
