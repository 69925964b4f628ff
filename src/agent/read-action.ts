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

export interface CallReaderOptions {
  readonly description: EnvironmentDescription;
  readonly format: ToolFormat;
  /** Maximum length of a tool result in UTF-16 units; the rest is cut. */
  readonly observationLimit: number;
}

export interface ReaderOptions extends CallReaderOptions {
  readonly tokenizer: Tokenizer;
}

/** One of: calls, an answer, or neither. */
export interface ReadAction {
  /** Calls to run, and failed ones in their place. */
  readonly calls: readonly (ToolCall | WrittenCall)[];
  readonly answer?: string;
  /** An action that is neither a call nor an answer. */
  readonly failure?: { readonly error: StepError; readonly text: string };
}

/** Checks calls that are written already, and words what the agent is told. */
export class CallReader {
  constructor(private readonly options: CallReaderOptions) {}

  /** The call, or the failed one if its tool is unknown or its arguments do not fit. */
  check(call: WrittenCall): ToolCall | WrittenCall {
    const { tools } = this.options.description;
    const tool = tools.find(({ name }) => name === call.name);
    const names = tools.map(({ name }) => name).join(', ');
    if (!tool)
      return this.failedCall(call, 'unknown-tool', `There is no tool called ${call.name}; call one of ${names}.`);
    const problem = valueProblem(tool.parameters, call.arguments);
    return problem ? this.failedCall(call, 'invalid-arguments', problem) : call;
  }

  /** A call that cannot be read. @param text what the agent wrote */
  malformed(text: string, problem: string): ToolCall {
    return this.failedCall({ name: '', arguments: text }, 'malformed', problem);
  }

  /** A call that did not run or gave no result, with what the agent is told. */
  failedCall(
    call: WrittenCall,
    error: ToolError,
    sentence: string,
    more: { killed?: KillReason; fuel?: number } = {},
  ): ToolCall {
    return { ...call, result: this.errorText(error, sentence), error, ...more };
  }

  /** What the agent is told of a failed action. */
  errorText(error: StepError, sentence: string): string {
    return this.cut(this.options.format.errorText(error, sentence));
  }

  /** A text as the agent is shown it. */
  cut(text: string): string {
    // The cut may leave half a surrogate pair.
    return text.slice(0, this.options.observationLimit).replace(/[\uD800-\uDBFF]$/, '');
  }
}

export class ActionReader extends CallReader {
  private readonly format: ToolFormat;
  private readonly tokenizer: Tokenizer;
  private readonly description: EnvironmentDescription;

  constructor(options: ReaderOptions) {
    super(options);
    this.format = options.format;
    this.tokenizer = options.tokenizer;
    this.description = options.description;
  }

  read(action: Action): ReadAction {
    const failure = (error: StepError, sentence: string): ReadAction => ({
      calls: [],
      failure: { error, text: this.errorText(error, sentence) },
    });
    // Half a call may parse as another call, so nothing of a cut action runs.
    if (action.stop === 'length')
      return failure('truncated', `The turn was cut after ${action.tokens.length} tokens; write less.`);
    const parsed = this.format.parse(action.tokens, this.description.tools, this.tokenizer);
    if (parsed.kind === 'unreadable') return failure('no-answer', parsed.problem);
    if (parsed.kind === 'answer') return { calls: [], answer: parsed.text };
    const calls = parsed.calls.map((call) =>
      'problem' in call ? this.malformed(call.text, call.problem) : this.check(call),
    );
    return { calls };
  }
}

export function isRunnable(call: ToolCall | WrittenCall): call is WrittenCall {
  return !('result' in call);
}
