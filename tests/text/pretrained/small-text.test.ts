/** The text of a model that is pretrained here is read as that of any other. */
import { beforeAll, expect, test } from 'vitest';
import { bytesInMemory } from '../../../src/lib/byte-source';
import { pretrainedText, type PretrainedText } from '../../../src/text/pretrained/pretrained-text';
import { smallText } from '../../../src/text/pretrained/small-text';
import { hermesAsPython } from '../../../src/text/tool-formats/hermes';

const learned = smallText(['calc expression 12+34', 'calc expression 7*8', '"name": "calc"'], 64);
let text: PretrainedText;
beforeAll(async () => {
  const files = [...learned.files].map(([name, content]) => {
    return [name, bytesInMemory(new TextEncoder().encode(content))] as const;
  });
  text = await pretrainedText(new Map(files));
});

test('its tokens are as many as it says; words are merged, and each digit is one', () => {
  const { tokenizer } = text;
  expect(tokenizer.size).toBe(learned.size);
  expect(tokenizer.special.ends[0]).toBe(learned.end);
  const ids = tokenizer.encode('calc expression 123');
  expect(ids.map((id) => tokenizer.label(id))).toEqual(['calc', ' expression', ' ', '1', '2', '3']);
  const odd = 'Ωéa\n<|im_end|>';
  expect(tokenizer.decode(tokenizer.encode(odd))).toBe(odd);
});

test('its template names the tools, and a call is read back', () => {
  const chat = text.chatFormat([{ name: 'calc', description: 'Does one operation.', parameters: {} }]);
  expect(chat.describesTools).toBe(true);
  const { tokens } = chat.render(text.tokenizer, hermesAsPython, [{ role: 'user', content: '1+2' }]);
  const shown = tokens.map((id) => text.tokenizer.label(id)).join('');
  expect(shown).toBe('<|im_start|>system\ncalc\n<|im_end|>\n<|im_start|>user\n1+2<|im_end|>\n');
  const turn = hermesAsPython.encodeCalls([{ name: 'calc', arguments: { expression: '1+2' } }], [], text.tokenizer);
  expect(turn[0]).toBe(text.tokenizer.tokenId('<tool_call>'));
  expect(hermesAsPython.parse(turn, [], text.tokenizer)).toEqual({
    kind: 'calls',
    calls: [{ name: 'calc', arguments: { expression: '1+2' } }],
  });
});
