/** What bench prints: a table of text for each kind of measurement. */
import { formatBytes } from '../../lib/amounts';
import { promisedRatio, type BusyTimes } from './busy';
import type { FirstPoint } from './first-point';
import { phases, type IterationTimes } from './iteration';
import type { ShareOfPeak } from './peak';
import type { ModelTimes } from './pretrained';
import type { ModelIteration } from './pretrained-iteration';
import { promisedMs, type PromiseTimes } from './promises';
import type { SandboxTimes } from './sandbox';
import type { DeviceReport } from './suite';

export interface IterationsReport {
  readonly adapter: string;
  /** The fastest of the matmul sizes, measured in the same run. */
  readonly matmulGflops: number;
  readonly presets: Readonly<Record<string, IterationTimes>>;
}

export function suiteTable({ adapter, matmul, train, sample, draw }: DeviceReport): string {
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

export function sandboxTable({ callsPerSecond, unmetered, resetUs, createMs, fuelLimitedMs }: SandboxTimes): string {
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

export function peakTable(products: readonly ShareOfPeak[]): string {
  const lines = products.map(
    ({ product, gflops, share }) =>
      `matmul ${product.padEnd(16)} ${gflops.toFixed(1)} GFLOP/s, ${(100 * share).toFixed(0)} % of a core`,
  );
  return `${lines.join('\n')}\n`;
}

export function busyTable(works: readonly BusyTimes[]): string {
  const lines = works.map(
    ({ work, oneMs, twoMs }) =>
      `${work.padEnd(9)} one thread ${oneMs.toFixed(0)} ms, two ${twoMs.toFixed(0)} ms: ` +
      `${(twoMs / oneMs).toFixed(2)} ` +
      `of one (promised: ${promisedRatio})`,
  );
  return `${lines.join('\n')}\n`;
}

export function iterationsTable({ adapter, matmulGflops, presets }: IterationsReport): string {
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

const figures = (value: number): string => (value < 100 ? value.toPrecision(3) : value.toFixed(0));

/** In Markdown, for the README. */
export function modelTable(times: ModelTimes): string {
  const { model, layers, allLayers, threads, coreGflops, torch, run, heldBytes, plannedBytes } = times;
  const torchName = torch === null ? 'PyTorch (not run)' : `PyTorch ${torch.replace(/\+.*/, '')}, eager`;
  const rows = times.steps.map(({ step, gflop, ms, share, torchMs }) => [
    step,
    figures(gflop),
    figures(ms),
    share === null ? '–' : `${(100 * share).toFixed(0)} %`,
    torchMs === null ? '–' : figures(torchMs),
    torchMs === null ? '–' : (torchMs / ms).toFixed(2),
  ]);
  const peak = `share of ${threads} × ${coreGflops.toFixed(1)} GFLOP/s`;
  const lines = [
    [`${model}, ${layers} of ${allLayers} layers`, 'GFLOP', 'ms', peak, `${torchName}, ms`, 'speed beside it'],
    ['---', '--:', '--:', '--:', '--:', '--:'],
    ...rows,
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const parts = (['weights', 'trained', 'optimizer', 'cache', 'activations'] as const).map(
    (part) => `${part} ${formatBytes(run[part])}`,
  );
  return `${[
    `Adapter: ${times.adapter}, ${threads} threads. Random weights in half precision, LoRA of rank 16.`,
    '',
    ...lines,
    '',
    `Memory of these steps: ${formatBytes(heldBytes)} counted, ${formatBytes(plannedBytes)} planned.`,
    `Memory of a run at full depth, 64 rollouts of up to 1,024 tokens: ${formatBytes(run.total)} planned ` +
      `(${parts.join(', ')}).`,
  ].join('\n')}\n`;
}

export function modelIterationTable(report: ModelIteration): string {
  const { model, adapter, layers, allLayers, rollouts, sampledTokens, seconds, heldBytes } = report;
  const phases = Object.entries(seconds).map(([phase, value]) => `${phase} ${value.toFixed(1)} s`);
  return (
    `${model}, ${layers} of ${allLayers} layers, ${adapter}: an iteration of GRPO with ${rollouts} rollouts, ` +
    `${sampledTokens} tokens: ${phases.join(', ')}; ${formatBytes(heldBytes)} counted at most.\n`
  );
}

export function firstPointTable(points: readonly FirstPoint[]): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const lines = points.map(({ preset, ms, parts }) => {
    const list = parts.map((part) => `${part.status} ${seconds(part.ms)}`).join(', ');
    return `first point, ${preset.padEnd(16)} ${seconds(ms).padStart(6)} s from the press of Train: ${list}`;
  });
  return `${lines.join('\n')}\n`;
}

export function promisesTable(times: PromiseTimes): string {
  const lines = (['pause', 'recovery'] as const).map(
    (name) => `${name.padEnd(30)} ${Math.round(times[name])} ms (promised: ${promisedMs[name]})`,
  );
  return `${lines.join('\n')}\n`;
}
