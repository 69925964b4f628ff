/**
 * The file of a recording: JSON that stores equal parts once and lists the keys of alike objects once. Rollouts of a
 * group repeat prompts, results and first steps, so the file is about seven times smaller than plain JSON.
 */

/** A number, boolean or null; the place of a part, in base 36; or a body. */
type Packed = number | boolean | null | string | Body;
/** 0 and the items of a list, or the number of a list of keys and the values of an object. */
type Body = readonly Packed[];

export interface RecordingFile {
  readonly format: 2;
  readonly recording: Packed;
  /** Keys of objects; bodies count them from 1. */
  readonly keys: readonly (readonly string[])[];
  /** Every text, and every body that occurs again; a part refers to parts before it only. */
  readonly parts: readonly (string | Body)[];
}

/** Bodies whose JSON is no longer than this are repeated: their place would be as long. */
const shortest = 8;

export function packRecording(recording: object): RecordingFile {
  const uses = countUses(recording);
  const keys = new Map<string, number>();
  const parts: (string | Body)[] = [];
  const places = new Map<string, string>();
  const add = (json: string, part: string | Body): string => {
    const place = (parts.push(part) - 1).toString(36);
    places.set(json, place);
    return place;
  };
  const numberOf = (object: object): number => {
    const names = JSON.stringify(Object.keys(object));
    const known = keys.get(names) ?? keys.size + 1;
    keys.set(names, known);
    return known;
  };
  const pack = (value: unknown): Packed => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
    const json = JSON.stringify(value);
    const place = places.get(json);
    if (place !== undefined) return place;
    if (typeof value === 'string') return add(json, value);
    const body = [Array.isArray(value) ? 0 : numberOf(value as object), ...Object.values(value as object).map(pack)];
    return uses.get(json)! > 1 && json.length > shortest ? add(json, body) : body;
  };
  const packed = pack(JSON.parse(JSON.stringify(recording)));
  return { format: 2, recording: packed, keys: [...keys.keys()].map((names) => JSON.parse(names) as string[]), parts };
}

/** How often each list and object occurs outside of one that occurred before, by its JSON. */
function countUses(value: object, uses = new Map<string, number>()): ReadonlyMap<string, number> {
  const json = JSON.stringify(value);
  const count = (uses.get(json) ?? 0) + 1;
  uses.set(json, count);
  const items = count === 1 ? Object.values(value) : [];
  for (const item of items) if (typeof item === 'object' && item !== null) countUses(item as object, uses);
  return uses;
}

/** @throws TypeError if the file is not one that `packRecording` made */
export function unpackRecording({ recording, keys, parts }: RecordingFile): unknown {
  const known: unknown[] = [];
  const unpack = (value: Packed): unknown => {
    if (typeof value === 'string') return known[parseInt(value, 36)];
    if (typeof value !== 'object' || value === null) return value;
    const [number, ...items] = value;
    const values = items.map(unpack);
    return number === 0 ? values : Object.fromEntries(keys[Number(number) - 1].map((key, i) => [key, values[i]]));
  };
  for (const part of parts) known.push(typeof part === 'string' ? part : unpack(part));
  return unpack(recording);
}
