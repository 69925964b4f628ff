/**
 * What to switch on, or where to go, when a browser gives no WebGPU device. Decides from what the browser says of
 * itself; asks no one else. Versions are those in which WebGPU is on by default (gpuweb implementation status, April
 * 2026).
 */

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

type System = 'Windows' | 'macOS' | 'Linux' | 'Android' | 'iOS' | 'ChromeOS' | 'this system';
type Engine = 'Chrome' | 'Edge' | 'Firefox' | 'Safari' | 'this browser';

export function webgpuAdvice(facts: BrowserFacts): Advice {
  const system = systemOf(facts);
  const { engine, version } = engineOf(facts.userAgent, system);
  const browser = `${engine}${version > 0 ? ` ${version}` : ''} on ${system}`;
  if (!facts.secureContext)
    return { browser, fix: 'WebGPU needs a secure page: open this address with https:// or on localhost.' };
  return { browser, fix: fixFor(engine, version, system, facts.hasGpu) };
}

function systemOf({ userAgent, maxTouchPoints }: BrowserFacts): System {
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'iOS';
  if (/Android/.test(userAgent)) return 'Android';
  if (/CrOS/.test(userAgent)) return 'ChromeOS';
  if (/Windows/.test(userAgent)) return 'Windows';
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'macOS';
  return /Linux|X11/.test(userAgent) ? 'Linux' : 'this system';
}

function engineOf(userAgent: string, system: System): { engine: Engine; version: number } {
  const version = (pattern: RegExp) => Number(pattern.exec(userAgent)?.[1] ?? 0);
  // Every browser on iOS is Safari inside, and what counts is the version of the system.
  if (system === 'iOS') return { engine: 'Safari', version: version(/Version\/(\d+)/) || version(/OS (\d+)_/) };
  if (/Edg\//.test(userAgent)) return { engine: 'Edge', version: version(/Edg\/(\d+)/) };
  if (/Firefox\//.test(userAgent)) return { engine: 'Firefox', version: version(/Firefox\/(\d+)/) };
  if (/Chrom(e|ium)\//.test(userAgent)) return { engine: 'Chrome', version: version(/Chrom(?:e|ium)\/(\d+)/) };
  if (/Safari\//.test(userAgent)) return { engine: 'Safari', version: version(/Version\/(\d+)/) };
  return { engine: 'this browser', version: 0 };
}

function fixFor(engine: Engine, version: number, system: System, hasGpu: boolean): string {
  switch (engine) {
    case 'Chrome':
    case 'Edge':
      return chromiumFix(engine, version, system, hasGpu);
    case 'Firefox':
      return firefoxFix(version, system);
    case 'Safari':
      if (version >= 26)
        return system === 'iOS'
          ? 'Switch on Settings → Apps → Safari → Advanced → Feature Flags → WebGPU, then reload.'
          : 'Switch on Develop → Feature Flags → WebGPU, then reload.';
      return system === 'iOS'
        ? 'Update to iOS or iPadOS 26, where WebGPU is on.'
        : 'Update to Safari 26, where WebGPU is on, or open this page in Chrome or Edge.';
    default:
      return 'Open this page in a current Chrome, Edge, Firefox or Safari, where WebGPU is on.';
  }
}

function chromiumFix(engine: 'Chrome' | 'Edge', version: number, system: System, hasGpu: boolean): string {
  const scheme = engine === 'Edge' ? 'edge' : 'chrome';
  const needed = system === 'Android' ? 121 : system === 'Linux' ? 144 : 113;
  if (system === 'Linux') {
    const flags = `switch on ${scheme}://flags/#enable-unsafe-webgpu and ${scheme}://flags/#enable-vulkan and restart ${engine}`;
    if (version < needed)
      return `Update to ${engine} 144 (Intel graphics) or 147 (NVIDIA), where WebGPU is on, or ${flags}.`;
    return hasGpu
      ? `First update the graphics driver and restart ${engine}; if that is not enough, or the GPU is neither Intel nor NVIDIA, ${flags}.`
      : `WebGPU is on for Intel graphics (144) and NVIDIA (147); on another GPU, ${flags}.`;
  }
  if (version < needed) return `Update to ${engine} ${needed} or newer, where WebGPU is on.`;
  if (system === 'Android')
    return `This phone's GPU driver is not on ${engine}'s list: update Android, or open this page on a computer.`;
  const open = `Switch on “Use graphics acceleration when available” in ${scheme}://settings/system and restart ${engine}`;
  return hasGpu ? `${open}; ${scheme}://gpu says what is missing.` : `${open}.`;
}

function firefoxFix(version: number, system: System): string {
  if (system === 'Windows')
    return version < 141
      ? 'Update to Firefox 141 or newer, where WebGPU is on.'
      : 'Set dom.webgpu.enabled to true in about:config and restart Firefox.';
  if (system === 'macOS')
    return version < 147
      ? 'Update to Firefox 147 or newer (Apple silicon), where WebGPU is on.'
      : 'On Apple silicon, set dom.webgpu.enabled to true in about:config; on an Intel Mac, use Chrome or Edge.';
  return system === 'Android'
    ? 'Open this page in Chrome 121 or newer, where WebGPU is on.'
    : 'Open this page in Chrome 144 or newer, or try dom.webgpu.enabled in about:config of Firefox Nightly.';
}
