/** A conversation: what is read of an answer, and that one question is answered at a time. */
import { expect, test } from 'vitest';
import { Chat, partsToShow, type ChatPart, type ChatTurn } from '../../src/ui/state/run/chat.svelte';

const said = (text: string): ChatPart => ({ type: 'text', text });
const call: ChatPart = { type: 'tool', call: { name: 'add', arguments: {} } as never };
const turn = (parts: readonly ChatPart[], answer: ChatTurn['answer']): ChatTurn => ({
  id: 0,
  question: '',
  agent: '',
  solved: null,
  problem: null,
  parts,
  answer,
});

test('a text that became a call, or the answer, is not shown twice', () => {
  const shown = (parts: readonly ChatPart[], answer: ChatTurn['answer']) =>
    partsToShow(turn(parts, answer)).map((part) => (part.type === 'text' ? part.text : part.type));
  expect(shown([said('add(1)'), call, said('2')], '2')).toEqual(['tool']);
  expect(shown([said('add(1)'), call, said('2')], undefined), 'it is still being written').toEqual(['tool', '2']);
  expect(shown([said('add(1)'), call, said('2')], null), 'it was no answer').toEqual(['tool', '2']);
  expect(shown([said('first'), said('second')], 'second')).toEqual(['first']);
  expect(shown([said(' '), call], null)).toEqual(['tool']);
  expect(shown([said(' '), said('\n')], undefined)).toEqual([]);
});

test('a question is answered by its own events, and an end without an answer is one', async () => {
  const chat = new Chat();
  let end = (): void => undefined;
  const asked = chat.ask('2+2?', 'agent', (listener) => {
    listener({ type: 'text', text: '4' });
    return new Promise((resolve) => (end = resolve));
  });
  expect([chat.busy, chat.turns.at(-1)?.parts]).toEqual([true, [said('4')]]);
  end();
  await asked;
  expect([chat.busy, chat.turns.at(-1)?.answer]).toEqual([false, null]);
  await chat.ask('again', 'agent', async (listener) =>
    listener({ type: 'done', answer: '4', solved: true, end: 'answer' }),
  );
  expect(chat.turns.map(({ answer }) => answer)).toEqual([null, '4']);
});

test('what the agent saw is told from what it wrote', async () => {
  const chat = new Chat();
  const images = [{}] as never;
  await chat.ask('2+2?', 'agent', async (listener) => {
    listener({ type: 'seen', text: 'a picture', images });
    listener({ type: 'text', text: '4' });
    listener({ type: 'done', answer: '4', solved: true, end: 'answer' });
  });
  expect(chat.turns[0].parts).toEqual([{ type: 'seen', text: 'a picture', images }, said('4')]);
});

test('it is busy while its last question has no answer, whatever came before', async () => {
  const chat = new Chat();
  expect([chat.busy, chat.forgotten]).toEqual([false, 0]);
  await chat.ask('first', 'agent', async (listener) =>
    listener({ type: 'done', answer: '4', solved: null, end: 'answer' }),
  );
  void chat.ask('second', 'agent', () => new Promise(() => undefined));
  expect([chat.busy, chat.turns.map(({ id }) => id)]).toEqual([true, [0, 1]]);
  await chat.ask('third', 'agent', () => Promise.reject(new Error('It is gone.')));
  expect([chat.busy, chat.turns.at(-1)!.problem]).toEqual([false, 'It is gone.']);
});
