/** A call is shown once: as its card, and not as the tags that it was written in. */
import { describe, expect, it } from 'vitest';
import { wordsBeside } from '../../src/presentation/conversation';

describe('wordsBeside', () => {
  const call = { name: 'calc', arguments: { expression: '7*5' }, result: '35' };
  const beside = (text: string, ...calls: (typeof call & { error?: 'malformed' | 'tool-error' })[]) =>
    wordsBeside({ text, calls });

  it('leaves out calls that have cards of their own, in every format', () => {
    expect(beside('<call>7*5', call)).toBe('');
    expect(beside('<call>7*5<call>2*3', call, call)).toBe('');
    expect(beside('Let me see. <tool_call>\n{"name":"calc"}\n</tool_call>', call)).toBe('Let me see.');
    expect(beside('First\n<code>\n7*5\n</code>', { ...call, error: 'tool-error' })).toBe('First');
  });

  it('keeps what no card shows', () => {
    expect(beside('<answer>35')).toBe('<answer>35');
    expect(beside('<call>7*', { ...call, error: 'malformed' })).toBe('<call>7*');
    expect(beside('<call>7*5')).toBe('<call>7*5');
  });
});
