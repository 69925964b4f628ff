/** The committed requests are answered as they were: a client that was written for these answers still understands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askAgain, Ids, TestSocket, type Exchanges } from './replay';
import { serve } from './served';

const file = JSON.parse(readFileSync(join(import.meta.dirname, 'exchanges.json'), 'utf8')) as Exchanges;

test('every request of the file is answered as it was', async () => {
  const served = await serve(file.world);
  const ids = new Ids();
  for (const exchange of file.http) expect(await askAgain(served.address, exchange, ids)).toEqual(exchange);
  const socket = await TestSocket.open(`${served.address}/ws`);
  for (const { send, receive } of file.socket) expect(ids.named(await socket.ask(send))).toEqual(receive);
  await served.close();
});

test('the file has every route of both protocols', () => {
  const asked = new Set(file.http.map(({ request }) => request.replace(/^(\w+) .*\//, '$1 ')));
  const get = ['health', 'version', 'list_environments', 'tools', 'splits', 'prompt', 'messages', 'task_tools'];
  const post = ['num_tasks', 'task', 'tasks', 'task_range', 'create_session', 'create', 'call', 'ping', 'delete'];
  const ofOpenEnv = [
    'GET metadata',
    'GET schema',
    'GET openapi.json',
    'GET state',
    'POST reset',
    'POST step',
    'POST mcp',
  ];
  for (const route of [...get.map((each) => `GET ${each}`), ...post.map((each) => `POST ${each}`), ...ofOpenEnv])
    expect(asked).toContain(route);
  expect(asked).toContain('POST delete_session');
  const types = new Set(file.socket.map(({ send }) => (send as { readonly type: string }).type));
  expect(types).toEqual(new Set(['reset', 'step', 'state', 'mcp', 'other']));
});
