/** A tool call as one line of text: `calc(37*4) → 148`. */

/** Arguments without the noise of JSON: the values of an object, in order. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.values(value).map(argumentText).join(', ');
  return value === undefined ? '' : JSON.stringify(value);
}

export const callText = (call: { readonly name: string; readonly arguments: unknown }): string =>
  `${call.name}(${argumentText(call.arguments)})`;
