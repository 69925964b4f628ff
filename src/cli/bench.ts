/**
 * `bench [--kernels] [--sandbox] [--iteration] [--browser] [--first-point] [--promises] [--json]`: measures this
 * machine, in Node or in headless Chromium. What is measured is in bench-suite.ts, bench-sandbox.ts,
 * bench-iteration.ts, bench-first-point.ts and bench-promises.ts.
 */
import { fileURLToPath } from 'node:url';
import { presetByName } from '../rl/config/presets';
import { parseCommand, type CommandSpec } from './args';
import { benchFirstPoint, type FirstPoint } from './bench-first-point';
import { benchIteration, phases, type IterationTimes } from './bench-iteration';
import { benchPeak, type ShareOfPeak } from './bench-peak';
import { benchMatmul } from './bench-matmul';
import { benchPromises, promisedMs, type PromiseTimes } from './bench-promises';
import { benchSandbox, type SandboxTimes } from './bench-sandbox';
import { runBench, type BenchReport } from './bench-suite';
import { CHROMIUM_FLAGS, findChromium } from './chromium';
import type { DeviceChoice } from '../device/choice';
import { cpuKernels } from './build/cpu-kernels-plugin.js';
import { deviceChoice, deviceFlag, openDevice } from './engine';
import { meterQuickJs, readQuickJs } from './quickjs';
import { bundleSandboxThreads, threadWorker } from './sandbox-threads';
import { unmeteredEngine } from './unmetered-engine';
import { printJson, say } from './terminal';

const flags = {
  device: deviceFlag,
  json: { kind: 'flag', help: 'print one JSON object last' },
  kernels: { kind: 'flag', help: 'also list the GPU time of each kernel of a training step' },
  sandbox: { kind: 'flag', help: 'measure the sandbox alone, without a GPU' },
  iteration: {
    kind: 'flag',
    help: 'measure whole iterations of the calculator and of multi-hop by phase, and nothing else',
  },
  peak: {
    kind: 'flag',
    help: 'measure matrix products of the CPU device as a share of what one core can do, and nothing else',
  },
  browser: {
    kind: 'flag',
    help: 'measure in headless Chromium, on its software adapter or the CPU, the wait for the first point included',
  },
  'first-point': {
    kind: 'flag',
    help: 'measure in headless Chromium how long each preset takes to its first point, and nothing else',
  },
  promises: {
    kind: 'flag',
    help: 'measure in headless Chromium how soon a run pauses and recovers, against what is promised, and nothing else',
  },
} as const;
const spec: CommandSpec<typeof flags> = { name: 'bench', positionals: '', count: { min: 0, max: 0 }, flags };

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { browser, kernels, sandbox } = parsed.flags;
  const device = deviceChoice(parsed.flags.device ?? 'auto');
  const report: Report = parsed.flags['first-point']
    ? { firstPoint: await firstPoints() }
    : parsed.flags.peak
      ? { peak: await benchPeak() }
      : parsed.flags.promises
        ? { promises: await promises() }
        : parsed.flags.iteration
          ? { iterations: await iterations(device) }
          : browser
            ? await benchInBrowser(device, kernels, sandbox)
            : await benchHere(device, kernels, sandbox);
  if (report.adapter) say(table(report as BenchReport));
  if (report.sandbox) say(sandboxTable(report.sandbox));
  if (report.iterations) say(iterationsTable(report.iterations));
  if (report.firstPoint) say(firstPointTable(report.firstPoint));
  if (report.promises) say(promisesTable(report.promises));
  if (report.peak) say(peakTable(report.peak));
  if (parsed.flags.json) printJson(report);
  return 0;
}

/** What a page measures: all, or the sandbox alone. */
type PageReport = BenchReport | Pick<BenchReport, 'sandbox'>;

/** What was measured, parts that were not asked for left out. */
type Report = Partial<BenchReport> & {
  readonly iterations?: IterationsReport;
  readonly firstPoint?: readonly FirstPoint[];
  readonly promises?: PromiseTimes;
  readonly peak?: readonly ShareOfPeak[];
};

interface IterationsReport {
  readonly adapter: string;
  /** The fastest of the matmul sizes, measured in the same run. */
  readonly matmulGflops: number;
  readonly presets: Readonly<Record<string, IterationTimes>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const sayMeasuring = (what: string) => say(`Measuring ${what} …\n`);

async function benchHere(choice: DeviceChoice, withKernels: boolean, sandboxAlone: boolean): Promise<Report> {
  const sandbox = await benchSandboxHere();
  if (sandboxAlone) return { sandbox };
  const device = await openDevice(choice);
  try {
    return { ...(await runBench(device, withKernels, sayMeasuring)), sandbox };
  } finally {
    device.destroy();
  }
}

async function benchSandboxHere(): Promise<SandboxTimes> {
  sayMeasuring('the sandbox');
  const threads = await bundleSandboxThreads();
  try {
    const engines = { metered: await meterQuickJs(), unmetered: unmeteredEngine(await readQuickJs()) };
    return await benchSandbox(engines, async () => threadWorker(threads.start()));
  } finally {
    await threads.remove();
  }
}

async function iterations(choice: DeviceChoice): Promise<IterationsReport> {
  const device = await openDevice(choice);
  try {
    sayMeasuring('matmul');
    const matmulGflops = Math.max(...Object.values(await benchMatmul(device)));
    const presets: Record<string, IterationTimes> = {};
    for (const name of ['calculator', 'multi-hop']) {
      sayMeasuring(`iterations of ${name}`);
      presets[name] = await benchIteration(device, presetByName(name).config);
    }
    return { adapter: device.adapter.name, matmulGflops, presets };
  } finally {
    device.destroy();
  }
}

async function launchBrowser() {
  const { chromium } = await import('@playwright/test');
  return chromium.launch({ executablePath: findChromium() ?? undefined, args: [...CHROMIUM_FLAGS] });
}

const firstPoints = (): Promise<FirstPoint[]> => benchFirstPoint(root, launchBrowser, sayMeasuring);

function promises(): Promise<PromiseTimes> {
  sayMeasuring('pause and recovery');
  return benchPromises(root, launchBrowser);
}

/**
 * Serves the sources and runs the same suite in a page; then, in the built one, waits for the first point of each
 * preset and measures the promises.
 */
async function benchInBrowser(device: DeviceChoice, withKernels: boolean, sandboxAlone: boolean): Promise<Report> {
  const report = await benchInPage(device, withKernels, sandboxAlone);
  return sandboxAlone ? report : { ...report, firstPoint: await firstPoints(), promises: await promises() };
}

async function benchInPage(device: DeviceChoice, withKernels: boolean, sandboxAlone: boolean): Promise<PageReport> {
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: false,
    root,
    plugins: [cpuKernels()],
    logLevel: 'error',
    server: { port: 0, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  await server.listen();
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    page.on('console', (message) => message.type() === 'info' && say(`${message.text()}\n`));
    await page.goto(`${server.resolvedUrls!.local[0]}src/cli/bench.html`);
    // A string, because the import must be the page's and not one that Vite rewrites for Node.
    return await page.evaluate<PageReport>(
      `import('/src/cli/bench-page.ts').then((bench) => bench.benchPage('${device}', ${withKernels}, ${sandboxAlone}))`,
    );
  } finally {
    await browser.close();
    await server.close();
  }
}

function table({ adapter, matmul, train, sample, draw }: BenchReport): string {
  const lines = [
    `Adapter: ${adapter}`,
    ...Object.entries(matmul).map(([shape, speed]) => `matmul ${shape.padEnd(14)} ${speed.toFixed(2)} GFLOP/s`),
  ];
  for (const name of ['S', 'M'] as const) {
    const { tokensPerSecond, dispatches, passes, submits, newBindGroups, newBuffers } = train[name];
    lines.push(
      `train  ${name}  ${tokensPerSecond} tokens/s; a step: ${dispatches} dispatches, ${passes} passes, ` +
        `${submits} submits, ${newBindGroups} new bind groups, ${newBuffers} new buffers`,
      `sample ${name}  ${sample[name].tokensPerSecond} tokens/s`,
    );
    for (const { kernel, calls, totalMs } of train[name].kernels ?? [])
      lines.push(`  ${kernel.padEnd(32)} ${String(calls).padStart(3)} × ${totalMs.toFixed(2).padStart(9)} ms`);
  }
  for (const { vocabulary, fullMs, topKMs, topPMs } of draw)
    lines.push(
      `draw   ${vocabulary} tokens, 16 rows`.padEnd(34) +
        `${fullMs.toFixed(2)} ms; top-k 50 ${topKMs.toFixed(2)} ms; top-p 0.9 ${topPMs.toFixed(2)} ms`,
    );
  return `${lines.join('\n')}\n`;
}

function sandboxTable({ callsPerSecond, unmetered, resetUs, createMs, fuelLimitedMs }: SandboxTimes): string {
  const rate = (what: string, metered: number, free: number) =>
    `sandbox, ${what.padEnd(22)} ${metered} calls/s, ${(metered / free).toFixed(2)} of ${free} without metering ` +
    '(promised: 25000, 0.67)';
  return `${[
    rate('one episode a message', callsPerSecond.oneEpisode, unmetered.oneEpisode),
    rate('64 episodes a message', callsPerSecond.manyEpisodes, unmetered.manyEpisodes),
    `sandbox, a guest              reset ${resetUs.toFixed(0)} µs (promised: 200), created ${createMs.toFixed(1)} ms`,
    `sandbox, out of fuel          ${fuelLimitedMs.call.toFixed(1)} ms at the usual limit (promised: 60), ` +
      `${fuelLimitedMs.largest.toFixed(0)} ms at the largest (promised: 500)`,
  ].join('\n')}\n`;
}

function peakTable(products: readonly ShareOfPeak[]): string {
  const lines = products.map(
    ({ product, gflops, share }) =>
      `matmul ${product.padEnd(16)} ${gflops.toFixed(1)} GFLOP/s, ${(100 * share).toFixed(0)} % of a core`,
  );
  return `${lines.join('\n')}\n`;
}

function iterationsTable({ adapter, matmulGflops, presets }: IterationsReport): string {
  const lines = [`Adapter: ${adapter}`, `matmul ${matmulGflops.toFixed(2)} GFLOP/s`];
  for (const [preset, times] of Object.entries(presets)) {
    lines.push(`${preset}: ${times.ms.toFixed(0)} ms an iteration`);
    for (const phase of phases) {
      const { ms, useful, computed, flop } = times.phases[phase];
      const positions =
        computed === 0
          ? ''
          : `; positions: ${useful.toFixed(0).padStart(5)} useful of ${computed.toFixed(0).padStart(5)} computed, ` +
            `${(flop / ms / 1e6 / matmulGflops).toFixed(2)} of the matmul rate`;
      lines.push(`  ${phase.padEnd(10)} ${ms.toFixed(0).padStart(5)} ms${positions}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function firstPointTable(points: readonly FirstPoint[]): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const lines = points.map(({ preset, ms, parts }) => {
    const list = parts.map((part) => `${part.status} ${seconds(part.ms)}`).join(', ');
    return `first point, ${preset.padEnd(16)} ${seconds(ms).padStart(6)} s from the press of Train: ${list}`;
  });
  return `${lines.join('\n')}\n`;
}

function promisesTable(times: PromiseTimes): string {
  const lines = (['pause', 'recovery'] as const).map(
    (name) => `${name.padEnd(30)} ${Math.round(times[name])} ms (promised: ${promisedMs[name]})`,
  );
  return `${lines.join('\n')}\n`;
}
