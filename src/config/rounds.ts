/**
 * The rounds of a config, `warmStart.rounds`: what a person played in the agent's place, for the warm start to imitate.
 * JSON lines, `{"task": 3, "turns": [{"calls": [{"name": "calc", "arguments": {"expression": "1+2"}}]}, {"answer":
 * "3"}]}`. Only the warm start can tell whether a round solves its task.
 */
import * as v from 'valibot';
import { turnsSchema } from '../agent/env';
import { firstIssue } from '../lib/first-issue';
import { jsonFault } from '../lib/json-fault';
import { maxJsonDepth, nestsDeeperThan, type Json } from '../lib/json';

/** More than a person plays. */
const maxRounds = 64;
/** Of all rounds together: a link carries them. */
const maxBytes = 24 * 1024;
const maxTask = 9999;

const TaughtRoundSchema = v.strictObject({
  /** Place of its task among those that rounds teach. */
  task: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxTask)),
  turns: turnsSchema,
});

export type TaughtRound = v.InferOutput<typeof TaughtRoundSchema>;

/** The rounds in their order; none of an absent text. @throws a sentence that names the line */
export function readRounds(text = ''): readonly TaughtRound[] {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > maxBytes) throw new Error(`there are ${bytes} bytes of rounds, and ${maxBytes} are the most.`);
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line, number: i + 1 }]));
  if (lines.length > maxRounds) throw new Error(`there are ${lines.length} rounds, and ${maxRounds} are the most.`);
  return lines.map(({ line, number }) => readRound(line, number));
}

export const writeRounds = (rounds: readonly TaughtRound[]): string =>
  rounds.map((round) => JSON.stringify(round)).join('\n');

/** Why a text holds no rounds: a sentence, or null. */
export function roundsProblem(text?: string): string | null {
  try {
    readRounds(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function readRound(line: string, number: number): TaughtRound {
  const value = parse(line);
  if (value === undefined)
    throw new Error(`line ${number} is not JSON: column ${jsonFault(line).column} cannot be read.`);
  if (nestsDeeperThan(value)) throw new Error(`line ${number} nests deeper than ${maxJsonDepth} levels.`);
  const result = v.safeParse(TaughtRoundSchema, value);
  if (result.success) return result.output;
  throw new Error(`line ${number} is no round, {task, turns}: ${firstIssue(result.issues).replace(/\.?$/, '.')}`);
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}
