/**
 * The server: on loopback alone, for clients that name it so and know the token, with small bodies, and with an answer
 * to whatever comes.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nestsDeeperThan, type Json } from '../../lib/json';
import { Refusal, type Answer, type EventsAnswer, type ServeRequest } from './answer';
import { OpenEnvFault } from './openenv';
import { maxMessageDepth } from './openenv-routes';

export const maxBodyBytes = 65_536;
/** A body that goes on behind this is not waited for. */
const maxDrainedBytes = 1_048_576;
const host = '127.0.0.1';
const signOfLifeMs = 10_000;

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** None: whoever reaches the port may ask. */
  readonly token?: string;
  /** Null: there is no such route for any method. */
  readonly answer: (request: ServeRequest) => Promise<Answer> | Answer | null;
  /** Told of faults that are no client's. */
  readonly onFault: (error: Error) => void;
}

export interface RunningServer {
  readonly server: Server;
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly address: string;
}

/** @throws a sentence if the port is taken */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 });
  // A client that does not read its answer is left after this.
  server.timeout = 120_000;
  server.on('request', (request, response) => void serve(request, response, options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message;
      reject(new Error(`The port ${options.port} cannot be used: ${why}. Name another one with --port.`));
    });
    server.listen(options.port, host, resolve);
  });
  return { server, address: `http://${host}:${(server.address() as AddressInfo).port}` };
}

/** Why a client is not served, whatever it asks. @param token that it must know @throws Refusal */
export function requireFriend({ headers }: IncomingMessage, token: string | undefined): void {
  if (!isLoopback(headers.host ?? ''))
    throw new Refusal(
      403,
      'This server answers requests to localhost or 127.0.0.1 only: the Host header names another.',
    );
  // A page of the web may post to localhost, and says where it is from.
  if (headers.origin !== undefined && !isLoopback(headers.origin.replace(/^https?:\/\//, '')))
    throw new Refusal(403, 'This server answers no page of another origin.');
  if (token === undefined) return;
  const bearer = headers.authorization?.replace(/^Bearer /i, '');
  const given = [headers['x-api-key'], bearer].flatMap((each) => each ?? []);
  if (!given.some((each) => isEqual(each, token)))
    throw new Refusal(401, 'The token is missing or wrong: send it as X-API-Key.');
}

/** With a port or not. Names below `localhost` belong to this machine as well (RFC 6761). */
function isLoopback(name: string): boolean {
  return /^(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(name);
}

function isEqual(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(first, second);
}

async function serve(request: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  // A client that goes away is no fault of the server.
  response.on('error', () => undefined);
  try {
    const path = pathOf(request.url ?? '');
    const isProbe = request.method === 'GET' && path.at(-1) === 'health';
    requireFriend(request, isProbe ? undefined : options.token);
    const body = await readBody(request);
    const header = (name: string) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    const method = request.method ?? 'GET';
    const answer = await options.answer({ method, path, header, body });
    if (answer === null) throw new Refusal(404, `There is no route ${method} ${request.url}.`);
    if ('text' in answer) await sendEvents(response, answer);
    else sendJson(response, answer.status, answer.json, answer.headers);
  } catch (error) {
    const refusal = refusalOf(error, options.onFault);
    if (response.headersSent) response.destroy();
    else sendJson(response, refusal.status, { detail: refusal.message }, refusal.headers);
  }
}

/** What a client is told of an error. */
function refusalOf(error: unknown, onFault: (error: Error) => void): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof OpenEnvFault) return new Refusal(422, error.message);
  onFault(error as Error);
  return new Refusal(500, (error as Error).message);
}

/** @throws Refusal */
export function pathOf(url: string): string[] {
  try {
    return new URL(`http://${host}${url}`).pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    throw new Refusal(400, 'The address of the request cannot be read.');
  }
}

/** JSON of the body, undefined if there is none. @throws Refusal */
async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // What is too long is read on for a while: a client that is still sending does not look for its answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxDrainedBytes) break;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  if (bytes > maxBodyBytes)
    throw new Refusal(413, `A body may have at most ${maxBodyBytes} bytes.`, { Connection: 'close' });
  if (bytes === 0) return undefined;
  let body: Json;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))) as Json;
  } catch {
    throw new Refusal(422, 'The body is not JSON: check quotes, commas and brackets.');
  }
  if (nestsDeeperThan(body, maxMessageDepth))
    throw new Refusal(422, `The body nests deeper than ${maxMessageDepth} levels.`);
  return body;
}

function sendJson(
  response: ServerResponse,
  status: number,
  json: Json | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = json === undefined ? '' : JSON.stringify(json);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

async function sendEvents(response: ServerResponse, { taskId, text }: EventsAnswer): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.write(eventOf('task_id', taskId));
  const sign = setInterval(() => response.write(': ping\n\n'), signOfLifeMs);
  try {
    response.end(eventOf('end', await text));
  } catch (error) {
    response.end(eventOf('error', (error as Error).message.replace(/\s+/g, ' ')));
  } finally {
    clearInterval(sign);
  }
}

const eventOf = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;
