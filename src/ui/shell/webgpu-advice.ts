/**
 * What to do when a browser gives no WebGPU device, decided from its user agent alone. Versions are those in which
 * WebGPU is on by default (gpuweb implementation status, April 2026).
 */
import { text } from './webgpu-text';

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
type Engine = 'Chrome' | 'Edge' | 'Firefox' | 'Safari' | typeof unknownEngine;

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

function engineOf(userAgent: string, system: System): { engine: Engine; version: number } {
  const version = (pattern: RegExp) => Number(pattern.exec(userAgent)?.[1] ?? 0);
  // Every browser on iOS is Safari inside, and what counts is the version of the system.
  if (system === 'iOS') return { engine: 'Safari', version: version(/Version\/(\d+)/) || version(/OS (\d+)_/) };
  if (/Edg\//.test(userAgent)) return { engine: 'Edge', version: version(/Edg\/(\d+)/) };
  if (/Firefox\//.test(userAgent)) return { engine: 'Firefox', version: version(/Firefox\/(\d+)/) };
  if (/Chrom(e|ium)\//.test(userAgent)) return { engine: 'Chrome', version: version(/Chrom(?:e|ium)\/(\d+)/) };
  if (/Safari\//.test(userAgent)) return { engine: 'Safari', version: version(/Version\/(\d+)/) };
  return { engine: unknownEngine, version: 0 };
}

function fixFor(engine: Engine, version: number, system: System, hasGpu: boolean): string {
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
