/**
 * `bench [flags]`: measures the speed of this machine, in Node or in headless Chromium, and prints tables. Each file in
 * bench/ measures one thing.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DeviceChoice } from '../device/choice';
import { presetByName, presets, type Preset } from '../config/presets';
import { parseCommand, type Arguments, type CommandSpec } from './args';
import { benchBusy, type BusyTimes } from './bench/busy';
import { benchFirstPoint, type FirstPoint } from './bench/first-point';
import { benchIteration, type IterationTimes } from './bench/iteration';
import { benchMatmul } from './bench/matmul';
import { modelShape } from './bench/model-shapes';
import { benchPeak, type ShareOfPeak } from './bench/peak';
import { benchModel, type ModelTimes } from './bench/pretrained';
import { benchModelIteration, type ModelIteration } from './bench/pretrained-iteration';
import { benchPromises, type PromiseTimes } from './bench/promises';
import { benchSandbox, type SandboxTimes } from './bench/sandbox';
import { runBench, type BenchReport } from './bench/suite';
import {
  busyTable,
  firstPointTable,
  iterationsTable,
  modelIterationTable,
  modelTable,
  peakTable,
  promisesTable,
  sandboxTable,
  suiteTable,
  type IterationsReport,
} from './bench/tables';
import { openTorch, type TorchSettings } from './bench/torch';
import { unmeteredEngine } from './bench/unmetered-engine';
import { CHROMIUM_FLAGS, findChromium } from './chromium';
import { nodeThreads } from './cpu-threads';
import { deviceChoice, deviceFlag, openDevice, orCpu } from './engine';
import { checkout, requireCheckout } from './place';
import { meterQuickJs, readQuickJs } from './quickjs';
import { openSandboxThreads, threadWorker } from './sandbox-threads';
import { printJson, say } from './terminal';

const flags = {
  device: deviceFlag,
  json: { kind: 'flag', help: 'print one JSON object last' },
  kernels: { kind: 'flag', help: 'also list the GPU time of each kernel of a training step' },
  sandbox: { kind: 'flag', help: 'measure the sandbox alone, without a GPU' },
  iteration: {
    kind: 'flag',
    help: 'measure whole iterations by phase, of the calculator and of multi-hop, and nothing else',
  },
  peak: {
    kind: 'flag',
    help: 'measure matrix products of the CPU device as a share of what one core can do, and nothing else',
  },
  model: {
    kind: 'text',
    help:
      'measure steps of a pretrained model’s shape with random weights, and nothing else: smollm2-135m, ' +
      'qwen2.5-0.5b, qwen3-0.6b or a config.json; beside PyTorch, if AGENTLET_INTEROP_PYTHON has torch and peft; ' +
      'with --iteration a whole iteration of 4 rollouts',
    value: 'SHAPE',
  },
  layers: { kind: 'integer', help: 'how many layers of it; fewer take less time and memory', min: 1 },
  busy: {
    kind: 'flag',
    help: 'compare only two threads of the CPU device with one, beside a busy process for each core',
  },
  browser: {
    kind: 'flag',
    help: 'measure in headless Chromium, on its software adapter or the CPU, the wait for the first point included',
  },
  'first-point': {
    kind: 'flag',
    help: 'measure in headless Chromium how long each preset takes to its first point, and nothing else',
  },
  preset: {
    kind: 'texts',
    help: 'the preset that --iteration, --first-point or --browser measures; give it again for another',
    value: 'NAME',
  },
  promises: {
    kind: 'flag',
    help: 'measure in headless Chromium how soon a run pauses and recovers, against what is promised, and nothing else',
  },
} as const;
const spec: CommandSpec<typeof flags> = { name: 'bench', positionals: '', count: { min: 0, max: 0 }, flags };
type Flags = Arguments<typeof flags>['flags'];

/** Flags that ask for one measurement and nothing else. */
const single = ['iteration', 'peak', 'busy', 'first-point', 'promises'] as const;

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const report = await measure(parsed.flags);
  if (report.adapter) say(suiteTable(report as BenchReport));
  if (report.sandbox) say(sandboxTable(report.sandbox));
  if (report.iterations) say(iterationsTable(report.iterations));
  if (report.firstPoint) say(firstPointTable(report.firstPoint));
  if (report.promises) say(promisesTable(report.promises));
  if (report.peak) say(peakTable(report.peak));
  if (report.model) say(modelTable(report.model));
  if (report.modelIteration) say(modelIterationTable(report.modelIteration));
  if (report.busy) say(busyTable(report.busy));
  if (parsed.flags.json) printJson(report);
  return 0;
}

/** @throws a sentence if flags contradict each other */
async function measure(given: Flags): Promise<Report> {
  const { browser, kernels, sandbox, preset: names } = given;
  const device = deviceChoice(given.device ?? 'auto');
  const asked = single.filter((name) => given[name]);
  if (asked.length > 1) throw new Error(`--${asked[0]} and --${asked[1]} each measure one thing: give one of them.`);
  const [only] = asked;
  if (given.layers !== undefined && !given.model) throw new Error('--layers is of --model: give that, too.');
  if (given.model && only && only !== 'iteration')
    throw new Error(`--model measures steps, or with --iteration a whole one: leave --${only} out.`);
  if (given.model) return modelReport(given, orCpu(device));
  if (names.length > 0 && only !== 'iteration' && only !== 'first-point' && !browser)
    throw new Error('--preset chooses what --iteration, --first-point or --browser measures: give one of these, too.');
  const chosen = names.length > 0 ? names.map(presetByName) : null;
  switch (only) {
    case 'first-point':
      return { firstPoint: await firstPoints(chosen ?? presets) };
    case 'peak':
      requireCheckout();
      return { peak: await benchPeak() };
    case 'busy':
      sayMeasuring('one and two threads');
      return { busy: await benchBusy(availableParallelism()) };
    case 'promises':
      return { promises: await promises() };
    case 'iteration':
      return { iterations: await iterations(device, chosen ?? ['calculator', 'multi-hop'].map(presetByName)) };
    default:
      return browser
        ? benchInBrowser(device, kernels, sandbox, chosen ?? presets)
        : benchHere(device, kernels, sandbox);
  }
}

/** What a page measures: all, or the sandbox alone. */
type PageReport = BenchReport | Pick<BenchReport, 'sandbox'>;

/** What was measured, parts that were not asked for left out. */
type Report = Partial<BenchReport> & {
  readonly iterations?: IterationsReport;
  readonly firstPoint?: readonly FirstPoint[];
  readonly promises?: PromiseTimes;
  readonly peak?: readonly ShareOfPeak[];
  readonly model?: ModelTimes;
  readonly modelIteration?: ModelIteration;
  readonly busy?: readonly BusyTimes[];
};

const sayMeasuring = (what: string) => say(`Measuring ${what} …\n`);

async function benchHere(choice: DeviceChoice, withKernels: boolean, sandboxAlone: boolean): Promise<Report> {
  // It compares engines that an installed package does not have.
  const sandbox = checkout === null && !sandboxAlone ? undefined : await benchSandboxHere();
  if (sandboxAlone) return { sandbox };
  const device = await openDevice(choice);
  try {
    return { ...(await runBench(device, withKernels, sayMeasuring)), sandbox };
  } finally {
    device.destroy();
  }
}

async function benchSandboxHere(): Promise<SandboxTimes> {
  requireCheckout();
  sayMeasuring('the sandbox');
  const threads = await openSandboxThreads();
  try {
    const engines = { metered: await meterQuickJs(), unmetered: unmeteredEngine(await readQuickJs()) };
    return await benchSandbox(engines, async () => threadWorker(threads.start()));
  } finally {
    await threads.remove();
  }
}

async function iterations(choice: DeviceChoice, chosen: readonly Preset[]): Promise<IterationsReport> {
  const device = await openDevice(choice);
  try {
    sayMeasuring('matmul');
    const matmulGflops = Math.max(...Object.values(await benchMatmul(device)));
    const times: Record<string, IterationTimes> = {};
    for (const { name, config } of chosen) {
      sayMeasuring(`iterations of ${name}`);
      times[name] = await benchIteration(device, config);
    }
    return { adapter: device.adapter.name, matmulGflops, presets: times };
  } finally {
    device.destroy();
  }
}

/** Steps of a model's shape; with `--iteration` a whole iteration at full depth. */
async function modelReport({ model, layers: asked, iteration }: Flags, choice: DeviceChoice): Promise<Report> {
  const shape = modelShape(model!);
  const all = shape.config.num_hidden_layers;
  const layers = Math.min(all, asked ?? (iteration ? all : shape.layers));
  sayMeasuring(`${shape.name}, ${layers} of ${all} layers,`);
  const python = process.env.AGENTLET_INTEROP_PYTHON;
  const torch = python === undefined ? null : (settings: TorchSettings) => openTorch(python, settings);
  const device = await openDevice(choice);
  try {
    if (iteration) return { modelIteration: await benchModelIteration(device, shape, layers) };
    requireCheckout();
    return { model: await benchModel(device, shape, layers, nodeThreads().count + 1, torch) };
  } finally {
    device.destroy();
  }
}

async function launchBrowser() {
  const { chromium } = await import('@playwright/test');
  return chromium.launch({ executablePath: findChromium() ?? undefined, args: [...CHROMIUM_FLAGS] });
}

const firstPoints = (chosen: readonly Preset[]): Promise<FirstPoint[]> =>
  benchFirstPoint(requireCheckout(), launchBrowser, chosen, sayMeasuring);

function promises(): Promise<PromiseTimes> {
  sayMeasuring('pause and recovery');
  return benchPromises(requireCheckout(), launchBrowser);
}

/**
 * Serves the sources and runs the same suite in a page; then, in the built one, waits for the first point of each
 * preset and measures the promises.
 */
async function benchInBrowser(
  device: DeviceChoice,
  withKernels: boolean,
  sandboxAlone: boolean,
  chosen: readonly Preset[],
): Promise<Report> {
  const report = await benchInPage(device, withKernels, sandboxAlone);
  return sandboxAlone ? report : { ...report, firstPoint: await firstPoints(chosen), promises: await promises() };
}

async function benchInPage(device: DeviceChoice, withKernels: boolean, sandboxAlone: boolean): Promise<PageReport> {
  const root = requireCheckout();
  const { createServer } = await import('vite');
  const plugin = pathToFileURL(join(root, 'src/cli/build/cpu-kernels-plugin.js')).href;
  const { cpuKernels } = (await import(/* @vite-ignore */ plugin)) as typeof import('./build/cpu-kernels-plugin.js');
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
    await page.goto(`${server.resolvedUrls!.local[0]}src/cli/bench/page.html`);
    // A string, because the import must be the page's and not one that Vite rewrites for Node.
    return await page.evaluate<PageReport>(
      `import('/src/cli/bench/page.ts').then((bench) => bench.benchPage('${device}', ${withKernels}, ${sandboxAlone}))`,
    );
  } finally {
    await browser.close();
    await server.close();
  }
}
