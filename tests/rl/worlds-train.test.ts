/**
 * Flows, windows and summaries through the whole loop: what is trained on are exactly the prompts that were sampled
 * from. The proof: right after sampling, the trainer's log-probability of every sampled token is the sampler's, to the
 * bit, so the policy has not moved.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Trajectory } from '../../src/agent/types';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import { sdkSource } from '../../src/environments/built-in';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { presetByName } from '../../src/config/presets';
import { trajectorySegments } from '../../src/rl/learner/segments';
import type { Metrics } from '../../src/rl/report';
import { Trainer } from '../../src/rl/trainer';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { onBothDevices, testDevice } from '../helpers/devices';

/** Adds up numbers that it is shown one by one; `next` shows the next, and the last one ends the episode. */
const module = (more = ''): string => `
import { tool, string } from 'agentlet';
export const meta = { title: 'Sum', task: 'Count.', watch: 'Turns.',
  rewards: { right: { description: 'Turns.', weight: 1 }, tool: { description: 'Shown.', weight: 0.1 } },
  options: [], alphabet: '0123456789 ', words: ['more', 'seen'], examples: [] };
export const tools = [tool({ name: 'next', description: 'Shows the next.', arguments: { word: string('Any word.') },
  execute(args, { task, state }) {
    const at = (state ?? 0) + 1;
    return { text: 'seen ' + task.data[at % 4], reward: Math.random(), state: at, done: at === 6 };
  } })];
export const start = (task) => ({ text: 'seen ' + task.data[0], state: 0 });
export const tasks = (rng) => {
  const data = [1, 2, 3, 4].map(() => rng.integer(0, 9));
  return { prompt: data.join(' '), data };
};
export const reward = ({ state }) => ({ success: state === 6, right: Math.random() });
export const demonstrate = () => Array.from({ length: 6 }, () => ({ calls: [{ name: 'next', arguments: { \
word: 'more' } }] }));
${more}`;

const summary = `export const summary = (messages, state) => 'seen ' + (state ?? 0);`;
const context =
  `export const context = (messages) => [messages[0], ...messages.slice(-2), { role: 'tool', content: 'more' ` + `}];`;
const flow = `export function* flow(task, { call }) {
  const said = [];
  let seen = '0';
  for (;;) {
    said.push(yield [{ role: 'user', content: task.prompt }, ...said.slice(-1), { role: 'tool', content: seen }]);
    seen = call('next', { word: 'more' });
  }
}`;

const base = presetByName('calculator-mini').config;

function configOf(source: string, rule: RunConfig['context']['rule']): RunConfig {
  return parseConfig({
    ...base,
    environment: { name: 'sum', options: {}, source },
    rewards: {},
    iterations: 1,
    model: { ...base.model, layers: 1, width: 32, mlpWidth: 32, context: 160 },
    text: { ...base.text, tokenizer: 'word' },
    warmStart: { ...base.warmStart, demonstrations: 16, steps: 30, batch: 8 },
    algorithm: { ...base.algorithm, miniBatches: 1, epochs: 1 },
    context: { rule, exchanges: 2, budget: 40 },
    rollout: { ...base.rollout, tasks: 3, group: 4, maxTurns: 14, maxTokens: 10 },
    evaluation: { tasks: 4, every: 1 },
  });
}

let binary: WebAssembly.Module;
beforeAll(async () => {
  binary = await compileQuickJs();
});

async function trainOnce(config: RunConfig): Promise<{ metrics: Metrics; trajectories: readonly Trajectory[] }> {
  const source = config.environment.source!;
  let trajectories: readonly Trajectory[] = [];
  const sandbox = new LocalSandbox({ binary, sdk: sdkSource });
  const trainer = await Trainer.create(await testDevice(), sandbox, config, source, {
    ...quietHooks,
    onLearned: (learned) => (trajectories = learned.trajectories),
  });
  await trainer.warmStart();
  const { metrics } = await trainer.iterate();
  trainer.destroy();
  return { metrics, trajectories };
}

onBothDevices(() => {
  test.each<[string, string, RunConfig['context']['rule']]>([
    ['everything', module(), 'append'],
    ['a window', module(), 'window'],
    ['a summary by the environment', module(summary), 'summary'],
    ['a summary by the policy', module(summary), 'policy-summary'],
    ['the environment’s own context', module(context), 'environment'],
    ['a flow', module(flow), 'auto'],
  ])('%s is trained on the prompts that were sampled from', async (name, source, rule) => {
    const { metrics, trajectories } = await trainOnce(configOf(source, rule));
    expect(metrics.environmentFailures).toBe(0);
    expect(metrics.trainedTokens).toBe(metrics.sampledTokens);
    expect(metrics.diagnostics?.shift).toBe(0);
    const segments = trajectories.flatMap((each, i) => trajectorySegments(each, i, true));
    const steps = trajectories.flatMap((each) => each.steps);
    if (rule !== 'append') expect(segments.length).toBeGreaterThan(trajectories.length);
    else expect(segments).toHaveLength(trajectories.length);
    const asked = steps.filter(({ observation }) => observation.summary);
    expect(asked.length > 0).toBe(rule === 'policy-summary');
    // Every step's prompt and action stand in one segment, token for token.
    trajectories.forEach((trajectory, i) => {
      const rows = segments.filter((each) => each.trajectory === i).map(({ tokens }) => [...tokens].join(' '));
      for (const { prompt, action } of trajectory.steps) {
        const whole = [...prompt, ...action.tokens].join(' ');
        expect(
          rows.some((row) => row === whole || row.startsWith(`${whole} `)),
          name,
        ).toBe(true);
      }
    });
  });
});
