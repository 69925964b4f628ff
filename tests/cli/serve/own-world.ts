/** A world for tests of the server: its tool says what it is told, and how often it was called. */

/**
 * @param body of the tool, of `args` and `context`
 * @param more exports of the module
 * @param tool its name @param parameters of its arguments
 */
export function own(
  body = 'return say(args.text, context)',
  { more = '', tool = 'say', parameters = '{ text: { type: "string" } }', meta = '' } = {},
): string {
  return `
const say = (text, { state }) => {
  const n = (state?.n ?? 0) + 1;
  return { text: text + ' ' + n, state: { n } };
};
export const meta = {
  title: 'Own', task: 'None.', watch: 'Nothing.', options: [], alphabet: 'abc', examples: [],
  rewards: { right: { description: 'right', weight: 1 }, tool: { description: 'calls', weight: 0.5 } }, ${meta}
};
export const start = () => ({ text: 'it begins', state: { n: 0 } });
export const tools = [{
  name: '${tool}', description: 'Says it.',
  parameters: { type: 'object', properties: ${parameters}, required: [], additionalProperties: false },
  execute(args, context) { ${body} },
}];
export const tasks = (rng) => ({ prompt: 'say ' + rng.integer(0, 1e6) });
export const reward = ({ answer }) => ({ success: answer === 'yes', right: answer === 'yes' ? 1 : 0 });
${more}
`;
}
