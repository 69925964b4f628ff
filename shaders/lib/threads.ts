/** First of the items that a thread takes; the next thread's first is one past its last. */
@inline
export function firstItem(items: u32, thread: u32, threads: u32): u32 {
  return <u32>((<u64>items * thread) / threads);
}

/** Memory for packed operands and rows, of this thread alone: the device gives `scratchBytes` of it. */
export let scratch: usize = 0;

/** The device calls it once in each thread's instance. */
export function setScratch(at: usize): void {
  scratch = at;
}
