/** OpenEnv's socket: a connection is a session. Its messages are answered one after another. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { Refusal } from './answer';
import { maxBodyBytes, pathOf, requireFriend } from './http';
import { OpenEnvFault } from './openenv';
import type { OpenEnvRoutes } from './openenv-routes';
import { maxSessions } from './sessions';

/** Messages of a client that may wait for their answers. */
const maxWaiting = 32;
/** Bytes of answers that a client may leave unread. */
const maxUnreadBytes = 1_048_576;
/** A client that does not answer a ping for this long is gone. */
const pingMs = 30_000;

/** Takes the sockets of a server. @returns what ends them */
export function serveSockets(server: Server, routes: OpenEnvRoutes, token: string | undefined): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    try {
      requireFriend(request, token);
      if (pathOf(request.url ?? '').at(-1) !== 'ws')
        throw new Refusal(404, 'There is no such route: a socket is at /ws.');
      sockets.handleUpgrade(request, socket, head, (client) => serveSocket(client, request, routes));
    } catch (error) {
      refuseUpgrade(socket, error as Error);
    }
  });
  return () => sockets.clients.forEach((client) => client.terminate());
}

function refuseUpgrade(socket: Duplex, error: Error): void {
  const status = error instanceof Refusal ? error.status : 500;
  const body = JSON.stringify({ detail: error.message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function serveSocket(client: WebSocket, request: IncomingMessage, routes: OpenEnvRoutes): void {
  client.on('error', () => client.terminate());
  const joined = join(client, request, routes);
  if (!joined) return;
  const { id, isOwn } = joined;
  let waiting = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const answer = async (raw: string) => {
    const reply = await routes.message(id, raw);
    waiting--;
    if (reply === null) client.close(1000);
    else if (client.readyState === client.OPEN) client.send(JSON.stringify(reply));
    if (client.bufferedAmount > maxUnreadBytes) client.terminate();
  };
  client.on('message', (data: Buffer) => {
    if (++waiting > maxWaiting) client.close(1008, `${maxWaiting} messages are waiting for their answers`);
    else queue = queue.then(() => answer(data.toString()));
  });
  const stopPings = sendPings(client);
  client.on('close', () => {
    stopPings();
    if (isOwn) routes.leave(id);
  });
}

/** The session of a new socket; null after telling the client why it has none. */
function join(client: WebSocket, request: IncomingMessage, routes: OpenEnvRoutes) {
  try {
    return routes.join(new URL(request.url ?? '', 'http://localhost').searchParams.get('session_id'));
  } catch (error) {
    const { message } = error as Error;
    const isFull = error instanceof Refusal;
    const more = isFull && { active_sessions: maxSessions, max_sessions: maxSessions };
    const code = error instanceof OpenEnvFault ? error.code : isFull ? 'CAPACITY_REACHED' : 'SESSION_ERROR';
    client.send(JSON.stringify({ type: 'error', data: { message, code, ...more } }));
    client.close(1013);
    return null;
  }
}

/** @returns what ends them */
function sendPings(client: WebSocket): () => void {
  let isAlive = true;
  client.on('pong', () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive) client.terminate();
    isAlive = false;
    client.ping();
  }, pingMs);
  timer.unref();
  return () => clearInterval(timer);
}
