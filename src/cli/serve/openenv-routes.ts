/**
 * OpenEnv's routes: what a client sends over the socket, and what it asks by HTTP. By HTTP, `reset` and `step` begin
 * anew each time, and `/mcp` has sessions, which a socket can join (`openenv` 0.10, `openenv.core.env_server`).
 */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { nestsDeeperThan, type Json } from '../../lib/json';
import { ok, Refusal, type Answer, type ServeRequest } from './answer';
import { OpenEnvFault, OpenEnvSession, read } from './openenv';
import { describedRoutes, openApi, schemas } from './openenv-schemas';
import type { Sessions } from './sessions';
import { TaskQueue } from './task-queue';
import type { ServedWorld } from './world';

/** Levels of a message beyond those of a tool's arguments. */
export const maxMessageDepth = 64;

const rpcSchema = v.object({
  jsonrpc: v.literal('2.0'),
  method: v.string(),
  params: v.optional(v.record(v.string(), v.unknown()), {}),
  id: v.nullish(v.union([v.string(), v.number()]), null),
});
type Rpc = v.InferOutput<typeof rpcSchema>;
const messageSchema = v.object({ type: v.string(), data: v.optional(v.unknown(), {}) });
const stepSchema = v.object({ action: v.unknown() });
const callSchema = v.object({ name: v.string(), arguments: v.optional(v.unknown(), {}) });

/** Codes of JSON-RPC. */
const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, server: -32000 };

export class OpenEnvRoutes {
  private readonly queue: TaskQueue;

  constructor(
    private readonly world: ServedWorld,
    private readonly sessions: Sessions,
    /** Of the program. */
    private readonly version: string,
  ) {
    this.queue = new TaskQueue(world.splits[0].count);
  }

  /** Null if OpenEnv has no such route. @throws Refusal */
  answer({ method, path, body }: ServeRequest): Promise<Answer> | Answer | null {
    switch (`${method} ${path.join('/').replace(/^openenv\//, '')}`) {
      case 'GET health':
        // The Open Reward Standard has another word under this path, and is asked first.
        return path[0] === 'openenv' ? ok({ status: 'healthy' }) : null;
      case 'GET metadata':
        return ok(this.metadata());
      case 'GET schema':
        return ok(schemas);
      case 'GET openapi.json':
        return ok(openApi(this.world.description.title, this.version));
      case 'GET state':
        return ok(this.session().state);
      case 'POST reset':
        return this.alone((session) => session.reset(body ?? {}));
      case 'POST step':
        return this.alone((session) => session.step(read(stepSchema, body).action));
      case 'POST mcp':
        return this.rpc(body).then(ok);
      default:
        return null;
    }
  }

  /** A session by its id, or a new one. @throws a sentence or a Refusal */
  join(id: string | null): { readonly id: string; readonly session: OpenEnvSession; readonly isOwn: boolean } {
    if (id !== null) {
      const session = this.sessions.get(id, OpenEnvSession);
      if (!session) throw new OpenEnvFault('SESSION_ERROR', `Unknown session_id: there is no session of this id.`);
      return { id, session, isOwn: false };
    }
    return { ...this.create(), isOwn: true };
  }

  leave(id: string): void {
    this.sessions.delete(id);
  }

  /** The answer to a message of a socket; null: it asks to close. */
  async message(id: string, raw: string): Promise<Json | null> {
    try {
      const message = read(messageSchema, parse(raw));
      const session = this.sessions.get(id, OpenEnvSession);
      if (!session) throw new OpenEnvFault('SESSION_ERROR', 'The session has expired.');
      switch (message.type) {
        case 'reset':
          return { type: 'observation', data: await session.reset(message.data) };
        case 'step':
          return { type: 'observation', data: await session.step(message.data) };
        case 'state':
          return { type: 'state', data: session.state };
        case 'mcp':
          return { type: 'mcp', data: await this.rpc(message.data, id) };
        case 'close':
          return null;
        default:
          throw new OpenEnvFault('UNKNOWN_TYPE', 'Unknown message type: send reset, step, state, mcp or close.');
      }
    } catch (error) {
      const code = error instanceof OpenEnvFault ? error.code : 'EXECUTION_ERROR';
      return { type: 'error', data: { message: (error as Error).message, code } };
    }
  }

  private session(): OpenEnvSession {
    return new OpenEnvSession(this.world, this.queue);
  }

  private create(): { readonly id: string; readonly session: OpenEnvSession } {
    this.sessions.requireRoom();
    const [id, session] = [randomUUID(), this.session()];
    this.sessions.add(id, session);
    return { id, session };
  }

  private metadata(): Json {
    const { title, task } = this.world.description;
    return {
      name: this.world.name,
      description: `${title}. ${task}`,
      readme_content: null,
      version: this.version,
      author: null,
      documentation_url: null,
    };
  }

  /** @throws Refusal */
  private async alone(act: (session: OpenEnvSession) => Promise<Json>): Promise<Answer> {
    try {
      return ok(await act(this.session()));
    } catch (error) {
      if (!(error instanceof OpenEnvFault)) throw error;
      throw new Refusal(error.code === 'EXECUTION_ERROR' ? 500 : 422, error.message);
    }
  }

  /** Answers a request of JSON-RPC. @param own session of the socket that it came by */
  private async rpc(body: unknown, own?: string): Promise<Json> {
    const parsed = v.safeParse(rpcSchema, body);
    if (!parsed.success) return failed(null, codes.request, 'Invalid request: it is not JSON-RPC 2.0.');
    const { id } = parsed.output;
    try {
      return { jsonrpc: '2.0', id, result: await this.result(parsed.output, own) };
    } catch (error) {
      const code = error instanceof RpcFault ? error.code : codes.server;
      return failed(id, code, (error as Error).message);
    }
  }

  private async result({ method, params }: Rpc, own: string | undefined): Promise<Json> {
    const named = typeof params.session_id === 'string' ? params.session_id : undefined;
    switch (method) {
      case 'openenv/session/create':
        return { session_id: own ?? this.create().id };
      case 'openenv/session/close': {
        if (named === undefined) throw new RpcFault(codes.params, "Invalid params - 'session_id' is required");
        this.existing(named);
        this.leave(named);
        return { session_id: named, closed: true };
      }
      case 'tools/list':
        return { tools: this.session().tools() };
      case 'tools/call': {
        const call = v.safeParse(callSchema, params);
        if (!call.success) throw new RpcFault(codes.params, 'Invalid params - "name" is required');
        const id = named ?? own;
        const session = id === undefined ? this.session() : this.existing(id);
        const reply = await session.call(call.output.name, call.output.arguments as Json);
        if (reply.kind !== 'result') throw new RpcFault(codes.server, reply.sentence);
        const { text, reward, finished: done, metadata } = reply;
        return { content: [{ type: 'text', text }], data: text, isError: false, reward, done, metadata };
      }
      default:
        throw new RpcFault(codes.method, `Method not found: there is ${describedRoutes.rpc.join(', ')}.`);
    }
  }

  private existing(id: string): OpenEnvSession {
    const session = this.sessions.get(id, OpenEnvSession);
    if (!session) throw new RpcFault(codes.params, 'Unknown session_id: there is no session of this id.');
    return session;
  }
}

class RpcFault extends Error {
  constructor(
    readonly code: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

const failed = (id: string | number | null, code: number, message: string): Json => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** @throws OpenEnvFault */
function parse(raw: string): Json {
  let value: Json;
  try {
    value = JSON.parse(raw) as Json;
  } catch {
    throw new OpenEnvFault('INVALID_JSON', 'Invalid JSON: check quotes, commas and brackets.');
  }
  if (nestsDeeperThan(value, maxMessageDepth))
    throw new OpenEnvFault('VALIDATION_ERROR', `The message nests deeper than ${maxMessageDepth} levels.`);
  return value;
}
