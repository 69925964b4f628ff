/** First of the items of a part of a step; the next part's first is one past its last. */
@inline
export function firstItem(items: u32, part: u32, parts: u32): u32 {
  return <u32>((<u64>items * part) / parts);
}

/** Memory for packed operands and rows, of this thread alone: the device gives `scratchBytes` of it. */
export let scratch: usize = 0;

/** The device calls it once in each thread's instance. */
export function setScratch(at: usize): void {
  scratch = at;
}

/** Fills a part of `bytes` with 0. */
export function clear(to: usize, bytes: u32, part: u32, parts: u32): void {
  const first = firstItem(bytes, part, parts);
  memory.fill(to + first, 0, firstItem(bytes, part + 1, parts) - first);
}

/** Copies a part of `bytes`. */
export function copy(to: usize, from: usize, bytes: u32, part: u32, parts: u32): void {
  const first = firstItem(bytes, part, parts);
  memory.copy(to + first, from + first, firstItem(bytes, part + 1, parts) - first);
}
