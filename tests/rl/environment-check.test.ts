/**
 * The check of an environment: what it says of sound ones, and of what can be wrong with tasks, tools, rewards and
 * scripts.
 */
import { expect, test } from 'vitest';
import { builtInEnvironments } from '../../src/environments/built-in';
import { checkEnvironment } from '../../src/environment-check/check';
import type { EnvironmentReport } from '../../src/environment-check/report';
import { withProposedLimits } from '../../src/lib/proposed-limits';
import type { RunConfig } from '../../src/config/config';
import { presets } from '../../src/config/presets';
import { oracleSuccess } from '../helpers/oracle-success';
import { check, emptySandbox, moduleOf, parts } from '../environments/own';

const of = (kind: string, { lines }: EnvironmentReport) =>
  lines.filter((line) => line.kind === kind).map(({ text }) => text);

test('every preset is sound, and its oracle solves what can be solved', async () => {
  for (const { config } of presets) {
    const report = await checkEnvironment(config, await emptySandbox());
    expect(report.tasks).toBe(32);
    expect(report.solved).toBeGreaterThanOrEqual(32 * oracleSuccess(config.environment.name));
    expect(of('problem', report)).toEqual([]);
  }
  expect(Object.keys(builtInEnvironments)).toContain(presets[0].config.environment.name);
});

test('a sound module has its sizes told against the limits', async () => {
  const report = await check(moduleOf());
  expect(report).toMatchObject({ title: 'Shop', tasks: 32, solved: 32 });
  expect(of('problem', report)).toEqual([]);
  expect(of('good', report)).toEqual([
    'The demonstration solves 32 of 32 tasks. Reinforcement has little left to learn.',
    'The vocabulary has all characters of prompts and tool results.',
    expect.stringMatching(
      /^The demonstration fits: turns 2 of 4, longest turn 5 of 12 tokens, longest prompt 16, longest episode \d+ of 128\.$/,
    ),
  ]);
});

test('what is too long is told with the field that allows more', async () => {
  const report = await check(moduleOf(), (config) => ({
    ...config,
    model: { ...config.model, context: 32 },
    rollout: { ...config.rollout, maxTurns: 1, maxTokens: 4 },
  }));
  expect(of('problem', report)).toEqual([
    'The demonstration does not fit. A turn takes 5 tokens; rollout.maxTokens is 4.',
    'The demonstration does not fit. It takes 2 turns, with the answer; rollout.maxTurns is 1.',
  ]);
  const tight = await check(moduleOf(), (config) => ({ ...config, model: { ...config.model, context: 32 } }));
  expect(of('problem', tight)).toEqual([
    expect.stringMatching(
      /^The demonstration does not fit\. Its last turn has \d+ tokens before it; .*model\.context is 32\.$/,
    ),
  ]);
});

test('a line about a limit says which fields lift it, and with them nothing is too long', async () => {
  const small = (config: RunConfig) => ({
    ...config,
    model: { ...config.model, context: 32 },
    rollout: { ...config.rollout, maxTurns: 1, maxTokens: 4 },
  });
  const { lines } = await check(moduleOf(), small);
  const lifts = lines.flatMap((line) => line.lifts ?? []);
  expect(lifts).toContainEqual({ key: 'tokens', title: 'Tokens a turn', value: 5 });
  expect(lifts).toContainEqual({ key: 'turns', title: 'Turns', value: 2 });
  const lifted = await check(moduleOf(), (config) =>
    withProposedLimits(small(config), Object.fromEntries(lifts.map(({ key, value }) => [key, value]))),
  );
  expect(of('problem', lifted)).toEqual([]);
  const tight = await check(moduleOf(), (config) => ({ ...config, model: { ...config.model, context: 32 } }));
  const [{ lifts: more }] = tight.lines.filter(({ kind }) => kind === 'problem');
  const roomy = await check(moduleOf(), (config) => ({
    ...config,
    model: { ...config.model, context: more!.find(({ key }) => key === 'context')!.value },
  }));
  expect(of('problem', roomy)).toEqual([]);
});

test('a tool that fails is told with its error and its line', async () => {
  const report = await check(moduleOf({ execute: 'execute: ({ thing }) => thing.price.text,' }));
  expect(of('problem', report)).toContainEqual(
    expect.stringMatching(/a tool failed in 32 calls: TypeError: .* \(environment\.js:\d+:\d+\)$/),
  );
});

test('a drawing that is none is told, with who played and what was wrong with it', async () => {
  const drawn = (scene: string) =>
    check(`${moduleOf()}\nexport const draw = (task, state, { success }) => (${scene});`);
  const sound = await drawn('{ width: 9, height: 9, shapes: [] }');
  expect(of('problem', sound)).toEqual([]);
  const bad = await drawn(`{ width: 9, height: 9, shapes: success ? [{ kind: 'blob' }] : [] }`);
  expect(of('problem', bad)).toEqual([
    expect.stringMatching(/^The demonstration: ".* on day \d+": draw gave no scene: at shapes\.0\.kind, /),
  ]);
  const failing = await drawn('task.data.no.where');
  expect(of('problem', failing)).toEqual([expect.stringMatching(/^The demonstration: ".*": .*TypeError: /)]);
});

test.each(['compact', 'hermes'] as const)(
  'a reward that fails without an answer is told, though every script answers (%s)',
  async (toolFormat) => {
    const report = await check(
      moduleOf({
        reward:
          `export const reward = ({ task, answer }) => ({ success: answer.trim() === ` +
          `String(price(task.data.thing, task.data.day)), exact: 1 });`,
      }),
      (config) => ({
        ...config,
        text: { ...config.text, toolFormat },
        model: { ...config.model, context: 1024 },
        rollout: { ...config.rollout, maxTokens: 100 },
      }),
    );
    expect(report.solved).toBe(32);
    expect(of('problem', report)).toEqual([
      expect.stringMatching(
        /^No answer: the environment failed in 32 of 32 episodes: TypeError: .* \(environment\.js:\d+:\d+\)$/,
      ),
    ]);
  },
);

test('nothing of an environment turns a line of the report around', async () => {
  const report = await check(
    moduleOf({
      title: "title: 'Sh\\u202eop\\u0007',",
      demonstrate: "export const demonstrate = () => { throw new Error('a\\u202eb\\nc'); };",
    }),
  );
  expect(report.title).toBe('Sh?op?');
  expect(of('problem', report)).toEqual([expect.stringContaining('Error: a?b c')]);
});

test('characters outside the alphabet are named with the place that has them', async () => {
  const report = await check(
    moduleOf({
      tasks: parts.tasks.replace("' on day '", "' à day '"),
      execute: parts.execute.replace('String(price', "'€' + String(price"),
    }),
  );
  expect(of('problem', report)).toEqual([
    'meta.alphabet lacks characters of prompts: "à" (U+00E0).',
    'meta.alphabet lacks characters of tool results: "€" (U+20AC).',
  ]);
});

test('rewards that never vary, and answers that are given away, are told', async () => {
  const constant = await check(
    moduleOf({ reward: 'export const reward = () => ({ success: true, exact: 1 });', execute: "execute: () => 'ok'," }),
  );
  expect(of('problem', constant)).toEqual([
    'The reward is 1 in every episode, whatever the agent does: nothing can be learned from it.',
  ]);
  const given = await check(
    moduleOf({
      reward: 'export const reward = ({ answer }) => ({ success: answer === "day", exact: answer === "day" ? 1 : 0 });',
      execute: "execute: () => 'ok',",
      demonstrate: 'export const demonstrate = () => [{ answer: "day" }];',
    }),
  );
  expect(of('problem', given)).toEqual([]);
  expect(of('note', given)).toEqual([
    'The reward term tool is 0 in every episode of this check.',
    'The right answer stands in the prompt of 32 of 32 tasks.',
    '"day" is the right answer to 32 of 32 tasks.',
  ]);
});

test('an oracle that solves nothing is a reason not to train', async () => {
  const report = await check(`${moduleOf()}\nexport const policies = { oracle: () => [{ answer: '1' }] };`);
  expect(report.solved).toBe(0);
  expect(of('problem', report)).toEqual([
    expect.stringMatching(/^The oracle solves 0 of 32 tasks\. On ".*" it answered "1", and reward said no\.$/),
  ]);
});
