/** What it costs to train an adapter of a pretrained model, from its config.json alone. */
import { formatBytes } from '../lib/amounts';
import { formatAbout } from '../lib/format';
import { promisedNetwork } from '../model/families';
import type { PositionFlop } from '../model/model';
import type { RunConfig } from '../config/config';
import { samplerSlots } from './learner/shapes';
import { largestWave, memoryParts, type MemoryParts } from './memory-parts';

export interface ModelBill {
  readonly memory: MemoryParts;
  /** Rollouts that the run samples at once. */
  readonly rollouts: number;
  /** Most rollouts at once that fit into the machine's memory, at most as many as any run of the model samples. */
  readonly fitting: number;
  /** Of one iteration. */
  readonly flop: number;
  /** Tokens that are assumed of a rollout, those of its prompt among them. */
  readonly tokens: number;
}

/** The share of a rollout's tokens that are sampled, and of the context that they fill: nobody knows before. */
const sampledShare = 1 / 3;
const filledShare = 1 / 2;

/**
 * @param model JSON of its config.json @param memoryBytes what the device can hold
 * @throws a sentence if it is no model that can be trained here
 */
export function modelBill(config: RunConfig, model: unknown, memoryBytes: number): ModelBill {
  const network = promisedNetwork(model, config.model.pretrained!);
  const memory = memoryParts(config, network);
  const fitting = largestWave(config, network, memoryBytes);
  const tokens = Math.round(config.model.context * filledShare);
  const rollouts = samplerSlots(config, network);
  return { memory, rollouts, fitting, flop: iterationFlop(config, network.flop, tokens), tokens };
}

/**
 * Products of one iteration with a frozen base: sampling, the reference where it is compared, and for every epoch
 * forward, forward again for the layers of a large model, and backward. A group's prompt is computed once.
 */
function iterationFlop(config: RunConfig, { trunk, prefill, head }: PositionFlop, tokens: number): number {
  const { rollout, evaluation, algorithm } = config;
  const sampled = Math.round(tokens * sampledShare);
  const prompt = tokens - sampled;
  const rollouts = rollout.tasks * rollout.group;
  const sampling = (tasks: number, count: number) => tasks * prompt * prefill + count * sampled * (trunk + head);
  const validation = sampling(evaluation.tasks, evaluation.tasks) / evaluation.every;
  const forward = (rollout.tasks * prompt + rollouts * sampled) * trunk + rollouts * sampled * head;
  const references = algorithm.klCoefficient > 0 ? 1 : 0;
  return sampling(rollout.tasks, rollouts) + validation + (references + 3 * algorithm.epochs) * forward;
}

/** What is trained on. */
export interface Machine {
  readonly name: string;
  readonly memoryBytes: number;
  /** Of its matrix products, as they were measured. */
  readonly gflops: number;
}

/** The bill as a person reads it, a line each. */
export function billLines({ memory, rollouts, fitting, flop, tokens }: ModelBill, machine: Machine): string[] {
  const { weights, trained, optimizer, cache, activations, total } = memory;
  const parts = [
    `weights ${formatBytes(weights)}`,
    `adapter ${formatBytes(trained)}`,
    `its gradients and moments ${formatBytes(optimizer)}`,
    `key/value cache of ${rollouts} rollouts ${formatBytes(cache)}`,
    `activations ${formatBytes(activations)}`,
  ];
  return [
    `Memory: ${formatBytes(total)} (${parts.join(', ')}).`,
    fitLine(fitting, memory, machine),
    `An iteration: about ${formatAbout(flop / machine.gflops / 1e6)} on ${machine.name} if a rollout has ` +
      `${tokens} tokens (${(flop / 1e12).toPrecision(2)} TFLOP at ${Math.round(machine.gflops)} GFLOP/s).`,
  ];
}

function fitLine(fitting: number, { total }: MemoryParts, { name, memoryBytes }: Machine): string {
  if (total <= memoryBytes) return `Up to ${fitting} rollouts at once fit.`;
  const room = `That does not fit: ${name} can hold ${formatBytes(memoryBytes)}`;
  if (fitting === 0) return `${room}, too little for a single rollout. Shorten the context, or choose a smaller model.`;
  return `${room}, which is enough for ${fitting} rollouts at once. Lower tasks, group and evalTasks.`;
}
