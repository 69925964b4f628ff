/**
 * Two tasks so small that every algorithm must solve them in seconds, on the real device, and a policy to begin them
 * with: one that writes well-formed actions and chooses evenly. What pays is never in its demonstrations.
 */
import { expect } from 'vitest';
import type { EnvironmentDescription } from '../../src/agent/env';
import { quietHooks } from '../../src/cli/recorded-start';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { Trainer } from '../../src/rl/trainer';
import { PlainSandbox, type Guest } from '../agent/plain-sandbox';
import { testDevice } from './devices';
import { config } from './trajectories';

const description: EnvironmentDescription = {
  title: 'Lesson',
  task: 'Choose.',
  watch: 'Success.',
  tools: [
    {
      name: 'go',
      description: 'one step',
      parameters: {
        type: 'object',
        properties: { way: { type: 'string' } },
        required: ['way'],
        additionalProperties: false,
      },
    },
  ],
  rewards: { right: { description: 'It paid.', weight: 1 } },
  options: [],
  alphabet: 'ab.',
  examples: [],
};

const letter = (index: number, bit: number): string => ((index >> bit) & 1 ? 'b' : 'a');
/** Evenly mixed bits of an integer. */
const mixed = (index: number): number => Math.imul(index ^ (index >>> 7), 0x9e3779b1) >>> 8;
const choices = (index: number, count: number): string[] =>
  Array.from({ length: count }, (_, bit) => letter(mixed(index), bit));

const tasks = (data: (index: number) => object) =>
  (({ start, count }) =>
    Array.from({ length: count }, (_, i) => ({
      id: `t${start + i}`,
      prompt: '.',
      data: data(start + i),
    }))) satisfies Guest['tasks'];

/** One step, two arms: `a` pays in 9 tasks of 10, `b` in 1 of 10. Which, the task alone knows. */
const bandit: Guest = {
  describe: () => description,
  tasks: tasks((index) => ({ index, a: mixed(index) % 10 > 0 ? 1 : 0, b: mixed(index + 1e6) % 10 > 0 ? 0 : 1 })),
  execute: () => '.',
  reward: ({ task, answer }) => ({ terms: { right: task.data[answer] ?? 0 }, success: answer === 'a' }),
  demonstrate: ({ task }) => [{ answer: choices(task.data.index, 1)[0] }],
};

/** Three choices in three steps, a reward only at the end and only if all were right: `a`, then `b`, then `a`. */
const threeSteps: Guest = {
  describe: () => description,
  tasks: tasks((index) => ({ index })),
  execute: () => '.',
  reward({ answer, steps }) {
    const ways = steps.flatMap((step: { toolCalls: { arguments: { way: string } }[] }) =>
      step.toolCalls.map((call) => call.arguments.way),
    );
    const right = ways.join('') === 'ab' && answer === 'a';
    return { terms: { right: right ? 1 : 0 }, success: right };
  },
  demonstrate({ task }) {
    const [first, second, last] = choices(task.data.index, 3);
    return [first, second]
      .map((way) => ({ calls: [{ name: 'go', arguments: { way } }] }) as object)
      .concat({ answer: last });
  },
};

export const lessons = { bandit, threeSteps } as const;

/** Iterations of 8 tasks × 8 rollouts within which a lesson must be learned. */
const budget = { bandit: 15, threeSteps: 36 } as const;

/** Success of sampled rollouts at which a lesson counts as learned; both can be solved always. */
export const solved = 0.95;

/** A plain, fast run of a lesson. */
export const lessonConfig: RunConfig = parseConfig({
  ...config,
  environment: { name: 'lesson', options: {} },
  iterations: 100,
  model: { ...config.model, layers: 1, width: 32, heads: 2, kvHeads: 2, mlpWidth: 32, context: 48 },
  warmStart: { ...config.warmStart, steps: 60, learningRate: 1e-2 },
  algorithm: { ...config.algorithm, entropyCoefficient: 0.02 },
  rollout: { ...config.rollout, tasks: 8, group: 8, maxTurns: 3, maxTokens: 3 },
  optimizer: { ...config.optimizer, learningRate: 2e-3 },
  rewards: { right: 1 },
  evaluation: { tasks: 1, every: 1000 },
});

/** Weights after imitation, by lesson, seed and device: all algorithms begin with the same. */
const beginnings = new Map<string, Promise<Map<string, Float32Array>>>();

async function imitate(name: keyof typeof lessons, seed: number): Promise<Map<string, Float32Array>> {
  const teacher = await beginner(name, { ...lessonConfig, seed });
  await teacher.warmStart();
  const weights = await teacher.store.read(teacher.store.value);
  teacher.destroy();
  return weights;
}

/** A trainer of a lesson that has learned nothing yet. */
export async function beginner(name: keyof typeof lessons, config: RunConfig): Promise<Trainer> {
  return Trainer.create(await testDevice(), new PlainSandbox(lessons[name]), config, '', quietHooks);
}

/** A trainer of a lesson, its imitation behind it. */
export async function lessonTrainer(name: keyof typeof lessons, config: RunConfig): Promise<Trainer> {
  const trainer = await beginner(name, config);
  const key = `${name} ${config.seed} ${trainer.device.adapter.name}`;
  if (!beginnings.has(key)) beginnings.set(key, imitate(name, config.seed));
  trainer.store.write(trainer.store.value, await beginnings.get(key)!);
  await trainer.learner.setReference();
  trainer.progress.warm = true;
  return trainer;
}

/** Share of rollouts that succeeded in each iteration, until nearly all of them do or the budget is spent. */
export async function successes(name: keyof typeof lessons, config: RunConfig, iterations: number): Promise<number[]> {
  const trainer = await lessonTrainer(name, config);
  const curve: number[] = [];
  while (curve.length < iterations && !(curve.at(-1)! >= solved)) curve.push((await trainer.iterate()).metrics.success);
  trainer.destroy();
  return curve;
}

/** What `npm test` waits for where a lesson is long: an algorithm without a critic, and one with a critic. */
export const withAndWithoutCritic: readonly RunConfig['algorithm']['name'][] = ['reinforce-pp', 'ppo'];

/** An algorithm begins a lesson as a beginner and solves it within the budget, on each seed. */
export async function learns(
  lesson: keyof typeof lessons,
  name: RunConfig['algorithm']['name'],
  seeds: readonly number[],
): Promise<void> {
  for (const seed of seeds) {
    const config = withAlgorithm({ ...lessonConfig, seed }, name);
    // One success in eight rollouts is too little for a critic to learn from: a longer warm-up only spends iterations.
    const briefly = { ...config, critic: { ...config.critic, warmup: 1 } };
    const curve = await successes(lesson, briefly, budget[lesson]);
    expect(curve[0], 'success at first').toBeLessThan(0.75);
    expect(curve.at(-1), `seed ${seed}: ${inWords(curve)}`).toBeGreaterThanOrEqual(solved);
  }
}

/** The mistake `creditReset` keeps REINFORCE++ from learning the three steps. */
export async function neverLearnsWithCreditReset(seeds: readonly number[]): Promise<void> {
  for (const seed of seeds) {
    const config = withAlgorithm({ ...lessonConfig, seed }, 'reinforce-pp');
    const mistaken = { ...config, mistakes: { ...config.mistakes, creditReset: true } };
    const curve = await successes('threeSteps', mistaken, budget.threeSteps);
    expect(Math.max(...curve), inWords(curve)).toBeLessThan(0.5);
  }
}

const inWords = (curve: readonly number[]): string => curve.map((value) => value.toFixed(2)).join(' ');
