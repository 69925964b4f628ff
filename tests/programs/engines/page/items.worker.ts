/** Fetches engine and items from the server of the page, runs them and the worlds, and posts what was observed. */
import type { Item } from '../../../attacks/corpus';
import { observeAll, observeWorlds } from '../observe-all';

const binary = await WebAssembly.compile(await (await fetch('/engine.wasm')).arrayBuffer());
const items = (await (await fetch('/items.json')).json()) as Item[];
self.postMessage({ items: await observeAll(binary, items), worlds: await observeWorlds(binary) });
