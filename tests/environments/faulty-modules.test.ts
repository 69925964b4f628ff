/**
 * Modules with one mistake each, as authors make them: every one ends in a sentence that names what is wrong and where.
 */
import { expect, test } from 'vitest';
import type { ReportLine } from '../../src/environment-check/report';
import { check, moduleOf, ownConfig, parts } from './own';

/** Reasons not to train, or why the module cannot be loaded. */
async function problemsOf(source: string, kind: ReportLine['kind'] = 'problem'): Promise<string[]> {
  try {
    const { lines } = await check(source);
    return lines.filter((line) => line.kind === kind).map(({ text }) => text);
  } catch (error) {
    return [(error as Error).message];
  }
}

const execute = (body: string) => ({ execute: `execute: ({ thing }, { task }) => { ${body} },` });
const reward = (body: string) => ({ reward: `export function reward({ task, answer, steps }) { ${body} }` });
const tasks = (body: string) => ({ tasks: `export function tasks(rng) { ${body} }` });
const demonstrate = (body: string) => ({
  demonstrate: `export function demonstrate(task) { const { thing, day } = task.data; ${body} }`,
});
const line = String.raw`\(environment\.js:\d+(:\d+)?\)`;
const fails = (who: string) => `${who}: the environment failed in \\d+ of 32 episodes: `;

const mistakes: [name: string, source: string, sentence: RegExp][] = [
  ['a syntax error', moduleOf({ data: 'const things = [;' }), RegExp(`cannot be loaded: SyntaxError: .* ${line}`)],
  [
    'TypeScript',
    moduleOf({ tasks: 'export function tasks(rng: Random) { return { prompt: "" }; }' }),
    RegExp(`SyntaxError: .* ${line}`),
  ],
  [
    'a throw at the top',
    moduleOf({ data: 'throw new Error("no data");' }),
    RegExp(`cannot be loaded: Error: no data ${line}`),
  ],
  ['a loop at the top', moduleOf({ data: 'for (;;);' }), /cannot be loaded: it was stopped \(fuel\)/],
  ['a name that is not defined', moduleOf({ data: 'const things = stuff;' }), RegExp(`stuff is not defined ${line}`)],
  [
    'an import of Node',
    moduleOf({ data: "import 'node:fs';" }),
    /could not load module 'node:fs'.*; it can import agentlet, agentlet\/search/,
  ],
  [
    'an import of a package',
    moduleOf({ import: "import _ from 'lodash';" }),
    /could not load module 'lodash'.*; it can import agentlet, /,
  ],
  [
    'a name that agentlet does not export',
    moduleOf({ import: "import { tools } from 'agentlet';" }),
    /cannot be loaded: SyntaxError: .*tools/,
  ],
  ['CommonJS', 'module.exports = { meta: {} };', RegExp(`module is not defined ${line}`)],
  [
    'no meta',
    'export const tools = []; export const tasks = () => 1; export const reward = () => 1;',
    /the module must export meta/,
  ],
  ['no reward', moduleOf({ reward: '' }), /the module must export reward/],
  ['no tasks', moduleOf({ tasks: '' }), /the module must export tasks/],
  [
    'no demonstrate',
    moduleOf({ demonstrate: '' }),
    /exports no demonstrate; export one, or train without imitation: --scratch/,
  ],
  ['no reward terms', moduleOf({ rewards: 'rewards: {},' }), /meta\.rewards must declare at least one reward term/],
  [
    'a misspelt field',
    moduleOf({ title: "titel: 'Shop'," }),
    /meta has a field "titel", which is not known; did you mean title\?/,
  ],
  [
    'a field too many',
    moduleOf({ title: "title: 'Shop', difficulty: 3," }),
    /meta has a field "difficulty", .* it may have title, task, watch/,
  ],
  ['a missing field', moduleOf({ alphabet: '' }), /^meta lacks alphabet\.$/],
  ['a field of another type', moduleOf({ title: 'title: 5,' }), /^meta\.title is not as expected: .*string/],
  [
    'a term without a weight',
    moduleOf({ rewards: "rewards: { exact: { description: 'Right.' } }," }),
    /^meta\.rewards\.exact(\.weight)? is not as expected: .*weight/,
  ],
  [
    'a default that is no value',
    moduleOf({
      options: "options: [{ name: 'size', title: 'Size', description: 'Of it.', values: [1, 2], default: 3 }],",
    }),
    /option size has the default 3/,
  ],
  [
    'console',
    moduleOf(tasks("console.log('x'); return { prompt: 'a' };")),
    RegExp(`tasks failed: ReferenceError: .*console.* ${line}`),
  ],
  [
    'tasks that return text',
    moduleOf(tasks("return 'axe';")),
    /tasks returned a string; it must return \{ prompt, data \}/,
  ],
  [
    'asynchronous tasks',
    moduleOf({ tasks: parts.tasks.replace('function', 'async function') }),
    /tasks returned a promise; .*synchronous/,
  ],
  ['a loop in tasks', moduleOf(tasks('for (;;);')), /tasks failed: The environment was stopped: it used up its fuel/],
  [
    'too few tasks',
    moduleOf(tasks("return { prompt: 'axe on day 1', data: { thing: 'axe', day: 1 } };")),
    /needs more different tasks/,
  ],
  [
    'a number as id',
    moduleOf(tasks("return { id: rng.integer(1, 9999), prompt: 'axe' };")),
    /tasks gave something else than expected at 0\.id/,
  ],
  [
    'a prompt outside the alphabet',
    moduleOf({ tasks: parts.tasks.replace("' on day '", "' Çost '") }),
    /^meta\.alphabet lacks characters of prompts: "Ç" \(U\+00C7\)\.$/,
  ],
  [
    'a tool result outside the alphabet',
    moduleOf(execute("return price(thing, task.data.day) + ' €';")),
    /^meta\.alphabet lacks characters of tool results: "€" \(U\+20AC\)\.$/,
  ],
  [
    'a tool that returns a number',
    moduleOf(execute('return price(thing, task.data.day);')),
    /tool look returned \d+; it must return text/,
  ],
  [
    'a tool that returns nothing',
    moduleOf(execute('price(thing, task.data.day);')),
    /tool look returned undefined; it must return text/,
  ],
  ['an asynchronous tool', moduleOf(execute('return Promise.resolve("9");')), /tool look returned a promise/],
  [
    'a tool that throws',
    moduleOf(execute('return thing.price.text;')),
    RegExp(`a tool failed in 32 calls: TypeError: .* ${line}`),
  ],
  [
    'a tool that never ends',
    moduleOf(execute('for (;;);')),
    RegExp(`${fails('The demonstration')}The environment was stopped: it used up its fuel`),
  ],
  [
    'a tool reward that is not declared',
    moduleOf({ rewards: "rewards: { exact: { description: 'Right.', weight: 1 } }," }),
    RegExp(`${fails('The demonstration')}The tool look gave a reward, and meta\\.rewards declares no term "tool"`),
  ],
  [
    'a tool reward that is NaN',
    moduleOf(execute("return { text: '9', reward: NaN };")),
    /returned NaN as its reward; it must be a finite number/,
  ],
  [
    'a reward that throws',
    moduleOf(reward('return task.price.exact;')),
    RegExp(`${fails('The demonstration')}TypeError: .* ${line}`),
  ],
  [
    'a reward that throws without an answer',
    moduleOf(reward('return { success: answer.length > 0, exact: 1 };')),
    RegExp(`${fails('No answer')}TypeError: .* ${line}`),
  ],
  [
    'an asynchronous reward',
    moduleOf({ reward: parts.reward.replace('function', 'async function') }),
    RegExp(`${fails('The demonstration')}TypeError: reward returned a promise; .*without async and await`),
  ],
  [
    'a reward that is NaN',
    moduleOf(reward('return { success: false, exact: Number("x") };')),
    RegExp(`${fails('The demonstration')}TypeError: reward returned NaN for exact; it must be`),
  ],
  [
    'a reward term that is not declared',
    moduleOf(reward('return { success: true, exact: 1, speed: 1 };')),
    /reward returned speed, which meta\.rewards does not declare; it declares exact, tool/,
  ],
  [
    'a reward that gives the term of the tools',
    moduleOf(reward('return { success: true, exact: 1, tool: 1 };')),
    /reward returned tool, a term that only what tools return counts under/,
  ],
  [
    'a reward without success',
    moduleOf(reward('return { exact: 1 };')),
    /returned an object with exact; it must return \{ success, … \}, with success true or false and numbers for the terms exact, tool/,
  ],
  [
    'a reward that returns nothing',
    moduleOf(reward('answer === "1";')),
    /reward returned undefined; it must return \{ success, … \}/,
  ],
  [
    'a reward that is true or false',
    moduleOf(reward('return answer === "1";')),
    /reward returned a boolean; it must return \{ success, … \}/,
  ],
  [
    'a reward that is always the same',
    moduleOf({ ...reward('return { success: true, exact: 1 };'), ...execute("return '9';") }),
    /^The reward is 1 in every episode/,
  ],
  [
    'demonstrations longer than the turns',
    moduleOf(
      demonstrate(
        "return [...things.slice(0, 6).map((thing) => ({ calls: [{ name: 'look', arguments: { thing } }] " +
          "})), { answer: '1' }];",
      ),
    ),
    /does not fit\. It takes 7 turns, with the answer; rollout\.maxTurns is 4\./,
  ],
  [
    'a turn too long',
    moduleOf(demonstrate("return [{ answer: 'a'.repeat(40) }];")),
    /A turn takes 42 tokens; rollout\.maxTokens is 12\./,
  ],
  [
    'a demonstration without an end',
    moduleOf(demonstrate("return [{ calls: [{ name: 'look', arguments: { thing } }] }];")),
    /A demonstration ends after turn 1, and its episode goes on: end it with an answer/,
  ],
  [
    'an answer before the last turn of a demonstration',
    moduleOf(demonstrate("return [{ answer: '1' }, { answer: '2' }];")),
    /goes on after turn 1, which answers/,
  ],
  [
    'a demonstration that is no list',
    moduleOf(demonstrate("return { answer: '1' };")),
    /demonstrate gave something else than expected at the top: .*Array/,
  ],
  [
    'a demonstration that calls another tool',
    moduleOf(demonstrate("return [{ calls: [{ name: 'buy', arguments: { thing } }] }, { answer: '1' }];")),
    /There is no tool called "buy"; there are look/,
  ],
  ['a demonstration outside the alphabet', moduleOf(demonstrate("return [{ answer: '9 €' }];")), /"€" \(U\+20AC\)/],
  [
    'a demonstration that throws',
    moduleOf(demonstrate('return task.turns.length;')),
    RegExp(`demonstrate failed: TypeError: .* ${line}`),
  ],
  [
    'an oracle that is wrong',
    `${moduleOf()}\nexport const policies = { oracle: () => [{ answer: '1' }] };`,
    /^The oracle solves 0 of 32 tasks/,
  ],
  [
    'a parameter with a pattern',
    moduleOf({ import: "const string = () => ({ pattern: 'x' }); import { tool, ToolError } from 'agentlet';" }),
    /parameters\.thing uses "pattern"/,
  ],
];

test.each(mistakes)('%s', async (_, source, sentence) => {
  const problems = await problemsOf(source);
  expect(problems.join('\n')).not.toContain('dispatcher.js');
  expect(problems).toContainEqual(expect.stringMatching(sentence));
});

test.each<[name: string, source: string, sentence: RegExp]>([
  [
    'demonstrations that are wrong',
    moduleOf(demonstrate("return [{ answer: '1' }];")),
    /^The demonstration solves 0 of 32 tasks\. On ".*" it answered "1"/,
  ],
  [
    'a result that is cut',
    moduleOf(execute("return 'a'.repeat(4000);")),
    /^32 tool results are cut or nearly so: the agent is shown 512 characters/,
  ],
  [
    'a tool that refuses a demonstration',
    moduleOf(execute("throw new ToolError('no such thing');")),
    /32 calls were refused; most often look gave "error: no such thing"/,
  ],
  [
    'an answer in the prompt',
    moduleOf({
      ...reward('const success = answer === task.data.thing; return { success, exact: Number(success) };'),
      ...demonstrate('return [{ answer: thing }];'),
    }),
    /^The right answer stands in the prompt of 32 of 32 tasks\.$/,
  ],
  [
    'a term that never varies',
    moduleOf({ ...execute("return '9';") }),
    /^The reward term tool is 0 in every episode of this check\.$/,
  ],
])('%s: a note', async (_, source, sentence) => {
  expect(await problemsOf(source, 'note')).toContainEqual(expect.stringMatching(sentence));
});

test('a source that is too large is refused', () => {
  expect(() => ownConfig(`${moduleOf()}/*${'x'.repeat(70_000)}*/`)).toThrow('environment.source');
});
