/** Whatever a client does, it gets an answer, and the other clients go on. */
import { createConnection, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxBodyBytes, startServer } from '../../../src/cli/serve/http';
import { Refusal } from '../../../src/cli/serve/answer';
import { maxSessions, sessionLifeMs, Sessions } from '../../../src/cli/serve/sessions';
import { serve, serveModule, type ServedHere } from './served';
import { own } from './own-world';

let served: ServedHere;
beforeAll(async () => {
  served = await serve('calculator', { token: 'secret' });
});
afterAll(() => served.close());

const authorized = { 'X-API-Key': 'secret', 'X-Session-ID': 'one' };
const ask = (path: string, init: RequestInit) => served.client.ask(path, { method: 'POST', ...init });
const post = (path: string, body: string | Uint8Array<ArrayBuffer>) => ask(path, { headers: authorized, body });

describe('who may ask', () => {
  test('the token is asked of every route but the health of the server', async () => {
    expect(await served.client.get('/tools')).toEqual({
      status: 401,
      json: { detail: 'The token is missing or wrong: send it as X-API-Key.' },
    });
    expect((await served.client.ask('/tools', { headers: { 'X-API-Key': 'secrets' } })).status).toBe(401);
    expect((await served.client.ask('/tools', { headers: { Authorization: 'Bearer secret' } })).status).toBe(200);
    expect((await served.client.ask('/tools', { headers: authorized })).status).toBe(200);
    expect((await served.client.get('/health')).status).toBe(200);
  });

  test.each([
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example:80', 403],
    ['localhost:1234', 200],
    ['api.localhost', 200],
    ['[::1]:80', 200],
  ])('the host %s: %i', async (host, status) => {
    expect(
      await statusOf(`GET /tools HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: secret\r\nConnection: close\r\n\r\n`),
    ).toBe(status);
  });

  test('a page of another origin is refused, one of this machine is not', async () => {
    const from = (origin: string) => served.client.ask('/tools', { headers: { ...authorized, Origin: origin } });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('http://localhost:5173')).status).toBe(200);
  });
});

describe('a hostile body', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
    ['no JSON', '{"split"', 422],
    ['no text', Uint8Array.of(0xff, 0xfe, 0x22), 422],
    ['no object', '[]', 422],
    ['nothing', '', 422],
    ['a wrong type', '{"split": 3, "index": 0}', 422],
    ['a fraction', '{"split": "train", "index": 0.5}', 422],
    ['no such split', '{"split": "__proto__", "index": 0}', 400],
    ['an index before the first', '{"split": "train", "index": -1}', 400],
    ['an index behind the last', '{"split": "train", "index": 64}', 400],
    ['two tasks', '{"split": "train", "index": 1, "task_spec": {"split": "train", "index": 1}}', 422],
    ['no task', '{}', 422],
    ['half a task', '{"split": "train"}', 422],
    ['a task of another server', '{"task_spec": {"split": "train", "index": 1, "id": "other"}}', 400],
    ['deep nesting', '['.repeat(30_000) + ']'.repeat(30_000), 422],
    ['too many bytes', `{"split": "${'a'.repeat(maxBodyBytes)}"}`, 413],
    ['a megabyte and more', 'a'.repeat(3_000_000), 413],
  ])('%s', async (_, body, status) => {
    const answered = await post('/create', body).catch(() => null);
    // A client that sends much more than is read may find its connection closed.
    if (answered === null) expect(status).toBe(413);
    else {
      expect(answered.status).toBe(status);
      expect(answered.json).toMatchObject({ detail: expect.stringMatching(/^[A-Z].+\.$/s) as string });
    }
    expect((await served.client.get('/health')).status).toBe(200);
  });

  test('a body of as many bytes as are allowed is read', async () => {
    const body = JSON.stringify({ split: 'train', index: 0 });
    expect((await post('/task', body.padEnd(maxBodyBytes))).status).toBe(200);
  });

  test('a session without an id, one that is not there, a route that is not there', async () => {
    const headers = { 'X-API-Key': 'secret' };
    expect((await ask('/create', { headers, body: '{"split": "train", "index": 0}' })).status).toBe(400);
    const unknown = { ...headers, 'X-Session-ID': 'none' };
    for (const path of ['/ping', '/call']) {
      const answered = await ask(path, { headers: unknown, body: '{"name": "calc", "input": {}}' });
      expect(answered.status).toBe(404);
    }
    expect((await served.client.ask('/prompt', { headers: unknown })).status).toBe(404);
    expect((await ask('/nothing', { headers })).status).toBe(404);
    expect((await served.client.ask('/call', { headers })).status).toBe(404);
    expect((await served.client.ask('/%ff', { headers })).status).toBe(400);
  });

  test('arguments that nest deep, or are no object', async () => {
    const { client } = await serveModule(own());
    const { sid } = await client.begin('train', 0);
    let deep: object = {};
    for (let i = 0; i < 40; i++) deep = { inner: deep };
    const { output } = await client.call(sid, 'say', deep as never);
    expect(output.blocks[0].text).toBe(
      'error: The call cannot be read. It nests deeper than 32 levels: write a flatter value.',
    );
    expect((await client.post('/call', { name: 'say', input: [1] }, sid)).status).toBe(422);
    const wrong = await client.call(sid, 'answer', { text: 3 });
    expect(wrong.output).toMatchObject({ metadata: { error: 'invalid-arguments' }, finished: false });
  });
});

describe('a client that goes away', () => {
  test('in a call: the call is played once, and others go on', async () => {
    const { client, address, faults } = await serveModule(
      own('for (let i = 0; i < 2e4; i++); return say(args.text, context)'),
    );
    const { sid } = await client.begin('train', 0);
    const dying = await open(address);
    const body = '{"name": "say", "input": {"text": "a"}}';
    dying.write(
      `POST /call HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: ${sid}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    dying.destroy();
    const other = await client.begin('train', 1);
    expect((await client.call(other.sid, 'say', { text: 'a' })).ok).toBe(true);
    expect((await client.call(sid, 'say', { text: 'a' })).output.blocks[0].text).toBe('a 2');
    expect(faults).toEqual([]);
  });

  test('in the middle of a request, or without reading', async () => {
    const half = await open(served.address);
    half.write('POST /create HTTP/1.1\r\nHost: localhost\r\nX-API-Key: secret\r\nContent-Length: 500\r\n\r\n{"spl');
    const slow = await open(served.address);
    slow.pause();
    const body = '{"split": "train"}';
    const head = 'POST /tasks HTTP/1.1\r\nHost: localhost\r\nX-API-Key: secret\r\n';
    slow.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(50));
    expect((await post('/task', '{"split": "train", "index": 1}')).status).toBe(200);
    half.destroy();
    slow.destroy();
    expect((await post('/task', '{"split": "train", "index": 1}')).status).toBe(200);
  });

  test('and asks for the answer again: a call that was sent runs once', async () => {
    const { client } = await serveModule(own());
    const { sid } = await client.begin('train', 0);
    const events = await client.events('/call', { name: 'say', input: { text: 'a' } }, sid);
    const taskId = events[0].data;
    expect(events.map(({ event }) => event)).toEqual(['task_id', 'end']);
    const again = await client.events('/call', { name: 'say', input: { text: 'a' }, task_id: taskId }, sid);
    expect(again).toEqual(events);
    expect((await client.call(sid, 'say', { text: 'a' })).output.blocks[0].text).toBe('a 2');
    const unknown = await client.events('/call', { name: 'say', input: {}, task_id: 'none' }, sid);
    expect(unknown.at(-1)).toEqual({ event: 'error', data: 'unknown task_id' });
  });
});

test('/create twice: the same task is the same session, another one is refused', async () => {
  const { client } = await serveModule(own());
  const body = { split: 'train', index: 3 };
  const both = await Promise.all([client.post('/create', body, 'twice'), client.post('/create', body, 'twice')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  await client.call('twice', 'say', { text: 'a' });
  expect((await client.post('/create', body, 'twice')).status).toBe(200);
  expect((await client.call('twice', 'say', { text: 'a' })).output.blocks[0].text).toBe('a 2');
  expect((await client.post('/create', { split: 'train', index: 4 }, 'twice')).status).toBe(400);
});

test('calls of one session are played in the order they came, at most 32 of them wait', async () => {
  const { client } = await serveModule(own(), { set: ['rollout.maxTurns=64'] });
  const { sid } = await client.begin('train', 0);
  const calls = await Promise.all(Array.from({ length: 30 }, () => client.call(sid, 'say', { text: 'a' })));
  const texts = calls.map(({ output }) => output.blocks[0].text);
  expect(new Set(texts)).toEqual(new Set(Array.from({ length: 30 }, (_, i) => `a ${i + 1}`)));
});

describe('sessions', () => {
  class Kept {}

  test('there are at most so many; one that nobody asks for is forgotten, and makes room', () => {
    let nowMs = 0;
    const sessions = new Sessions(() => nowMs);
    for (let i = 0; i < maxSessions; i++) {
      sessions.requireRoom();
      sessions.add(String(i), new Kept());
    }
    expect(() => sessions.requireRoom()).toThrow(Refusal);
    nowMs = sessionLifeMs;
    expect(sessions.get('7', Kept)).toBeInstanceOf(Kept);
    nowMs++;
    expect(sessions.get('8', Kept)).toBeUndefined();
    sessions.requireRoom();
    expect(sessions.get('7', Kept)).toBeInstanceOf(Kept);
  });

  test('a refusal for want of room says when to come again', async () => {
    const sessions = new Sessions();
    for (let i = 0; i < maxSessions; i++) sessions.add(String(i), new Kept());
    const answer = () => {
      sessions.requireRoom();
      return null;
    };
    const { server, address } = await startServer({ port: 0, answer, onFault: () => undefined });
    const response = await fetch(`${address}/create`, { method: 'POST' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
    server.close();
  });
});

test('a port that is taken is a sentence', async () => {
  const port = Number(new URL(served.address).port);
  await expect(serve('bandit', { port })).rejects.toThrow(
    `The port ${port} cannot be used: another program listens there. Name another one with --port.`,
  );
});

function open(address: string): Promise<Socket> {
  const socket = createConnection(Number(new URL(address).port), '127.0.0.1');
  return new Promise((resolve, reject) => socket.once('connect', () => resolve(socket)).once('error', reject));
}

/** The status of an answer to a request as it is written. */
async function statusOf(request: string): Promise<number> {
  const socket = await open(served.address);
  socket.write(request);
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}
