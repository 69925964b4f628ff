/** What to do where there is no WebGPU. */

const accelerate = (engine: string, scheme: string): string =>
  `Switch on “Use graphics acceleration when available” in ${scheme}://settings/system and restart ${engine}`;

export const text = {
  title: 'Training runs on the CPU here',
  browser: (engine: string, system: string) => `${engine} on ${system}`,
  unknownEngine: 'this browser',
  unknownSystem: 'this system',
  missing: (browser: string) => `${browser} gives this page no GPU.`,
  reason: 'The browser said:',
  /** What to do, by browser. */
  advice: {
    insecure: 'WebGPU needs a secure page: open this address with https:// or on localhost.',
    anyBrowser: 'Open this page in a current Chrome, Edge, Firefox or Safari, where WebGPU is on.',
    safari: {
      switchOn: 'Switch on Develop → Feature Flags → WebGPU, then reload.',
      switchOnIos: 'Switch on Settings → Apps → Safari → Advanced → Feature Flags → WebGPU, then reload.',
      update: 'Update to Safari 26, where WebGPU is on, or open this page in Chrome or Edge.',
      updateIos: 'Update to iOS or iPadOS 26, where WebGPU is on.',
    },
    chromium: {
      flags: (engine: string, scheme: string) =>
        `switch on ${scheme}://flags/#enable-unsafe-webgpu and ${scheme}://flags/#enable-vulkan ` +
        `and restart ${engine}`,
      update: (engine: string, version: number) => `Update to ${engine} ${version} or newer, where WebGPU is on.`,
      updateOnLinux: (engine: string, flags: string) =>
        `Update to ${engine} 144 (Intel graphics) or 147 (NVIDIA), where WebGPU is on, or ${flags}.`,
      updateDriver: (engine: string, flags: string) =>
        `First update the graphics driver and restart ${engine}. If that is not enough, or the GPU is neither ` +
        `Intel nor NVIDIA, ${flags}.`,
      otherGpu: (flags: string) => `WebGPU is on for Intel graphics (144) and NVIDIA (147); on another GPU, ${flags}.`,
      updateAndroid: (engine: string) =>
        `This phone's GPU driver is not on ${engine}'s list: update Android, or open this page on a computer.`,
      accelerate: (engine: string, scheme: string) => `${accelerate(engine, scheme)}.`,
      accelerateAndLook: (engine: string, scheme: string) =>
        `${accelerate(engine, scheme)}; ${scheme}://gpu says what is missing.`,
    },
    firefox: {
      updateOnWindows: 'Update to Firefox 141 or newer, where WebGPU is on.',
      switchOnWindows: 'Set dom.webgpu.enabled to true in about:config and restart Firefox.',
      updateOnMac: 'Update to Firefox 147 or newer (Apple silicon), where WebGPU is on.',
      switchOnMac:
        'On Apple silicon, set dom.webgpu.enabled to true in about:config; on an Intel Mac, use Chrome or Edge.',
      chromeOnAndroid: 'Open this page in Chrome 121 or newer, where WebGPU is on.',
      chromeOnLinux:
        'Open this page in Chrome 144 or newer, or try dom.webgpu.enabled in about:config of Firefox Nightly.',
    },
  },
} as const;
