/** Runs a program's module through Vite, as presets are loaded: `node tests/helpers/through-vite.mjs FILE …ARGS`. */
import { throughVite } from '../../src/cli/build/through-vite.mjs';

const [file, ...args] = process.argv.slice(2);
/** @typedef {{ run(args: string[]): Promise<number> }} Program */
process.exitCode = await throughVite(`/${file}`, (/** @type {Program} */ { run }) => run(args));
