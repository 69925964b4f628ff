/** Name and kind of an adapter. Imports nothing, so that plain Node scripts can use it too. */

/** For people and logs: the driver's description, or vendor and architecture where a browser hides it. */
export function adapterName({ vendor, architecture, description }: GPUAdapterInfo): string {
  return description || [vendor, architecture].filter(Boolean).join(' ') || 'unnamed adapter';
}

/** True for a CPU adapter (SwiftShader, lavapipe, WARP). */
export function isSoftwareAdapter({ isFallbackAdapter, architecture, device, description }: GPUAdapterInfo): boolean {
  return (
    isFallbackAdapter ||
    /swiftshader|llvmpipe|lavapipe|basic render|warp/i.test(`${architecture} ${device} ${description}`)
  );
}
