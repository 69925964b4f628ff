/**
 * Bytes of memory of this machine if it is known to be small. WebGPU does not report memory; `navigator.deviceMemory`
 * exists in some browsers only, and its maximum of 8 GiB means "or more".
 */
export function machineMemoryBytes(): number {
  const gibibytes = (navigator as { deviceMemory?: number }).deviceMemory ?? Infinity;
  return gibibytes < 8 ? gibibytes * 2 ** 30 : Infinity;
}
