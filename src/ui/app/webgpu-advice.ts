/**
 * What to do when a browser gives no WebGPU device, decided from its user agent alone. Versions are those in which
 * WebGPU is on by default (gpuweb implementation status, April 2026).
 */

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

const { advice, unknownEngine, unknownSystem } = text;

export interface BrowserFacts {
  readonly userAgent: string;
  /** Tells an iPad from a Mac, which send the same user agent. */
  readonly maxTouchPoints: number;
  readonly secureContext: boolean;
  /** Whether `navigator.gpu` is there; if it is, the browser has WebGPU but found no usable GPU. */
  readonly hasGpu: boolean;
}

export interface Advice {
  /** Browser and version as detected: `Firefox 128 on Linux`. */
  readonly browser: string;
  /** What to do, in one or two sentences. */
  readonly fix: string;
}

type System = 'Windows' | 'macOS' | 'Linux' | 'Android' | 'iOS' | 'ChromeOS' | typeof unknownSystem;
type BrowserName = 'Chrome' | 'Edge' | 'Firefox' | 'Safari' | typeof unknownEngine;

export function webgpuAdvice(facts: BrowserFacts): Advice {
  const system = systemOf(facts);
  const { engine, version } = engineOf(facts.userAgent, system);
  const browser = text.browser(version > 0 ? `${engine} ${version}` : engine, system);
  if (!facts.secureContext) return { browser, fix: advice.insecure };
  return { browser, fix: fixFor(engine, version, system, facts.hasGpu) };
}

function systemOf({ userAgent, maxTouchPoints }: BrowserFacts): System {
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'iOS';
  if (/Android/.test(userAgent)) return 'Android';
  if (/CrOS/.test(userAgent)) return 'ChromeOS';
  if (/Windows/.test(userAgent)) return 'Windows';
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'macOS';
  return /Linux|X11/.test(userAgent) ? 'Linux' : unknownSystem;
}

function engineOf(userAgent: string, system: System): { engine: BrowserName; version: number } {
  const version = (pattern: RegExp) => Number(pattern.exec(userAgent)?.[1] ?? 0);
  // Every browser on iOS is Safari inside, and what counts is the version of the system.
  if (system === 'iOS') return { engine: 'Safari', version: version(/Version\/(\d+)/) || version(/OS (\d+)_/) };
  if (/Edg\//.test(userAgent)) return { engine: 'Edge', version: version(/Edg\/(\d+)/) };
  if (/Firefox\//.test(userAgent)) return { engine: 'Firefox', version: version(/Firefox\/(\d+)/) };
  if (/Chrom(e|ium)\//.test(userAgent)) return { engine: 'Chrome', version: version(/Chrom(?:e|ium)\/(\d+)/) };
  if (/Safari\//.test(userAgent)) return { engine: 'Safari', version: version(/Version\/(\d+)/) };
  return { engine: unknownEngine, version: 0 };
}

function fixFor(engine: BrowserName, version: number, system: System, hasGpu: boolean): string {
  switch (engine) {
    case 'Chrome':
    case 'Edge':
      return chromiumFix(engine, version, system, hasGpu);
    case 'Firefox':
      return firefoxFix(version, system);
    case 'Safari':
      if (version >= 26) return system === 'iOS' ? advice.safari.switchOnIos : advice.safari.switchOn;
      return system === 'iOS' ? advice.safari.updateIos : advice.safari.update;
    default:
      return advice.anyBrowser;
  }
}

function chromiumFix(engine: 'Chrome' | 'Edge', version: number, system: System, hasGpu: boolean): string {
  const { chromium } = advice;
  const scheme = engine === 'Edge' ? 'edge' : 'chrome';
  const needed = system === 'Android' ? 121 : system === 'Linux' ? 144 : 113;
  if (system === 'Linux') {
    const flags = chromium.flags(engine, scheme);
    if (version < needed) return chromium.updateOnLinux(engine, flags);
    return hasGpu ? chromium.updateDriver(engine, flags) : chromium.otherGpu(flags);
  }
  if (version < needed) return chromium.update(engine, needed);
  if (system === 'Android') return chromium.updateAndroid(engine);
  return hasGpu ? chromium.accelerateAndLook(engine, scheme) : chromium.accelerate(engine, scheme);
}

function firefoxFix(version: number, system: System): string {
  const { firefox } = advice;
  if (system === 'Windows') return version < 141 ? firefox.updateOnWindows : firefox.switchOnWindows;
  if (system === 'macOS') return version < 147 ? firefox.updateOnMac : firefox.switchOnMac;
  return system === 'Android' ? firefox.chromeOnAndroid : firefox.chromeOnLinux;
}

const accelerate = (engine: string, scheme: string): string =>
  `Switch on “Use graphics acceleration when available” in ${scheme}://settings/system and restart ${engine}`;
