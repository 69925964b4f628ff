/**
 * One and two threads of the CPU device while other programs take the cores: both are timed in turn, so that what the
 * machine does besides slows both.
 */
import { spawn } from 'node:child_process';
import { WasmDevice } from '../../device/wasm/wasm-device';
import { median } from '../../lib/median';
import { ParameterStore } from '../../model/parameters';
import { Sampler } from '../../model/sampler';
import { Learner } from '../../rl/learner/learner';
import { pack } from '../../rl/learner/packing';
import { nodeThreads } from '../cpu-threads';
import { benchModels } from './models';
import { optimizer, textSegment } from './suite';

export interface BusyTimes {
  readonly work: 'train S' | 'sample S';
  /** Of a call, the median of the rounds. */
  readonly oneMs: number;
  readonly twoMs: number;
}

/** Two threads may take this much longer than one, under any load. */
export const promisedRatio = 1.1;

const rounds = 15;
/** A round is this long on one thread: a time slice of the busy processes, a few milliseconds, is little of it. */
const roundMs = 300;
const { network, batch, length } = benchModels.S;

/** @param processes how many busy processes run beside it */
export async function benchBusy(processes: number): Promise<BusyTimes[]> {
  const one = await WasmDevice.open();
  const two = await WasmDevice.open({ ...nodeThreads(), count: 1 });
  const works = { 'train S': [trainer(one), trainer(two)], 'sample S': [sampler(one), sampler(two)] };
  const burners = Array.from({ length: processes }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  try {
    const times: BusyTimes[] = [];
    for (const [work, runs] of Object.entries(works)) {
      const milliseconds: [number[], number[]] = [[], []];
      // The first calls warm up.
      for (const run of runs) await run();
      const calls = Math.ceil(roundMs / (await timeMs(runs[0], 1)));
      for (let round = 0; round < rounds; round++)
        for (const [i, run] of runs.entries()) milliseconds[i].push((await timeMs(run, calls)) / calls);
      const [oneMs, twoMs] = milliseconds.map(median);
      times.push({ work: work as BusyTimes['work'], oneMs, twoMs });
    }
    return times;
  } finally {
    for (const burner of burners) burner.kill();
    one.destroy();
    two.destroy();
  }
}

async function timeMs(run: () => Promise<void>, calls: number): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call++) await run();
  return performance.now() - start;
}

/** Trains two steps a call. */
function trainer(device: WasmDevice): () => Promise<void> {
  const store = new ParameterStore(device, network.specs);
  store.initialise(1);
  const learner = new Learner(device, store, network, { capacity: batch * length });
  const rows = Array.from({ length: batch }, (_, row) => textSegment(network.vocabulary, length + 1, row));
  const packed = pack(rows, { capacity: batch * length, aggregation: 'token-mean', lengthNorm: length });
  return async () => {
    for (let step = 0; step < 2; step++) learner.imitationStep(packed, optimizer);
    await device.idle();
  };
}

/** Samples 16 sequences of 64 tokens a call. */
function sampler(device: WasmDevice): () => Promise<void> {
  const store = new ParameterStore(device, network.specs);
  store.initialise(2);
  const sampling = new Sampler(device, store, network, { slots: 16, contextLength: 128 });
  const prompts = Array.from({ length: 16 }, (_, slot) => ({ slot, tokens: [1, 2 + slot] }));
  const settings = { temperature: 1, topK: 0, topP: 1, maxTokens: 64, stopTokens: [], seed: 3, iteration: 1 };
  return async () => {
    sampling.clearCache();
    await sampling.sample(prompts, settings);
  };
}
