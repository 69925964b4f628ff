/** An environment as its author writes it, right or wrong, and what the check of it says. */
import { compileQuickJs } from '../../src/cli/quickjs';
import { sdkSource } from '../../src/environments/built-in';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { checkEnvironment } from '../../src/environment-check/check';
import type { EnvironmentReport } from '../../src/environment-check/report';
import { presetByName } from '../../src/config/presets';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';

export async function emptySandbox(): Promise<LocalSandbox> {
  return new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
}

/** A config of the calculator's preset for an environment of this source. */
export function ownConfig(source: string, change: (config: RunConfig) => RunConfig = (config) => config): RunConfig {
  const { config } = presetByName('calculator');
  return parseConfig(change({ ...config, environment: { name: 'own', options: {}, source }, rewards: {} }));
}

export async function check(source: string, change?: (config: RunConfig) => RunConfig): Promise<EnvironmentReport> {
  return checkEnvironment(ownConfig(source, change), await emptySandbox());
}

/** A sound module: look up the price of a thing, then say it. Each part can be replaced by a wrong one. */
export const parts = {
  import: `import { string, tool, ToolError } from 'agentlet';`,
  data: `const things = ['axe', 'bow', 'cap', 'dye', 'elm', 'fig', 'gem', 'hat'];
const price = (thing, day) => (things.indexOf(thing) * 7 + day * 13) % 90 + 10;`,
  title: `title: 'Shop',`,
  texts: `task: 'Say what a thing costs.', watch: 'The call.',`,
  rewards:
    `rewards: { exact: { description: 'The price is right.', weight: 1 }, tool: { description: 'A price was ` +
    `looked up.', weight: 0.1 } },`,
  options: `options: [],`,
  alphabet: `alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 ',`,
  examples: `examples: ['axe on day 3'],`,
  execute: `execute: ({ thing }, { task }) => {
      if (!things.includes(thing)) throw new ToolError('no such thing');
      return { text: String(price(thing, task.data.day)), reward: 1 };
    },`,
  tasks: `export function tasks(rng) {
  const [thing, day] = [rng.pick(things), rng.integer(1, 99)];
  return { prompt: thing + ' on day ' + day, data: { thing, day } };
}`,
  reward: `export function reward({ task, answer }) {
  const success = answer === String(price(task.data.thing, task.data.day));
  return { success, exact: success ? 1 : 0 };
}`,
  demonstrate: `export function demonstrate(task) {
  const { thing, day } = task.data;
  return [{ calls: [{ name: 'look', arguments: { thing } }] }, { answer: String(price(thing, day)) }];
}`,
};

export function moduleOf(changed: Partial<typeof parts> = {}): string {
  const p = { ...parts, ...changed };
  return `${p.import}
${p.data}
export const meta = { ${p.title} ${p.texts}
  ${p.rewards}
  ${p.options} ${p.alphabet} ${p.examples}
};
export const tools = [
  tool({
    name: 'look',
    description: 'Looks up what a thing costs.',
    arguments: { thing: string('A thing') },
    ${p.execute}
  }),
];
${p.tasks}
${p.reward}
${p.demonstrate}
`;
}
