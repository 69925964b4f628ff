/**
 * The Model Context Protocol by its official SDK: lets chat clients call the tools of a world. It knows no task, seed
 * or reward, so a session is one training task, whose prompt is the prompt `task`; the reward is told in `_meta`.
 * Each request has one JSON answer: nothing is streamed, since the server never speaks first.
 */
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as http from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ContentBlock,
  type GetPromptResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Json } from '../../lib/json';
import type { Image } from '../../text/image';
import { Refusal, type JsonAnswer, type ServeRequest } from './answer';
import type { Reply, ServedEpisode } from './episode';
import { pngOf } from './png';
import type { Sessions } from './sessions';
import { TaskQueue } from './task-queue';
import type { ServedWorld } from './world';

const prompt = { name: 'task', title: 'Task', description: 'The task of this session.' };
const sessionHeader = 'mcp-session-id';
/** Headers that the SDK reads. */
const readHeaders = ['accept', 'content-type', sessionHeader, 'mcp-protocol-version'];
/** One for all sessions: the SDK would make another one for each. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export class McpRoutes {
  private readonly queue: TaskQueue;

  constructor(
    private readonly world: ServedWorld,
    private readonly sessions: Sessions,
    /** Of the program. */
    private readonly version: string,
  ) {
    this.queue = new TaskQueue(world.splits[0].count);
  }

  /**
   * Null if another protocol is meant. OpenEnv has a route of this name too, but its clients neither accept streams of
   * events, as every client of this protocol does, nor send its header.
   * @throws Refusal
   */
  answer(request: ServeRequest): Promise<JsonAnswer> | null {
    const { path, method, header } = request;
    const accepts = header('accept') ?? '';
    if (path.join('/') !== 'mcp' || !(accepts.includes('text/event-stream') || header(sessionHeader))) return null;
    if (method !== 'POST' && method !== 'DELETE')
      throw new Refusal(405, 'This server sends no events of its own: it answers POST and DELETE.', {
        Allow: 'POST, DELETE',
      });
    return this.handle(request);
  }

  private async handle({ method, header, body }: ServeRequest): Promise<JsonAnswer> {
    const session = await this.sessionOf(header(sessionHeader));
    const headers = readHeaders.flatMap((name): [string, string][] => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    });
    const response = await session.transport.handleRequest(new Request('http://localhost/mcp', { method, headers }), {
      parsedBody: body ?? null,
    });
    const id = response.headers.get(sessionHeader);
    const text = await response.text();
    return {
      status: response.status,
      ...(text !== '' && { json: JSON.parse(text) as Json }),
      ...(id !== null && { headers: { [sessionHeader]: id } }),
    };
  }

  private async sessionOf(id: string | undefined): Promise<McpSession> {
    if (id !== undefined) {
      const session = this.sessions.get(id, McpSession);
      if (!session) throw new Refusal(404, 'There is no session of this id: initialize another one.');
      return session;
    }
    this.sessions.requireRoom();
    const session = new McpSession(this.world, this.queue, this.sessions);
    await session.serve(this.version);
    return session;
  }
}

class McpSession {
  readonly transport: http.WebStandardStreamableHTTPServerTransport;
  private index = 0;
  private episode: Promise<ServedEpisode> | null = null;

  constructor(
    private readonly world: ServedWorld,
    queue: TaskQueue,
    sessions: Sessions,
  ) {
    this.transport = new http.WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.index = queue.next();
        sessions.add(id, this);
      },
      onsessionclosed: (id) => sessions.delete(id),
    });
  }

  /** @param version of the program */
  async serve(version: string): Promise<void> {
    const { name, description, tools } = this.world;
    const { server } = new McpServer(
      { name, version, title: description.title },
      { capabilities: { tools: {}, prompts: {} }, instructions: description.system, jsonSchemaValidator },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: tools.map(({ name, description, parameters }) => {
        return { name, description, inputSchema: parameters as Tool['inputSchema'] };
      }),
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => this.call(params.name, params.arguments ?? {}));
    server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [prompt] }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params }) => this.prompt(params.name));
    await server.connect(this.transport);
  }

  private async prompt(name: string): Promise<GetPromptResult> {
    if (name !== prompt.name)
      throw new McpError(ErrorCode.InvalidParams, `There is no such prompt; there is ${prompt.name}.`);
    const episode = await this.begun();
    const messages = blocks(episode.prompt, episode.image).map((content) => ({ role: 'user' as const, content }));
    return { description: prompt.description, messages };
  }

  private async call(name: string, input: unknown): Promise<CallToolResult> {
    const episode = await this.begun();
    return resultOf(await episode.call(name, input as Json));
  }

  private begun(): Promise<ServedEpisode> {
    this.episode ??= this.world.begin(this.world.splits[0], this.index).catch((error: unknown) => {
      this.episode = null;
      throw error;
    });
    return this.episode;
  }
}

function resultOf(reply: Reply): CallToolResult {
  if (reply.kind !== 'result') return { content: blocks(reply.sentence), isError: true };
  const { text, image, reward, finished, metadata } = reply;
  return {
    content: blocks(text, image),
    isError: metadata?.error !== undefined,
    _meta: { reward, finished, ...metadata },
  };
}

function blocks(text: string, image?: Image): ContentBlock[] {
  const shown: ContentBlock = { type: 'text', text };
  return image ? [shown, { type: 'image', data: pngOf(image), mimeType: 'image/png' }] : [shown];
}
