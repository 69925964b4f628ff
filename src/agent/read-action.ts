/**
 * Reads what the policy sampled: calls whose tool exists and whose arguments fit, an answer, or a failure with a text
 * that tells the agent what to do.
 */
import type { ToolFormat, WrittenCall } from '../text/tool-formats/tool-format';
import type { Tokenizer } from '../text/tokenizer';
import type { EnvironmentDescription } from './env';
import { valueProblem } from './json-schema';
import type { KillReason } from './sandbox';
import type { Action, StepError, ToolCall, ToolError } from './types';

export interface ReaderOptions {
  readonly description: EnvironmentDescription;
  readonly tokenizer: Tokenizer;
  readonly format: ToolFormat;
  /** Maximum length of a tool result in UTF-16 units; the rest is cut. */
  readonly observationLimit: number;
}

/** One of: calls, an answer, or neither. */
export interface ReadAction {
  /** Calls to run, and failed ones in their place. */
  readonly calls: readonly (ToolCall | WrittenCall)[];
  readonly answer?: string;
  /** An action that is neither a call nor an answer. */
  readonly failure?: { readonly error: StepError; readonly text: string };
}

export class ActionReader {
  constructor(private readonly options: ReaderOptions) {}

  read(action: Action): ReadAction {
    const { format, tokenizer, description } = this.options;
    const failure = (error: StepError, sentence: string): ReadAction => ({
      calls: [],
      failure: { error, text: this.cut(format.errorText(error, sentence)) },
    });
    // Half a call may parse as another call, so nothing of a cut action runs.
    if (action.stop === 'length')
      return failure('truncated', `The turn was cut after ${action.tokens.length} tokens; write less.`);
    const parsed = format.parse(action.tokens, description.tools, tokenizer);
    if (parsed.kind === 'unreadable') return failure('no-answer', parsed.problem);
    if (parsed.kind === 'answer') return { calls: [], answer: parsed.text };
    return {
      calls: parsed.calls.map((call) =>
        'problem' in call
          ? this.failedCall({ name: '', arguments: call.text }, 'malformed', call.problem)
          : (this.refusal(call) ?? call),
      ),
    };
  }

  /** A call that did not run or gave no result, with what the agent is told. */
  failedCall(
    call: WrittenCall,
    error: ToolError,
    sentence: string,
    more: { killed?: KillReason; fuel?: number } = {},
  ): ToolCall {
    return { ...call, result: this.cut(this.options.format.errorText(error, sentence)), error, ...more };
  }

  /** A text as the agent is shown it. */
  cut(text: string): string {
    // The cut may leave half a surrogate pair.
    return text.slice(0, this.options.observationLimit).replace(/[\uD800-\uDBFF]$/, '');
  }

  /** The failed call if the tool is unknown or its arguments do not fit, else null. */
  private refusal(call: WrittenCall): ToolCall | null {
    const { tools } = this.options.description;
    const tool = tools.find(({ name }) => name === call.name);
    const names = tools.map(({ name }) => name).join(', ');
    if (!tool)
      return this.failedCall(call, 'unknown-tool', `There is no tool called ${call.name}; call one of ${names}.`);
    const problem = valueProblem(tool.parameters, call.arguments);
    return problem ? this.failedCall(call, 'invalid-arguments', problem) : null;
  }
}

export function isRunnable(call: ToolCall | WrittenCall): call is WrittenCall {
  return !('result' in call);
}
