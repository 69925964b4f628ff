/** What `env check` measures: two plays, rewards, lengths, fuel, and tasks that are in two splits. */
import { expect, test } from 'vitest';
import { measureEnvironment } from '../../src/environment-check/measure';
import type { ReportLine } from '../../src/environment-check/report';
import { presetByName } from '../../src/config/presets';
import { emptySandbox, moduleOf, ownConfig, parts } from '../environments/own';

const size = { episodes: 50, tasks: 200 };
const measure = async (source: string) => measureEnvironment(ownConfig(source), await emptySandbox(), size);
const of = (kind: string, lines: readonly ReportLine[]) =>
  lines.filter((line) => line.kind === kind).map(({ text }) => text);
/** Nothing is decided in this world: the price is looked up and said. */
const solvedByReflex =
  'A reflex solves 200 of 200 validation tasks: ' +
  'it does what the oracle does most often, at a prompt or after a result.';
const policies = `
export const policies = {
  oracle: demonstrate,
  random: () => [{ answer: String(Math.floor(Math.random() * 90) + 10) }],
};`;

test('50 episodes of the oracle and of random play: success, rewards, lengths and fuel', async () => {
  const lines = await measure(moduleOf() + policies);
  expect(of('problem', lines)).toEqual([]);
  expect(of('note', lines)).toEqual([solvedByReflex]);
  const said = of('good', lines);
  expect(said).toContain('The oracle: solves 50 of 50; reward 1.1.');
  expect(said).toContainEqual(
    expect.stringMatching(/^The oracle: turns 2; tokens written \d+; tokens of an episode \d+ to \d+, mean [\d.]+\.$/),
  );
  const fuel =
    /^The oracle: fuel of a call (\d+) to (\d+), mean (\d+), the limit is 2000000; of an episode (\d+) to (\d+), mean (\d+), the limit is 200000000\.$/;
  const [, least, most, mean, shortest, longest] = said.flatMap((text) => fuel.exec(text) ?? []).map(Number);
  expect(least).toBeLessThan(mean);
  expect(mean).toBeLessThan(most);
  expect(shortest).toBeGreaterThan(most);
  expect(longest).toBeLessThan(3 * most);
  expect(said).toContain('The oracle, 50 episodes: a second play gave the same.');
  expect(said).toContain('Random play, 50 episodes: a second play gave the same.');
  expect(said).toContainEqual(expect.stringMatching(/^Random play: solves \d of 50; reward 0(\.| to 1,)/));
  expect(said).toContain('No id and no prompt is in two splits, of 200 tasks of each.');
});

test('without a random policy it says why it plays none; without an oracle it plays the demonstrations', async () => {
  const lines = await measure(moduleOf());
  expect(of('note', lines)).toEqual(['No random play: the module exports no policies.random.', solvedByReflex]);
  expect(of('good', lines)).toContain('The demonstration: solves 50 of 50; reward 1.1.');
});

test('an id in two splits is a problem, a prompt under two ids a note', async () => {
  const meta = `${parts.options} outOfDistribution: 'The days are later.',`;
  const ids = await measure(
    moduleOf({ options: meta, tasks: parts.tasks.replace('return {', "return { id: thing + ' ' + day,") }),
  );
  expect(of('problem', ids)).toEqual([
    expect.stringMatching(/^\d+ ids are in train and out-of-distribution, such as "[a-z]{3} \d+"\.$/),
    expect.stringMatching(/^\d+ ids are in validation and out-of-distribution, /),
  ]);
  const prompts = await measure(moduleOf({ tasks: parts.tasks.replace('prompt: thing', "prompt: 'it'") }));
  expect(of('problem', prompts)).toEqual([]);
  expect(of('note', prompts)).toContainEqual(
    expect.stringMatching(/^\d+ prompts are in train and validation, with other ids, such as "it on day \d+"\.$/),
  );
});

test('a task that depends on its place in a request is told', async () => {
  const counted = parts.tasks.replace('rng.integer(1, 99)', '(globalThis.n = (globalThis.n ?? 0) + 1) % 99');
  const lines = await measure(moduleOf({ tasks: counted }));
  expect(of('note', lines)).toContainEqual(expect.stringMatching(/^Task \d+ is another one when it is drawn alone/));
});

test('a script that cannot be played is a problem, and the other is played', async () => {
  const lines = await measure(`${moduleOf()}
export const policies = { oracle: demonstrate, random: () => { throw new Error('no idea'); } };`);
  expect(of('problem', lines)).toEqual([expect.stringMatching(/^Random play: .*no idea \(environment\.js:\d+:\d+\)/)]);
  expect(of('good', lines)).toContain('The oracle: solves 50 of 50; reward 1.1.');
});

test('right answers that stand in the prompt are counted', async () => {
  const lines = await measureEnvironment(presetByName('multi-hop').config, await emptySandbox(), size);
  expect(of('good', lines)).toContain('The right answer stands in the prompt of 0 of 50 tasks.');
});
