#!/usr/bin/env node
/** Entry of the terminal commands: `node src/cli/main.mjs <command> …` runs them from the built library. */
import { libraryOfCheckout } from './build/fresh-library.mjs';

const { main } = await import(await libraryOfCheckout('commands.mjs'));
process.exitCode = await main(process.argv.slice(2));
