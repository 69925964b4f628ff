/**
 * Tools of the host: functions of a person's own file, which may be asynchronous and reach the network, files or a
 * database. What they give is recorded before the agent sees it, so a run that has its record needs none of them.
 */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SandboxRequest, Verdict } from '../../agent/sandbox';
import { maxJsonDepth, nestsDeeperThan, type Json } from '../../lib/json';
import { didYouMean } from '../../lib/nearest';
import { CallRecord, keyOf, recordName, type HostAnswer } from './record';

/** Gets the arguments, and the task and the state of the episode; gives what a tool of an environment gives. */
export type HostTool = (
  args: Json,
  context: { readonly task: Json; readonly state: Json; readonly signal: AbortSignal },
) => unknown;

const patienceSeconds = 60;
/** Of the JSON that a tool gives. */
const maxAnswerCharacters = 65_536;
const maxReasonCharacters = 300;

export const toolsFlag = {
  kind: 'text',
  help:
    'functions for the meta.hostTools of an environment: a module that exports them, or the run folder or record ' +
    'that has their answers',
  value: 'FILE.mjs',
} as const;

/** The arguments of `execute`. */
interface Call {
  readonly tool: string;
  readonly arguments: Json;
  readonly task: Json;
  readonly state: Json;
}

export class HostTools {
  /** Calls that are being answered. */
  private readonly asked = new Map<string, Promise<HostAnswer>>();

  /**
   * @param record of calls that were answered
   * @param functions null: only recorded calls are answered
   * @param file of the functions
   */
  constructor(
    readonly record: CallRecord,
    private readonly functions: Readonly<Record<string, HostTool>> | null,
    private readonly file = '',
    private readonly patienceMs = 1000 * patienceSeconds,
  ) {}

  /** Whether calls reach the host. */
  get isLive(): boolean {
    return this.functions !== null;
  }

  /** @throws a sentence if there is no function for a tool that the environment names */
  requireAll(names: readonly string[]): void {
    if (this.functions === null) return;
    if (names.length === 0)
      throw new Error('--tools gives tools of the host, but the environment names none in meta.hostTools.');
    const known = Object.keys(this.functions);
    const missing = names.find((name) => !known.includes(name));
    if (missing === undefined) return;
    const has = known.length === 0 ? 'none' : known.join(', ');
    throw new Error(
      `${this.file} exports no function ${missing}, which meta.hostTools names; it has ${has}.` +
        didYouMean(missing, known),
    );
  }

  /** What a call gave when it was first made. @throws a sentence, which ends the run: the call is not recorded */
  async answer(request: SandboxRequest): Promise<Verdict> {
    const key = await keyOf(request);
    const call = request.args as unknown as Call;
    const answer = this.record.get(key) ?? (await this.once(key, call));
    if ('value' in answer) return { kind: 'value', value: answer.value, fuel: 0 };
    return { kind: 'error', message: answer.refused, refused: true, fuel: 0 };
  }

  private once(key: string, call: Call): Promise<HostAnswer> {
    const asked = this.asked.get(key) ?? this.ask(key, call).finally(() => this.asked.delete(key));
    this.asked.set(key, asked);
    return asked;
  }

  private async ask(key: string, call: Call): Promise<HostAnswer> {
    const { tool, arguments: args } = call;
    if (this.functions === null)
      throw new Error(
        `The call ${called(call)} is not in the record of the host’s tools: the run differs from the one that was ` +
          'recorded. Give the tools themselves, --tools FILE.mjs, to let it call them.',
      );
    const answer = await this.play(this.functions[tool], call);
    this.record.add(key, tool, args, answer);
    return answer;
  }

  private async play(execute: HostTool, call: Call): Promise<HostAnswer> {
    const { task, state, arguments: args } = call;
    const signal = AbortSignal.timeout(this.patienceMs);
    try {
      return { value: jsonOf(await until(signal, execute(args, { task, state, signal }))) };
    } catch (error) {
      const { name, message } = error as Error;
      if ((error as Error).constructor.name === 'ToolError') return { refused: message.slice(0, maxReasonCharacters) };
      const why = name === 'TimeoutError' ? `gave no answer within ${this.patienceMs / 1000} seconds` : 'failed';
      throw new Error(
        `The host’s tool ${called(call)} ${why}: ${message} ` +
          'A run continues from its last save with --resume; for a call in vain it throws a ToolError.',
        { cause: error },
      );
    }
  }
}

function until(signal: AbortSignal, value: unknown): Promise<unknown> {
  const late = new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
  return Promise.race([value, late]);
}

/** @throws a sentence if it is no JSON, or too much */
function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined)
    throw new TypeError('it gave no value, and must give a text or { text, reward, state, done }.');
  if (text.length > maxAnswerCharacters)
    throw new RangeError(`it gave ${text.length} characters of JSON, and ${maxAnswerCharacters} is the most.`);
  const json = JSON.parse(text) as Json;
  if (nestsDeeperThan(json)) throw new RangeError(`what it gave nests deeper than ${maxJsonDepth} levels.`);
  return json;
}

const called = ({ tool, arguments: args }: Call): string => `${tool}(${JSON.stringify(args).slice(0, 200)})`;

/**
 * The tools of `--tools`, and the record of a run folder; null if there is neither.
 * @throws a sentence if they cannot be read
 */
export async function openHostTools(given: string | undefined, folder?: string): Promise<HostTools | null> {
  const own = folder === undefined ? [] : [join(folder, recordName)].filter(existsSync);
  if (given === undefined) return own.length === 0 ? null : new HostTools(CallRecord.read(own), null);
  if (!existsSync(given)) throw new Error(`--tools: there is no file ${given}.`);
  if (!/\.m?js$/.test(given)) {
    const file = statSync(given).isDirectory() ? join(given, recordName) : given;
    if (!existsSync(file)) throw new Error(`${given} has no ${recordName}: no tool of the host was called there.`);
    return new HostTools(CallRecord.read([...own, file]), null);
  }
  return new HostTools(CallRecord.read(own), await functionsOf(given), given);
}

async function functionsOf(file: string): Promise<Readonly<Record<string, HostTool>>> {
  const module = (await import(/* @vite-ignore */ pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  const exports = Object.entries(module).filter(([, value]) => typeof value === 'function');
  return Object.fromEntries(exports) as Record<string, HostTool>;
}
