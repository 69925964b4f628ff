/**
 * Turns demonstrations into trajectories: a policy that replays scripted turns goes through the same loop, template and
 * tools as the agent, so the warm start trains on exactly the tokens of a rollout.
 */
import { assert } from '../lib/assert';
import type { Tokenizer } from '../text/tokenizer';
import { namedCharacters, unknownCharacters } from '../text/unknown-characters';
import type { ToolFormat } from '../text/tool-formats/tool-format';
import type { Demonstration, DemonstrationTurn, Tool } from './env';
import type { AgentFlow, FlowOptions } from './flow';
import type { Action, Policy, Prompt, Sampling, Trajectory } from './types';

export interface DemonstrationOptions extends FlowOptions {
  readonly tokenizer: Tokenizer;
  readonly format: ToolFormat;
  readonly tools: readonly Tool[];
  /** Context of the model that learns from them, in tokens. */
  readonly contextLength: number;
}

/**
 * @returns trajectories in the order of the demonstrations, each its own group
 * @throws a sentence if a turn cannot be written in this format, tokenizer or token budget
 */
export async function demonstrationTrajectories(
  demonstrations: readonly Demonstration[],
  flow: AgentFlow,
  options: DemonstrationOptions,
): Promise<Trajectory[]> {
  const scripts = demonstrations.map(({ task, turns }) => turns.map((turn) => encodeTurn(turn, task.prompt, options)));
  const attempts = demonstrations.map(({ task }, group) => ({ task, group }));
  const { format, tokenizer, contextLength } = options;
  const policy = new ScriptedPolicy(scripts, contextLength, (text) => format.encodeAnswer(text, tokenizer));
  const trajectories = await flow.run(attempts, policy, options);
  demonstrations.forEach(({ task, turns }, i) => {
    const { steps, end } = trajectories[i];
    const played = steps.filter(({ observation }) => !observation.summary).length;
    if (end === 'answer' && played < turns.length)
      throw new Error(
        `A demonstration of ${JSON.stringify(task.prompt)} goes on after turn ${played}, which answers and so ends ` +
          'the episode: only the last turn may be an answer.',
      );
  });
  return trajectories;
}

/** Replays given actions: slot `i` plays the turns of script `i`, whatever the prompts say. */
export class ScriptedPolicy implements Policy {
  readonly slots: number;
  private readonly next: number[];

  /**
   * @param scripts token ids of the action, by slot and turn
   * @param encodeSuggestion token ids of what a prompt suggests; a turn that only ends if not given
   */
  constructor(
    private readonly scripts: readonly (readonly (readonly number[])[])[],
    readonly contextLength: number,
    private readonly encodeSuggestion?: (text: string) => readonly number[],
  ) {
    this.slots = Math.max(1, scripts.length);
    this.next = scripts.map(() => 0);
  }

  /** Scripted tokens are certain: log-probability and entropy are 0. */
  sample(prompts: readonly Prompt[], { stopTokens }: Pick<Sampling, 'stopTokens'>): Promise<Action[]> {
    const actions = prompts.map(({ slot, suggestion }): Action => {
      const script = this.scripts[slot];
      assert(script, () => `there is no script of slot ${slot}`);
      const tokens =
        suggestion === undefined
          ? script[this.next[slot]++]
          : (this.encodeSuggestion?.(suggestion) ?? stopTokens.slice(0, 1));
      if (!tokens)
        throw new Error(
          `A demonstration ends after turn ${script.length}, and its episode goes on: end it with an answer, or with ` +
            'a call that ends the episode.',
        );
      const zeros = tokens.map(() => 0);
      const stop = stopTokens.includes(tokens.at(-1)!) ? 'stop' : 'length';
      return { tokens, logProbs: zeros, entropies: zeros, text: '', stop };
    });
    return Promise.resolve(actions);
  }
}

/** Token ids of a turn. @throws a sentence if they do not parse back to the same turn */
function encodeTurn(turn: DemonstrationTurn, prompt: string, options: DemonstrationOptions): number[] {
  const { format, tokenizer, tools, sampling } = options;
  const tokens =
    'answer' in turn ? format.encodeAnswer(turn.answer, tokenizer) : format.encodeCalls(turn.calls, tools, tokenizer);
  if (tokens.length > sampling.maxTokens)
    throw new Error(
      `A demonstration of ${JSON.stringify(prompt)} takes ${tokens.length} tokens in one turn, and a turn may ` +
        `have ${sampling.maxTokens}; allow longer turns or demonstrate shorter ones.`,
    );
  const parsed = format.parse(tokens, tools, tokenizer);
  const readBack =
    parsed.kind === 'answer' ? { answer: parsed.text } : parsed.kind === 'calls' ? { calls: parsed.calls } : null;
  if (JSON.stringify(readBack) !== JSON.stringify(turn))
    throw new Error(
      `A demonstration of ${JSON.stringify(prompt)} has the turn ${JSON.stringify(turn)}, which the ` +
        `${format.name} format and ${tokenizer.kind} tokenizer read back as ${JSON.stringify(readBack)}; ` +
        `${misfit(turn, tokenizer)}.`,
    );
  return tokens;
}

/** The likely reason why a turn does not parse back. */
function misfit(turn: DemonstrationTurn, tokenizer: Tokenizer): string {
  const texts =
    'answer' in turn
      ? [turn.answer]
      : turn.calls.flatMap((call) => Object.values(Object(call.arguments) as object).map(String));
  const unknown = unknownCharacters(tokenizer, texts.join(' '));
  return unknown.length > 0 ? `meta.alphabet lacks ${namedCharacters(unknown)}` : 'its arguments do not fit';
}
