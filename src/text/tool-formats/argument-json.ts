/** Parses JSON of an agent: any text gives a value or a sentence, never an exception. */
import { maxJsonDepth, nestsDeeperThan, type Json } from '../../lib/json';

export function parseArgumentJson(text: string): { readonly value: Json } | { readonly problem: string } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { problem: 'It is not valid JSON: check quotes, commas and brackets.' };
  }
  return nestsDeeperThan(value)
    ? { problem: `It nests deeper than ${maxJsonDepth} levels: write a flatter value.` }
    : { value };
}
