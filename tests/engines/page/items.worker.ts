/** Fetches engine and items from the server of the page, runs them and posts what was observed. */
import type { Item } from '../../attacks/corpus';
import { observeAll } from '../observe-all';

const binary = await WebAssembly.compile(await (await fetch('/engine.wasm')).arrayBuffer());
const items = (await (await fetch('/items.json')).json()) as Item[];
self.postMessage(await observeAll(binary, items));
