/** The form: what each tool does to a page, when it counts as filled in, and how far careless policies get. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemonstrationTurn } from '../../src/agent/env';
import type { Json, Task } from '../../src/agent/types';
import { mean } from '../../src/lib/mean';
import { OpenEnvironment, type Played } from './open';

interface Field {
  readonly kind: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
}
interface Page {
  readonly asked: string;
  readonly fields: readonly Field[];
  readonly send: string;
  readonly cancel: string;
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 128;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const pages = new Map<string, Page[]>();

beforeAll(async () => {
  environment = await OpenEnvironment.open('form');
  for (const split of splits) {
    const tasks = await environment.draw(split, 5, count);
    drawn.set(split, tasks);
    pages.set(split, await Promise.all(tasks.map(pageOf)));
  }
});

async function pageOf(task: Task): Promise<Page> {
  return (await environment.ask<{ state: Page }>('start', { task: { ...task } })).state;
}

const playAll = (split: string, policy?: string) => environment.playAll(drawn.get(split)!, policy);

const shareSolved = (episodes: readonly Played[]) => mean(episodes.map(({ success }) => Number(success)));
const wordsOf = ({ fields }: Page) => fields.map(({ label }) => label);
const asks = (page: Page, kind: string) => page.asked.split(' ').includes(kind);

const type = (text: string) => ({ calls: [{ name: 'type', arguments: { text } }] });
const select = (text: string) => ({ calls: [{ name: 'select', arguments: { text } }] });
const click = (label: string) => ({ calls: [{ name: 'click', arguments: { label } }] });

/**
 * A task in which a field of each kind is to be filled in, and two boxes are ticked as they should be, on a page that
 * has another field to write into.
 */
async function richTask(): Promise<Task> {
  const prompt = 'city oslo size large gift on news on rules on';
  const ticked: Readonly<Record<string, string>> = { gift: '_', news: 'on', rules: 'on' };
  for (let i = 0; i < 400; i++) {
    const task = { id: 'x', prompt, data: { prompt: `${prompt} ${i}` } };
    const { fields } = await pageOf(task);
    if (fields.some(isOther) && fields.every(({ kind, value }) => (ticked[kind] ?? value) === value)) return task;
  }
  throw new Error('no such page');
}
const isOther = ({ kind }: Field) => kind === 'name' || kind === 'job';

describe('tasks', () => {
  test.each(splits)('in %s two to four things are to do, five or six out of distribution', (split) => {
    const open = pages.get(split)!.map(({ asked, fields }) => {
      const said = asked.split(' ');
      return fields.filter(({ kind, value }) => said.includes(kind) && said[said.indexOf(kind) + 1] !== value).length;
    });
    expect(new Set(open)).toEqual(new Set(split === 'out-of-distribution' ? [5, 6] : [2, 3, 4]));
  });

  test('labels, their order and that of options differ from page to page', () => {
    const all = pages.get('train')!;
    const labels = (kind: string) =>
      new Set(all.flatMap(({ fields }) => fields.filter((each) => each.kind === kind)).map(({ label }) => label));
    expect(labels('city')).toEqual(new Set(['town', 'place', 'home']));
    expect(labels('gift')).toEqual(new Set(['wrap', 'ribbon', 'parcel']));
    const sizes = all.flatMap(({ fields }) => fields).filter(({ kind }) => kind === 'size');
    expect(new Set(sizes.map(({ options }) => options.join(' '))).size).toBe(6);
    expect(new Set(all.map(({ fields }) => fields[0].kind)).size).toBe(9);
    expect(new Set(all.map(({ send }) => send))).toEqual(new Set(['send', 'submit', 'order']));
  });

  test('every page has a field that nobody asks for, and no label twice', () => {
    for (const page of splits.flatMap((split) => pages.get(split)!)) {
      expect(page.fields.some(({ kind }) => !asks(page, kind))).toBe(true);
      expect(new Set(wordsOf(page)).size).toBe(page.fields.length);
    }
  });

  test('no prompt is in two splits', () => {
    const [train, validation, outside] = splits.map((split) => new Set(drawn.get(split)!.map(({ prompt }) => prompt)));
    expect([...validation, ...outside].filter((prompt) => train.has(prompt))).toEqual([]);
    expect([...outside].filter((prompt) => validation.has(prompt))).toEqual([]);
  });
});

describe('a page', () => {
  let task: Task;
  let page: Page;
  let fills: DemonstrationTurn[];
  const labelOf = (kind: string) => page.fields.find((field) => field.kind === kind)!.label;
  beforeAll(async () => {
    task = await richTask();
    page = await pageOf(task);
    fills = [type(`${labelOf('city')} oslo`), select(`${labelOf('size')} large`), click(labelOf('gift'))];
  });
  const play = (...turns: DemonstrationTurn[]) => environment.play(task, turns);
  const complete = { success: true, terms: { right: 1, filled: 1, changed: 0, refused: 0 } };

  test('is right once all that is asked for is filled in, in any order, and sent', async () => {
    const { results, ...ended } = await play(...fills, click(page.send));
    expect(ended).toMatchObject(complete);
    expect(results[0]).toContain(`${labelOf('city')}: oslo`);
    expect(results[1]).toContain(`${labelOf('size')}: large`);
    expect(results[1]).not.toContain('small');
    expect(results[2]).toContain(`${labelOf('gift')}: on`);
    expect(results[3]).toBe('sent');
    expect(await play(fills[2], fills[0], fills[1], click(` ${page.send} `))).toMatchObject(complete);
  });

  test('is wrong if it is sent too early, cancelled or never sent', async () => {
    const early = await play(fills[0], fills[1], click(page.send));
    expect(early).toMatchObject({ success: false, terms: { right: 0, filled: 4 / 5 } });
    const cancelled = await play(...fills, click(page.cancel));
    expect(cancelled).toMatchObject({ success: false, terms: { right: 0, filled: 1 } });
    expect(cancelled.results[3]).toBe('cancelled');
    expect(await play(...fills)).toMatchObject({ success: false, terms: { right: 0 } });
    expect(await play(...fills, { answer: page.send })).toMatchObject({ success: false });
  });

  test('is wrong if anything else was changed, and what was wrong may be mended', async () => {
    const other = page.fields.find(isOther)!;
    const invented = await play(...fills, type(`${other.label} none`), click(page.send));
    expect(invented).toMatchObject({ success: false, terms: { filled: 1, changed: 1 } });
    const mended = [type(`${labelOf('city')} rome`), ...fills, click(page.send)];
    expect(await play(...mended)).toMatchObject(complete);
    const twice = await play(...fills, fills[2], click(page.send));
    expect(twice).toMatchObject({ success: false, terms: { filled: 4 / 5 } });
  });

  test('refuses what it does not have', async () => {
    const refused = [
      type('planet mars'),
      type(labelOf('city')),
      type(''),
      type(`${labelOf('size')} large`),
      select(`${labelOf('size')} huge`),
      select(`${labelOf('city')} oslo`),
      click(labelOf('city')),
      click('constructor'),
    ];
    const { results, terms } = await play(...refused);
    for (const result of results) expect(result).toContain('no such field');
    expect(terms.refused).toBe(refused.length);
  });

  test('is all that the agent is shown beside what is asked for', async () => {
    const [question, shown, ...rest] = await environment.ask<{ role: string; content: string }[]>('context', {
      messages: [{ role: 'user', content: 'long ago' }],
      state: page as unknown as Json,
    });
    expect(question).toEqual({ role: 'user', content: page.asked });
    expect(shown.role).toBe('tool');
    expect(shown.content.split(' | ')).toHaveLength(page.fields.length + 2);
    expect(rest).toEqual([]);
  });
});

describe('a visitor', () => {
  const task = { id: 'x', prompt: 'name anna city oslo', data: { prompt: 'name anna city oslo' } };
  const asked = async (prompt: string) => (await pageOf({ ...task, prompt })).asked;

  test('says what to fill in, by any of the labels', async () => {
    expect(await asked('job pilot news on')).toBe('job pilot news on');
    expect(await asked('  town rome   date friday ')).toBe('city rome day friday');
    expect(await asked('please fill in shade red now')).toBe('colour red');
  });

  test.each(['hello', '', 'city', 'city anna', 'constructor on'])(
    'who says %j gets the page of the task',
    async (said) => {
      expect(await pageOf({ ...task, prompt: said })).toEqual(await pageOf(task));
    },
  );

  test('is served by the oracle', async () => {
    const said = { ...task, prompt: 'town rome date friday wrap on' };
    const turns = await environment.script(said, 1, 'oracle');
    expect(await environment.play(said, turns)).toMatchObject({ success: true });
  });
});

describe('policies', () => {
  test.each(splits)('in %s the oracle solves everything, carelessness three in four at most', async (split) => {
    expect(shareSolved(await playAll(split, 'oracle'))).toBe(1);
    for (const policy of ['reflex', 'forgetful', 'blind', 'eager', 'random'])
      expect(shareSolved(await playAll(split, policy)), policy).toBeLessThan(0.75);
  });

  test('three in five demonstrations leave something out, and few do anything else wrong', async () => {
    const played = await playAll('train');
    expect(shareSolved(played)).toBeGreaterThan(0.2);
    expect(shareSolved(played)).toBeLessThan(0.45);
    expect(mean(played.map(({ terms }) => Number(terms.filled < 1)))).toBeGreaterThan(0.5);
    expect(mean(played.map(({ terms }) => Number(terms.changed > 0)))).toBeLessThan(0.25);
  });
});
