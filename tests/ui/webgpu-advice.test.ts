import { describe, expect, it } from 'vitest';
import { webgpuAdvice, type BrowserFacts } from '../../src/ui/app/webgpu-advice';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const linux = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const facts = (userAgent: string, more: Partial<BrowserFacts> = {}): BrowserFacts => ({
  userAgent,
  maxTouchPoints: 0,
  secureContext: true,
  hasGpu: false,
  ...more,
});

describe('webgpuAdvice', () => {
  it.each([
    [`${windows} Chrome/109.0.0.0 Safari/537.36`, {}, 'Chrome 109 on Windows', /Update to Chrome 113/],
    [`${windows} Chrome/112.0.0.0 Safari/537.36`, {}, 'Chrome 112 on Windows', /Update to Chrome 113/],
    [`${windows} Chrome/113.0.0.0 Safari/537.36`, {}, 'Chrome 113 on Windows', /graphics acceleration/],
    [`${linux} Chrome/143.0.0.0 Safari/537.36`, {}, 'Chrome 143 on Linux', /Update to Chrome 144/],
    [`${linux} Chrome/144.0.0.0 Safari/537.36`, {}, 'Chrome 144 on Linux', /on another GPU, switch on/],
    [`${mac} Version/26.0 Safari/605.1.15`, {}, 'Safari 26 on macOS', /Feature Flags/],
    [`${windows} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, {}, 'Edge 140 on Windows', /edge:\/\/settings\/system/],
    [`${windows} Chrome/140.0.0.0 Safari/537.36`, { hasGpu: true }, 'Chrome 140 on Windows', /chrome:\/\/gpu/],
    [`${linux} Chrome/140.0.0.0 Safari/537.36`, {}, 'Chrome 140 on Linux', /144.*enable-unsafe-webgpu/],
    [
      `${linux} Chrome/150.0.0.0 Safari/537.36`,
      { hasGpu: true },
      'Chrome 150 on Linux',
      /^First update the graphics driver.*neither Intel nor NVIDIA, switch on chrome:\/\/flags\/#enable-unsafe-webgpu/,
    ],
    [
      `${linux} Chrome/150.0.0.0 Safari/537.36`,
      {},
      'Chrome 150 on Linux',
      /on another GPU, switch on chrome:\/\/flags\/#enable-unsafe-webgpu/,
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
      {},
      'Chrome 120 on Android',
      /Chrome 121/,
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
      {},
      'Firefox 128 on Windows',
      /Firefox 141/,
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      {},
      'Firefox 145 on Linux',
      /Chrome 144/,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
      {},
      'Firefox 140 on macOS',
      /Firefox 147/,
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Mobile Safari/537.36',
      {},
      'Chrome 121 on Android',
      /update Android/,
    ],
    [`${mac} Version/18.4 Safari/605.1.15`, {}, 'Safari 18 on macOS', /Safari 26/],
    [`${mac} Version/18.4 Safari/605.1.15`, { maxTouchPoints: 5 }, 'Safari 18 on iOS', /iPadOS 26/],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'CriOS/126.0 Mobile/15E148 Safari/604.1',
      {},
      'Safari 17 on iOS',
      /iOS or iPadOS 26/,
    ],
    [`${mac} Version/25.9 Safari/605.1.15`, {}, 'Safari 25 on macOS', /^Update to Safari 26/],
    [`${mac} Version/26.0 Safari/605.1.15`, { maxTouchPoints: 5 }, 'Safari 26 on iOS', /Settings → Apps → Safari/],
    [`${mac} Version/18.4 Safari/605.1.15`, { maxTouchPoints: 1 }, 'Safari 18 on macOS', /Safari 26/],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
      {},
      'Safari 26 on iOS',
      /Settings → Apps → Safari/,
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0',
      {},
      'Firefox 141 on Windows',
      /^Set dom\.webgpu\.enabled/,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:147.0) Gecko/20100101 Firefox/147.0',
      {},
      'Firefox 147 on macOS',
      /^On Apple silicon, set/,
    ],
    [
      'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
      {},
      'Firefox 140 on Android',
      /Chrome 121/,
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Safari/537.36',
      {},
      'Chrome 112 on ChromeOS',
      /Chrome 113/,
    ],
    [`${windows} Chrome/112.0.0.0 Safari/537.36 Edg/112.0.0.0`, {}, 'Edge 112 on Windows', /Update to Edge 113/],
    [`${linux} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`, {}, 'Edge 150 on Linux', /edge:\/\/flags.*restart Edge/],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
      { hasGpu: true },
      'Chrome 120 on Android',
      /Update to Chrome 121/,
    ],
    ['Lynx/2.8.9', {}, 'this browser on this system', /current Chrome, Edge, Firefox or Safari/],
  ])('%s', (userAgent, more, browser, fix) => {
    const advice = webgpuAdvice(facts(userAgent, more));
    expect(advice.browser).toBe(browser);
    expect(advice.fix).toMatch(fix);
  });

  it.each([
    ['Firefox', 'Windows NT 10.0; Win64; x64; rv:1', 140, /Update to Firefox 141/, /about:config/],
    ['Firefox', 'Macintosh; Intel Mac OS X 10.15; rv:1', 146, /Update to Firefox 147/, /about:config/],
    ['Chrome', 'Windows NT 10.0; Win64; x64', 112, /Update to Chrome 113/, /graphics acceleration/],
    ['Chrome', 'X11; CrOS x86_64 14541.0.0', 112, /Update to Chrome 113/, /graphics acceleration/],
    ['Chrome', 'X11; Linux x86_64', 143, /Update to Chrome 144/, /another GPU/],
    ['Chrome', 'Linux; Android 10; K', 120, /Update to Chrome 121/, /update Android/],
    ['Safari', 'Macintosh; Intel Mac OS X 10_15_7', 25, /./, /Feature Flags/],
    ['Safari', 'iPhone; CPU iPhone OS 18_0 like Mac OS X', 25, /./, /Feature Flags|Settings/],
  ])('%s on %s changes with version %d', (engine, system, last, before, after) => {
    const fix = (version: number) => {
      const name = engine === 'Safari' ? `Version/${version}.0 Safari/605` : `${engine}/${version}.0.0.0`;
      return webgpuAdvice(facts(`Mozilla/5.0 (${system}) ${name}`)).fix;
    };
    expect([fix(last), fix(last + 1)]).toEqual([expect.stringMatching(before), expect.stringMatching(after)]);
    expect(fix(last)).not.toBe(fix(last + 1));
  });

  it('takes a Mac with fingers on its screen for an iPad', () => {
    const of = (maxTouchPoints: number) =>
      webgpuAdvice(facts(`${mac} Version/26.0 Safari/605.1.15`, { maxTouchPoints }));
    expect([0, 1, 2, 5].map((points) => of(points).browser)).toEqual([
      'Safari 26 on macOS',
      'Safari 26 on macOS',
      'Safari 26 on iOS',
      'Safari 26 on iOS',
    ]);
  });

  it('asks for a secure page first, whatever the browser', () => {
    expect(webgpuAdvice(facts(`${windows} Chrome/140.0.0.0 Safari/537.36`, { secureContext: false })).fix).toMatch(
      /https:\/\/ or on localhost/,
    );
  });
});
