/** A fitted reflex: what it can tell apart, what it copies, and which worlds it finds out. */
import { expect, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { measureEnvironment } from '../../src/environment-check/measure';
import { act, fitReflex, type Example } from '../../src/environment-check/reflex';
import type { ReportLine } from '../../src/environment-check/report';
import { emptySandbox, ownConfig } from '../environments/own';

const names = ['bara', 'deno', 'fino', 'gora', 'kano', 'lutes'];
const each = <T>(make: (name: string, i: number) => T): T[] => names.map(make);

test('without a look it does what is done most often, and copies a word from where it stands', () => {
  const examples = each((name): Example => ({
    shown: { prompt: `home of ${name} ?`, last: `home of ${name} ?` },
    turn: { calls: [{ name: 'search', arguments: { query: `home ${name}` } }] },
  }));
  const reflex = fitReflex([...examples, { ...examples[0], turn: { answer: 'unknown' } }], 0);
  const shown = { prompt: 'home of sora ?', last: 'home of sora ?' };
  expect(act(reflex, shown, 0)).toEqual({ calls: [{ name: 'search', arguments: { query: 'home sora' } }] });
});

test('by one look at words it tells results apart', () => {
  const of = (last: string, answer: string): Example => ({ shown: { prompt: 'who ?', last }, turn: { answer } });
  const examples = each((name, i) => (i % 2 ? of(`missing home of ${name}`, 'unknown') : of(`home ${name}`, name)));
  const seldomAlone = [...examples, ...examples];
  const reflex = fitReflex(seldomAlone, 1);
  expect(act(reflex, { prompt: 'who ?', last: 'missing home of sora' }, 1)).toEqual({ answer: 'unknown' });
  expect(act(reflex, { prompt: 'who ?', last: 'home sora' }, 1)).toEqual({ answer: 'sora' });
  const right = seldomAlone.filter(({ shown, turn }) => JSON.stringify(act(reflex, shown, 0)) === JSON.stringify(turn));
  expect(right).toHaveLength(names.length);
});

test('what was there fewer than four times is not learned by heart', () => {
  const examples = each((name, i): Example => ({ shown: { prompt: name, last: name }, turn: { answer: `is ${i}` } }));
  const reflex = fitReflex(examples, 4);
  const right = examples.filter(({ shown, turn }) => JSON.stringify(act(reflex, shown, 4)) === JSON.stringify(turn));
  expect(right).toHaveLength(1);
});

/**
 * A desk like the assistant of engine 0.8.0: one of a name, two, or none that tells what is asked for. Its tool says
 * `missing`, so the result's words name the class; without that word, a topic must be compared with the request.
 */
const desk = (notice: string) => `
import { string, tool } from 'agentlet';
const names = ${JSON.stringify(names)};
const topics = ['home', 'office', 'garden', 'lunch'];
const values = ['mill', 'quay', 'park', 'gate', 'church', 'tower'];
export const meta = {
  title: 'Desk', task: 'Answer, ask, or say unknown.', watch: 'The question.',
  rewards: { right: { description: 'Right.', weight: 1 } },
  options: [], alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 .?', examples: ['home of bara ?'],
};
export const tools = [
  tool({ name: 'search', description: 'Shows passages.', arguments: { query: string('A topic and a name') },
    execute: (_, { task }) => task.data.shown }),
  tool({ name: 'ask', description: 'Asks who is meant.', arguments: {}, execute: (_, { task }) => task.data.value }),
];
export function tasks(rng) {
  const [name, kind] = [rng.pick(names), rng.integer(0, 2)];
  const [topic, other] = rng.shuffle([...topics]);
  const [value, another] = rng.shuffle([...values]);
  const told = kind === 2 ? other : topic;
  const texts = [name + ' ' + told + ' ' + value, ...(kind === 1 ? [name + ' ' + topic + ' ' + another] : [])];
  const shown = (kind === 2 ? ${JSON.stringify(notice)} : '') + texts.join(' . ');
  const id = String(rng.integer(0, 1e9));
  return { id, prompt: topic + ' of ' + name + ' ?', data: { name, topic, kind, value, shown } };
}
export function reward({ task: { data }, answer, steps }) {
  const asked = steps.some((step) => step.toolCalls.some(({ name }) => name === 'ask'));
  const success = answer === (data.kind === 2 ? 'unknown' : data.value) && asked === (data.kind === 1);
  return { success, right: success ? 1 : 0 };
}
export function demonstrate({ data }) {
  return [
    { calls: [{ name: 'search', arguments: { query: data.topic + ' ' + data.name } }] },
    ...(data.kind === 1 ? [{ calls: [{ name: 'ask', arguments: {} }] }] : []),
    { answer: data.kind === 2 ? 'unknown' : data.value },
  ];
}
export const policies = { oracle: demonstrate };`;

/** The line that says what a reflex solves, and how many of 200 tasks. */
function found(lines: readonly ReportLine[]): { kind: string; solved: number } {
  const pattern = /^A reflex solves (\d+) of 200 validation tasks: /;
  const [line, ...others] = lines.filter(({ text }) => pattern.test(text));
  expect(others).toEqual([]);
  return { kind: line.kind, solved: Number(pattern.exec(line.text)![1]) };
}

const measure = async (config: Parameters<typeof measureEnvironment>[0]) =>
  found(await measureEnvironment(config, await emptySandbox(), { episodes: 16, tasks: 200 }));

test('a tool whose words name the class is found out, and the same world without these words is not', async () => {
  const told = await measure(ownConfig(desk('missing . ')));
  expect(told.kind).toBe('note');
  expect(told.solved).toBeGreaterThan(190);
  const judged = await measure(ownConfig(desk('')));
  expect(judged.solved).toBeLessThan(150);
});

test('where each condition of a question must be applied, a reflex gets nowhere', async () => {
  const { kind, solved } = await measure(presetByName('table').config);
  expect(kind).toBe('good');
  expect(solved).toBeLessThan(40);
});
