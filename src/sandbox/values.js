/**
 * The guest side: what environments return, read and told in a way that no change to the built-in objects can bend. It
 * knows no method and no environment.
 */
import { ToolError } from 'agentlet';

// Taken before any environment runs.
const { stringify } = JSON;
const { hasOwn, keys } = Object;
const { isFinite } = Number;
/** Characters of an error's message. */
export const messageLength = 500;
const outputBytes = 65536;

/**
 * A copy of what an object itself has under these names; each is read once. @param {any} object @param {string[]} names
 */
export function ownProperties(object, names) {
  /** @type {Record<string, any>} Without a prototype, whose setters and `toJSON` an environment may have written. */
  const own = { __proto__: null };
  for (const name of names) {
    const value = hasOwn(object, name) ? object[name] : undefined;
    if (value !== undefined) own[name] = value;
  }
  return own;
}

/** @template T @param {T} value @param {string} source */
export function synchronous(value, source) {
  if (
    value instanceof Promise ||
    (typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function')
  ) {
    throw new TypeError(
      `${source} returned a promise; environment functions must be synchronous: write them without async and await`,
    );
  }
  return value;
}

/** What a value is, for a sentence. @param {unknown} value */
export function kindOf(value) {
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return `an object with ${keys(value).slice(0, 8).join(', ') || 'nothing in it'}`;
}

/** @param {unknown} value */
export function toJson(value) {
  let text = stringify(value);
  // JSON turns such numbers into null, so a text without one needs no second look.
  if (typeof text === 'string' && text.includes('null')) text = stringify(value, refuseInfinite);
  if (typeof text !== 'string') throw new TypeError(`a result is ${typeof value}, which is not JSON`);
  // A character may be several bytes: the host counts those, and says the same.
  if (text.length > outputBytes)
    throw new RangeError(`a result is more than ${outputBytes} bytes of JSON; return less`);
  return text;
}

/** @param {string} _key @param {unknown} part */
function refuseInfinite(_key, part) {
  if (typeof part === 'number' && !isFinite(part)) throw new TypeError('a result holds a number that is not finite');
  return part;
}

/** @param {unknown} error */
export function describeError(error) {
  try {
    if (error instanceof ToolError) return '-' + String(error.message).slice(0, messageLength);
    const text =
      error instanceof Error
        ? `${error.name}: ${error.message}`
        : `threw ${typeof error === 'string' ? error : typeof error}`;
    return `!${placeOf(error)}\n${text.slice(0, messageLength)}`;
  } catch {
    return '!\nthrew something that cannot be shown';
  }
}

/** The line of the environment that an error came from, '' if none is known. @param {any} error */
function placeOf(error) {
  try {
    return /environment\.js:\d+(:\d+)?/.exec(error.stack)?.[0] ?? '';
  } catch {
    return '';
  }
}

/** 64 bits as hexadecimal digits. @param {string} text */
export function hash(text) {
  return [0x811c9dc5, 0x9e3779b9].map((basis) => fnv1a(text, basis).toString(16).padStart(8, '0')).join('');
}

/** FNV-1a over UTF-16 units, finished so that the low bits depend on all. @param {string} text @param {number} basis */
export function fnv1a(text, basis) {
  let value = basis;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
