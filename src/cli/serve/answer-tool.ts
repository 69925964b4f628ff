/** Served agents act by tools alone, so the answer is a tool as well. */
import type { Tool } from '../../agent/env';

export const answerTool: Tool = {
  name: 'answer',
  description: 'Gives the final answer and ends the episode.',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The answer.' } },
    required: ['text'],
    additionalProperties: false,
  },
};
