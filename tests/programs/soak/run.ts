/**
 * `npm run soak -- --minutes 30 [--every 60]`: trains in the built page, one run after another from one link, and
 * breaks something every minute. Each run that finishes must have the very bits of the first, which nothing disturbed.
 * Reports, as JSON, what broke, how long the page took to go on, heaps, and everything that nobody caught; exits with 1
 * if a promise was not kept.
 */
import { parseArgs } from 'node:util';
import { chromium, type ConsoleMessage, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../../../src/cli/chromium';
import { median } from '../../../src/lib/median';
import { decodeLink } from '../../../src/share/link';
import { buildAndServe } from '../../helpers/site';
import { catchDevices, faults, type Fault } from './faults';
import { heap, savedNumbers, type Heap } from './gauges';

const link =
  '#/lab?v=1&preset=calculator-mini&device=gpu&seed=1&steps=60&opt.max=9&layers=1&width=64&ff=64&demos=300&' +
  'warm=40&warmBatch=40&warmLr=0.01&lr=0.0015&warmup=0&decay=constant&tasks=8&group=8&mini=2&evalTasks=8';
/** Heaps are compared from here on: caches fill in the first minutes. */
const warmUpMs = 5 * 60_000;
const heapGrowthAllowed = 0.05;
const patienceMs = 120_000;

interface Incident {
  readonly fault: string;
  readonly atSeconds: number;
  /** Until the step counter moved on, a press included; null if it did not. */
  readonly recoveredMs: number | null;
}

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, every: { type: 'string', default: '60' } },
});
const minutes = Number(values.minutes);
const faultEveryMs = 1000 * Number(values.every);
if (!(minutes > 0 && faultEveryMs > 0))
  throw new Error('--minutes, and --every in seconds, each take a number above 0.');

class Soak {
  private readonly startMs = performance.now();
  private readonly problems: string[] = [];
  private readonly incidents: Incident[] = [];
  private readonly heaps: (Heap & { readonly atSeconds: number })[] = [];
  private reference: string | null = null;
  private finished = 0;
  private iterations = 0;
  private uncaught = 0;
  private brokenNumbers = 0;
  private nextFaultMs = 0;
  private nextFault = 0;

  constructor(private readonly page: Page) {
    page.on('pageerror', (error) => this.blame(error.message));
    page.on('console', (message) => this.hear(message));
    catchDevices(page);
  }

  async run(): Promise<void> {
    await this.untilStatus(/^Ready/);
    await this.button('Train').click();
    await this.untilStatus(/^Finished/);
    await this.check();
    this.nextFaultMs = performance.now();
    while (performance.now() - this.startMs < minutes * 60_000) {
      await this.button('Reset').click();
      await this.untilStatus(/^Ready/);
      await this.button('Train').click();
      await this.trainBroken();
      await this.check();
      process.stderr.write(
        `${this.seconds()} s: ${this.finished} runs, ${this.incidents.length} faults, ` +
          `${this.problems.length} problems\n`,
      );
    }
  }

  /** Until the run is finished, breaks something whenever a fault is due and the run is at it. */
  private async trainBroken(): Promise<void> {
    for (;;) {
      const status = await this.status();
      if (status.startsWith('Finished')) return;
      if (/^RL iteration ([2-9]|[1-4]\d)\//.test(status) && performance.now() >= this.nextFaultMs) {
        this.nextFaultMs = performance.now() + faultEveryMs;
        await this.suffer(faults[this.nextFault++ % faults.length]);
      }
      await this.page.waitForTimeout(100);
    }
  }

  private async suffer(fault: Fault): Promise<void> {
    const { page } = this;
    const atSeconds = this.seconds();
    const beganMs = performance.now();
    try {
      await fault.inject(page);
      if (fault.sentence)
        await this.notices().filter({ hasText: fault.sentence }).first().waitFor({ timeout: patienceMs });
      if (fault.press) {
        if (fault.press === 'Resume') await this.untilStatus(/^(Ready|Stopped)/);
        await this.notices().filter({ hasText: fault.sentence }).getByRole('button', { name: fault.press }).click();
      }
      const from = await this.step();
      await this.until(
        async () => (await this.step()) > from || (await this.status()).startsWith('Finished'),
        `training to go on after: ${fault.name}`,
      );
      this.incidents.push({ fault: fault.name, atSeconds, recoveredMs: Math.round(performance.now() - beganMs) });
      for (const dismiss of await page.getByRole('button', { name: 'Dismiss' }).all())
        await dismiss.click({ timeout: 2000 }).catch(() => undefined);
    } catch (error) {
      this.incidents.push({ fault: fault.name, atSeconds, recoveredMs: null });
      this.problems.push(
        `${fault.name}: ${(error as Error).message} The page says: ${await this.status()}. ` +
          `${(await this.notices().allTextContents()).join(' ')}`,
      );
      throw error;
    }
  }

  /** Compares the finished run's bits with the first run's, and takes the gauges. */
  private async check(): Promise<void> {
    const { fingerprint, validation } = await decodeLink(await this.shareLink());
    const bits = JSON.stringify({ fingerprint, validation });
    this.reference ??= bits;
    if (bits !== this.reference)
      this.problems.push(`run ${this.finished + 1} has other bits than the undisturbed one: ${bits}`);
    this.finished++;
    this.iterations += validation?.at(-1)?.iteration ?? 0;
    this.heaps.push({ atSeconds: this.seconds(), ...(await heap(this.page)) });
    const { numbers, broken } = await savedNumbers(this.page);
    this.brokenNumbers += broken;
    if (numbers === 0) this.problems.push(`nothing was saved when run ${this.finished} had finished`);
  }

  private async shareLink(): Promise<string> {
    await this.button('Share').click();
    const box = this.page.getByRole('textbox', { name: 'Link', exact: true });
    await this.until(async () => (await box.inputValue()).startsWith('http'), 'the share link');
    const address = await box.inputValue();
    await this.page.keyboard.press('Escape');
    return address;
  }

  report() {
    const settled = this.heaps.filter(
      ({ atSeconds }) => atSeconds * 1000 >= Math.min(warmUpMs, (minutes * 60_000) / 3),
    );
    // Some faults bring a fresh worker and others do not, so single measurements differ by the worker's age.
    const third = Math.ceil(settled.length / 3);
    const growth = (pick: (heap: Heap) => number) =>
      settled.length < 3 ? 0 : median(settled.slice(-third).map(pick)) / median(settled.slice(0, third).map(pick)) - 1;
    const heapGrowth = {
      page: round(growth((each) => each.pageBytes)),
      worker: round(growth((each) => each.workerBytes)),
    };
    if (heapGrowth.page > heapGrowthAllowed || heapGrowth.worker > heapGrowthAllowed)
      this.problems.push('a heap grew by more than 5 % after warm-up');
    if (this.uncaught > 0) this.problems.push(`${this.uncaught} exceptions or rejections that nobody caught`);
    if (this.brokenNumbers > 0) this.problems.push(`${this.brokenNumbers} saved numbers are not finite`);
    return {
      minutes: round(this.seconds() / 60),
      runs: this.finished,
      iterations: this.iterations,
      faults: summary(this.incidents),
      uncaught: this.uncaught,
      brokenNumbers: this.brokenNumbers,
      heapGrowth,
      heaps: this.heaps,
      problems: this.problems,
    };
  }

  private hear(message: ConsoleMessage): void {
    if (message.type() === 'error' && /Uncaught|Unhandled/i.test(message.text())) this.blame(message.text());
  }

  private blame(what: string): void {
    if (what.includes('thrown by the soak')) return;
    this.uncaught++;
    process.stderr.write(`Nobody caught: ${what}\n`);
  }

  private button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  private notices() {
    return this.page.getByRole('note').or(this.page.getByRole('alert'));
  }

  private async status(): Promise<string> {
    return (await this.page.getByRole('status').first().textContent({ timeout: patienceMs })) ?? '';
  }

  private async step(): Promise<number> {
    return Number(/iteration (\d+)\//.exec(await this.status())?.[1] ?? 0);
  }

  private untilStatus(pattern: RegExp): Promise<void> {
    return this.until(async () => pattern.test(await this.status()), `the status to read like ${pattern}`);
  }

  private async until(holds: () => Promise<boolean>, what: string): Promise<void> {
    for (const endMs = performance.now() + patienceMs; !(await holds()); await this.page.waitForTimeout(50)) {
      if (performance.now() > endMs)
        throw new Error(`Waited ${patienceMs / 1000} s for ${what}; the status reads “${await this.status()}”.`);
    }
  }

  private seconds(): number {
    return Math.round((performance.now() - this.startMs) / 1000);
  }
}

/** Of each fault: how often it struck, and the median and longest time until training went on. */
function summary(incidents: readonly Incident[]) {
  return Object.fromEntries(
    [...new Set(incidents.map(({ fault }) => fault))].map((name) => {
      const same = incidents.filter(({ fault }) => fault === name);
      const timesMs = same.flatMap(({ recoveredMs }) => recoveredMs ?? []);
      return [
        name,
        { times: same.length, mended: timesMs.length, medianMs: median(timesMs), longestMs: Math.max(...timesMs) },
      ];
    }),
  );
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const site = await buildAndServe();
const browser = await chromium.launch({
  executablePath: findChromium() ?? undefined,
  args: [...CHROMIUM_FLAGS, '--disable-gpu-process-crash-limit'],
});
const page = await browser.newPage();
// What is evaluated in the page was compiled by tsx, which names inner functions through a helper that only its own
// modules have.
await page.addInitScript('globalThis.__name = (value) => value');
const soak = new Soak(page);
try {
  await page.goto(site.plainUrl + link);
  await soak.run();
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
}
const report = { date: new Date().toISOString(), browser: `Chromium ${browser.version()}`, ...soak.report() };
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
if (report.problems.length > 0) process.exitCode = 1;
await browser.close();
site.close();
