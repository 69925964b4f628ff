import { describe, expect, it } from 'vitest';
import { byteTokenizer } from '../../src/text/byte-tokenizer';
import { characterTokenizer } from '../../src/text/character-tokenizer';
import { showAction } from '../../src/text/chat-template';
import { special, type Tokenizer } from '../../src/text/tokenizer';
import { toolFormats } from '../../src/text/tool-formats/by-name';
import type { ToolFormat, ToolSignature, WrittenCall } from '../../src/text/tool-formats/tool-format';

const { compact, hermes, retool } = toolFormats;
const tokenizer = byteTokenizer();
const end = special['<end>'];

const calc: ToolSignature = {
  name: 'calc',
  description: 'one operation',
  parameters: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
};
const roll: ToolSignature = {
  name: 'roll',
  description: 'a die',
  parameters: { type: 'object', properties: { sides: { type: 'integer' } } },
};
const move: ToolSignature = {
  name: 'move',
  description: 'a step',
  parameters: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } },
};
const look: ToolSignature = {
  name: 'look',
  description: 'what is here',
  parameters: { type: 'object', properties: {} },
};
const tools = [calc, roll, move, look];

const show = (ids: readonly number[]) => ids.map((id) => tokenizer.label(id)).join('');
const say = (text: string) => tokenizer.encode(text);
const parse = (format: ToolFormat, ids: readonly number[], given = tools) => format.parse(ids, given, tokenizer);

describe('compact', () => {
  it.each<[WrittenCall, ToolSignature[], string]>([
    [{ name: 'calc', arguments: { expression: '37*4' } }, [calc], '<call>37*4<end>'],
    [{ name: 'calc', arguments: { expression: '37*4' } }, tools, '<call>calc 37*4<end>'],
    [{ name: 'roll', arguments: { sides: 6 } }, tools, '<call>roll 6<end>'],
    [{ name: 'roll', arguments: { sides: -2.5 } }, [roll], '<call>-2.5<end>'],
    [{ name: 'move', arguments: { x: 1, y: 2 } }, tools, '<call>move {"x":1,"y":2}<end>'],
    [{ name: 'move', arguments: { x: 1, y: 2 } }, [move], '<call>{"x":1,"y":2}<end>'],
    [{ name: 'calc', arguments: { expression: ' two words ' } }, tools, '<call>calc  two words <end>'],
    [{ name: 'calc', arguments: { expression: '' } }, tools, '<call>calc<end>'],
    [{ name: 'look', arguments: {} }, tools, '<call>look<end>'],
    [{ name: 'look', arguments: {} }, [look], '<call><end>'],
    [{ name: 'look', arguments: { at: 'it' } }, tools, '<call>look {"at":"it"}<end>'],
  ])('writes and reads %j', (call, given, text) => {
    const ids = compact.encodeCalls([call], given, tokenizer);
    expect(show(ids)).toBe(text);
    expect(parse(compact, ids, given)).toEqual({ kind: 'calls', calls: [call] });
  });

  it('reads empty arguments that are written out', () => {
    const calls = [{ name: 'look', arguments: {} }];
    expect(parse(compact, [special['<call>'], ...say('look {}'), end])).toEqual({ kind: 'calls', calls });
    expect(parse(compact, [special['<call>'], ...say('{}'), end], [look])).toEqual({ kind: 'calls', calls });
  });

  const mixed: WrittenCall[] = [
    { name: 'calc', arguments: { expression: '37*4' } },
    { name: 'calc', arguments: { expression: '' } },
    { name: 'roll', arguments: { sides: 6 } },
    { name: 'move', arguments: { x: 1, y: -2.5 } },
    { name: 'look', arguments: {} },
  ];

  it.each(mixed.flatMap((first) => mixed.map((second) => [first, second])))(
    'writes and reads %j and then %j',
    (...calls) => {
      for (const several of [calls, [...calls, ...calls]])
        expect(parse(compact, compact.encodeCalls(several, tools, tokenizer))).toEqual({
          kind: 'calls',
          calls: several,
        });
    },
  );

  it('writes several calls of the only tool', () => {
    const calls = ['37*4', '', '1+1'].map((expression) => ({ name: 'calc', arguments: { expression } }));
    const ids = compact.encodeCalls(calls, [calc], tokenizer);
    expect(show(ids)).toBe('<call>37*4<call><call>1+1<end>');
    expect(parse(compact, ids, [calc])).toEqual({ kind: 'calls', calls });
  });

  it('reads the good calls beside a bad one', () => {
    const ids = [special['<call>'], ...say('calc 1'), special['<user>'], special['<call>'], ...say('roll 6')];
    expect(parse(compact, [...ids, special['<answer>'], ...say('2'), special['<call>'], ...say('look'), end])).toEqual({
      kind: 'calls',
      calls: [
        { text: expect.stringContaining('calc 1'), problem: 'A call cannot contain <user>: leave it out.' },
        {
          text: expect.stringContaining('roll 6'),
          problem: 'A call cannot contain <answer>: answer in a turn of its own.',
        },
        { name: 'look', arguments: {} },
      ],
    });
  });

  it('writes and reads an answer', () => {
    const ids = compact.encodeAnswer('132', tokenizer);
    expect(show(ids)).toBe('<answer>132<end>');
    expect(parse(compact, ids)).toEqual({ kind: 'answer', text: '132' });
  });

  it.each([
    ['nothing', [end]],
    ['no marker', [...say('37*4'), end]],
    ['a marker in the second place', [...say('1'), special['<answer>'], ...say('2'), end]],
    ['a marker spelled out in text', [...say('<answer>132'), end]],
    ['an answer with a role inside', [special['<answer>'], ...say('1'), special['<user>'], ...say('2'), end]],
  ])('calls %s unreadable', (_, ids) => {
    expect(parse(compact, ids)).toMatchObject({ kind: 'unreadable', problem: expect.stringMatching(/\.$/) });
  });

  it('gives a malformed call, not an answer, for a call with a marker or broken JSON inside', () => {
    expect(parse(compact, [special['<call>'], ...say('calc 1'), special['<answer>'], ...say('2'), end])).toMatchObject({
      calls: [{ problem: 'A call cannot contain <answer>: answer in a turn of its own.' }],
    });
    expect(parse(compact, [special['<call>'], ...say('move {"x":1'), end])).toMatchObject({
      calls: [{ problem: expect.stringContaining('not valid JSON') }],
    });
  });

  it('leaves an unknown tool and a number that is none to the argument check', () => {
    expect(parse(compact, [special['<call>'], ...say('fly home'), end])).toEqual({
      kind: 'calls',
      calls: [{ name: 'fly', arguments: 'home' }],
    });
    expect(parse(compact, [special['<call>'], ...say('roll 0x10'), end])).toEqual({
      kind: 'calls',
      calls: [{ name: 'roll', arguments: { sides: '0x10' } }],
    });
    expect(parse(compact, [special['<call>'], ...say('roll'), end])).toEqual({
      kind: 'calls',
      calls: [{ name: 'roll', arguments: { sides: '' } }],
    });
  });

  it('writes no call of a tool that is not there', () => {
    expect(() => compact.encodeCalls([{ name: 'fly', arguments: {} }], tools, tokenizer)).toThrow(
      /no tool called "fly"/,
    );
  });

  it('has an alphabet that covers its error texts', () => {
    const characters = characterTokenizer(compact.alphabet([calc]));
    for (const kind of ['malformed', 'unknown-tool', 'invalid-arguments', 'truncated', 'no-answer', 'killed']) {
      const text = compact.errorText(kind, 'A sentence.');
      expect(characters.decode(characters.encode(text))).toBe(text);
    }
  });
});

describe('hermes', () => {
  const calls: WrittenCall[] = [
    { name: 'calc', arguments: { expression: '37*4' } },
    { name: 'move', arguments: { x: 1, y: -2.5 } },
  ];

  it('writes and reads one call and several', () => {
    expect(show(hermes.encodeCalls(calls.slice(0, 1), tools, tokenizer))).toBe(
      '<tool_call>\n{"name":"calc","arguments":{"expression":"37*4"}}\n</tool_call><end>',
    );
    expect(parse(hermes, hermes.encodeCalls(calls, tools, tokenizer))).toEqual({ kind: 'calls', calls });
  });

  it('takes words around calls, and arguments left out as none', () => {
    expect(parse(hermes, [...say('Let me see. <tool_call>{"name":"calc"}</tool_call> so'), end])).toEqual({
      kind: 'calls',
      calls: [{ name: 'calc', arguments: {} }],
    });
  });

  it('takes a turn without a call as the answer', () => {
    expect(parse(hermes, hermes.encodeAnswer('It is 132.', tokenizer))).toEqual({ kind: 'answer', text: 'It is 132.' });
    expect(() => hermes.encodeAnswer('<tool_call>', tokenizer)).toThrow(/cannot contain <tool_call>/);
  });

  it.each([
    ['a call without an end', '<tool_call>{"name":"calc"}', /no <\/tool_call>/],
    ['a call without a beginning', '{"name":"calc","arguments":{}}</tool_call>', /without <tool_call>/],
    ['broken JSON', '<tool_call>{name: calc}</tool_call>', /not valid JSON/],
    ['a list', '<tool_call>[1]</tool_call>', /an object with a "name"/],
    ['null', '<tool_call>null</tool_call>', /an object with a "name"/],
    ['a name that is no text', '<tool_call>{"name":7}</tool_call>', /an object with a "name"/],
    [
      'a tower of brackets',
      `<tool_call>{"name":"calc","arguments":${'['.repeat(20000)}${']'.repeat(20000)}}</tool_call>`,
      /deeper than 32/,
    ],
  ])('never takes %s as an answer', (_, text, problem) => {
    expect(parse(hermes, [...say(text), end])).toMatchObject({
      kind: 'calls',
      calls: [{ problem: expect.stringMatching(problem) }],
    });
  });

  it('reads the good call beside the bad one', () => {
    const action = parse(hermes, [
      ...say('<tool_call>{</tool_call><tool_call>{"name":"roll","arguments":{"sides":6}}</tool_call>'),
      end,
    ]);
    expect(action).toMatchObject({
      kind: 'calls',
      calls: [{ problem: expect.any(String) }, { name: 'roll', arguments: { sides: 6 } }],
    });
  });

  it('is not fooled by special tokens inside text', () => {
    expect(parse(hermes, [...say('1'), special['<user>'], ...say('2'), end])).toEqual({
      kind: 'unreadable',
      problem: 'A turn cannot contain <user>: leave it out.',
    });
  });

  it('describes every tool to the agent', () => {
    const text = hermes.describeTools(tools);
    expect(hermes.describeTools([])).toBe('');
    for (const tool of tools) expect(text).toContain(JSON.stringify(tool.parameters));
    const characters = characterTokenizer(hermes.alphabet(tools));
    expect(characters.decode(characters.encode(text))).toBe(text);
  });
});

describe('retool', () => {
  const calls = ['37*4', 'a < b\n"<code>"', ''].map((expression) => ({ name: 'calc', arguments: { expression } }));
  const read = (text: string) => parse(retool, [...say(text), end], [calc]);

  it('writes and reads one call and several', () => {
    expect(show(retool.encodeCalls(calls.slice(0, 1), [calc], tokenizer))).toBe('<code>37*4</code><end>');
    expect(parse(retool, retool.encodeCalls(calls, [calc], tokenizer), [calc])).toEqual({ kind: 'calls', calls });
  });

  it('takes words around code', () => {
    expect(read('Let me see. <code>37*4</code> and <code></code> so')).toEqual({
      kind: 'calls',
      calls: [calls[0], calls[2]],
    });
  });

  it('takes a turn without code as the answer, and of answer tags what is between', () => {
    expect(parse(retool, retool.encodeAnswer('It is 132.', tokenizer), [calc])).toEqual({
      kind: 'answer',
      text: 'It is 132.',
    });
    expect(read('<answer>132</answer>')).toEqual({ kind: 'answer', text: '132' });
    expect(read('It is <answer>132</answer>.')).toEqual({ kind: 'answer', text: '132' });
  });

  it.each(['<answer>132', '132</answer>', '</answer>132<answer>'])('does not guess the answer of %s', (text) => {
    expect(read(text)).toEqual({ kind: 'unreadable', problem: 'Write the answer between <answer> and </answer>.' });
  });

  it.each([
    ['<code>37*4', /<code> has no <\/code>/],
    ['37*4</code>', /<\/code> without <code>/],
  ])('never takes %s as an answer', (text, problem) => {
    expect(read(text)).toMatchObject({ kind: 'calls', calls: [{ problem: expect.stringMatching(problem) }] });
  });

  it('reads the good call beside the bad one', () => {
    expect(read('<code>37*4</code> <code>1+1')).toMatchObject({
      kind: 'calls',
      calls: [calls[0], { text: '1+1', problem: expect.any(String) }],
    });
  });

  it('is not fooled by special tokens inside text', () => {
    expect(parse(retool, [...say('1'), special['<answer>'], ...say('2'), end], [calc])).toEqual({
      kind: 'unreadable',
      problem: 'A turn cannot contain <answer>: leave it out.',
    });
  });

  it.each([
    ['several tools', tools, /this one has calc, roll, move, look/],
    ['a number', [roll], /one tool that takes one text; this one has roll/],
    ['two parameters', [move], /this one has move/],
    ['no parameter', [look], /this one has look/],
  ])('refuses an environment with %s, and reads code there as a mistake', (_, given, problem) => {
    expect(() => retool.encodeCalls(calls, given, tokenizer)).toThrow(problem);
    expect(() => retool.describeTools(given)).toThrow(problem);
    expect(parse(retool, [...say('<code>1</code>'), end], given)).toMatchObject({
      kind: 'calls',
      calls: [{ text: '1', problem: expect.stringMatching(/No tool takes code/) }],
    });
  });

  it('writes nothing that it would read otherwise', () => {
    const write = (call: WrittenCall) => retool.encodeCalls([call], [calc], tokenizer);
    expect(() => write({ name: 'calc', arguments: { expression: '</code>' } })).toThrow(/cannot contain <\/code>/);
    expect(() => write({ name: 'calc', arguments: { expression: 7 } })).toThrow(/calls calc with a text as expression/);
    expect(() => write({ name: 'fly', arguments: { expression: '7' } })).toThrow(
      /calls calc with a text as expression/,
    );
    for (const tag of ['<code>', '</code>', '<answer>', '</answer>'])
      expect(() => retool.encodeAnswer(`It is ${tag}.`, tokenizer)).toThrow(/cannot contain/);
  });

  it('describes its tool to the agent', () => {
    const text = retool.describeTools([calc]);
    expect(retool.describeTools([])).toBe('');
    expect(text).toContain(calc.description);
    const characters = characterTokenizer(retool.alphabet([calc]));
    expect(characters.decode(characters.encode(text))).toBe(text);
  });
});

describe('special ids of another vocabulary', () => {
  // As in a vocabulary whose special tokens are its last ids.
  const [first, eos, other] = [900, 901, 902];
  const names: Readonly<Record<number, string>> = { [first]: '<|begin|>', [eos]: '<|eos|>', [other]: '<|end|>' };
  const foreign: Tokenizer = {
    ...tokenizer,
    size: 903,
    special: { ids: [first, eos, other], ends: [other, eos], name: (id) => names[id] },
  };

  it.each([hermes, retool])('ends turns of $name, and are refused within them', (format) => {
    const ids = format.encodeAnswer('It is 132.', foreign);
    expect(ids.at(-1)).toBe(other);
    for (const stop of [other, eos])
      expect(format.parse([...ids.slice(0, -1), stop], [calc], foreign)).toEqual({
        kind: 'answer',
        text: 'It is 132.',
      });
    expect(format.parse([...say('1'), first, ...say('2'), other], [calc], foreign)).toEqual({
      kind: 'unreadable',
      problem: 'A turn cannot contain <|begin|>: leave it out.',
    });
    expect(showAction([...say('1'), first, ...say('2'), eos], foreign)).toBe('1<|begin|>2');
  });
});
