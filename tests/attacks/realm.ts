/**
 * A census of the realm that this file runs in: names and values of its global object and intrinsics, to see whether
 * anyone changed them.
 */

/** Path of each property → its value or accessors, by identity. */
export type Census = ReadonlyMap<string, unknown>;

const names = [
  'Object',
  'Function',
  'Array',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'BigInt',
  'Error',
  'TypeError',
  'RangeError',
  'Promise',
  'Map',
  'Set',
  'WeakMap',
  'RegExp',
  'Date',
  'Proxy',
  'Uint8Array',
  'ArrayBuffer',
  'JSON',
  'Math',
  'Reflect',
  'WebAssembly',
  'Worker',
  'MessagePort',
  'MessageChannel',
  'EventTarget',
  'Node',
  'Element',
  'HTMLElement',
  'HTMLIFrameElement',
  'Document',
  'Window',
  'Storage',
  'Navigator',
  'Location',
  'Response',
  'navigator',
  'location',
  'document',
  'crypto',
  'history',
  'console',
];

/** Reads each global once, since hosts make some of them when they are first used. */
export function settle(): void {
  const world = globalThis as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(world)) {
    try {
      void world[name];
    } catch {
      // Svelte's development build has globals that throw when they are read.
    }
  }
}

export function census(): Census {
  const found = new Map<string, unknown>();
  const world = globalThis as unknown as Record<string, unknown>;
  take(found, 'globalThis', world);
  for (const name of names) {
    const thing = world[name];
    if (thing === undefined) continue;
    take(found, name, thing);
    take(found, `${name}.prototype`, (thing as { prototype?: unknown }).prototype);
  }
  return found;
}

/** Paths that are new, gone or hold something else. */
export function changes(before: Census, after: Census): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter(
    (path) => before.has(path) !== after.has(path) || !Object.is(before.get(path), after.get(path)),
  );
}

function take(found: Map<string, unknown>, path: string, thing: unknown): void {
  if ((typeof thing !== 'object' && typeof thing !== 'function') || thing === null) return;
  for (const key of Reflect.ownKeys(thing)) {
    const { value, get, set } = Reflect.getOwnPropertyDescriptor(thing, key) ?? {};
    const place = `${path}.${String(key)}`;
    // Objects and functions by identity; what a primitive says may rightly change, such as the time of the last event.
    if (typeof value === 'function' || typeof value === 'object') found.set(place, value);
    else found.set(place, typeof value);
    if (get ?? set) found.set(`${place} (get)`, get).set(`${place} (set)`, set);
  }
}
