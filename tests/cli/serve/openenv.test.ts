/** OpenEnv's socket: a connection is a session, and a hostile one disturbs no other. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxBodyBytes } from '../../../src/cli/serve/http';
import { own } from './own-world';
import { TestSocket } from './replay';
import { serve, serveModule, type ServedHere } from './served';

let served: ServedHere;
beforeAll(async () => {
  served = await serve('calculator', { token: 'secret' });
});
afterAll(() => served.close());

const key = { 'X-API-Key': 'secret' };
const open = (path = '/ws') => TestSocket.open(`${served.address}${path}`, key);
const fault = (code: string) => ({ type: 'error', data: { code } });

test('who does not know the token, names another host or another path gets no socket', async () => {
  await expect(TestSocket.open(`${served.address}/ws`)).rejects.toThrow('401');
  await expect(TestSocket.open(`${served.address}/ws`, { ...key, Host: 'evil.example' })).rejects.toThrow('403');
  await expect(TestSocket.open(`${served.address}/ws`, { ...key, Origin: 'https://evil.example' })).rejects.toThrow(
    '403',
  );
  await expect(open('/other')).rejects.toThrow('404');
  await (await open('/openenv/ws')).ask({ type: 'reset' });
});

test.each([
  ['{"type"', 'INVALID_JSON'],
  ['[]', 'VALIDATION_ERROR'],
  ['{"type": "reset", "data": {"index": -1}}', 'VALIDATION_ERROR'],
  ['{"type": "reset", "data": {"split": "__proto__"}}', 'VALIDATION_ERROR'],
  ['{"type": "reset", "data": 3}', 'VALIDATION_ERROR'],
  ['{"type": "step", "data": {"tool_name": "calc", "arguments": [1]}}', 'VALIDATION_ERROR'],
  [`{"type": "step", "data": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'VALIDATION_ERROR'],
  ['{"type": "sing"}', 'UNKNOWN_TYPE'],
])('%.40s is answered with %s', async (message, code) => {
  const socket = await open();
  expect(await socket.askText(message)).toMatchObject(fault(code));
  expect(await socket.ask({ type: 'reset' })).toMatchObject({ type: 'observation' });
});

test('a message that is too long ends its own connection alone', async () => {
  const [socket, other] = [await open(), await open()];
  socket.socket.send('a'.repeat(maxBodyBytes + 1));
  expect(await socket.closed()).toBe(1009);
  expect(await other.ask({ type: 'state' })).toEqual({ type: 'state', data: { episode_id: null, step_count: 0 } });
});

test('a client that sends without waiting is cut off, one that asks to close is closed', async () => {
  const [flood, polite] = [await open(), await open()];
  for (let i = 0; i < 200; i++) flood.socket.send('{"type": "reset"}');
  expect(await flood.closed()).toBe(1008);
  polite.socket.send('{"type": "close"}');
  expect(await polite.closed()).toBe(1000);
});

test('without an index each reset opens the next task; a seed says which, and repeats it', async () => {
  const { address } = await serveModule(own(), { tasks: 3 });
  const socket = await TestSocket.open(`${address}/ws`);
  const reset = async (data: { seed?: number; index?: number }) =>
    ((await socket.ask({ type: 'reset', data })) as { data: { metadata: { index: number } } }).data.metadata.index;
  const indices = [await reset({}), await reset({}), await reset({}), await reset({})];
  expect(indices).toEqual([0, 1, 2, 0]);
  expect([await reset({ seed: 5 }), await reset({ seed: 5 }), await reset({ index: 1, seed: 9 })]).toEqual([2, 2, 1]);
});

test('a session of /mcp is joined by a socket, and closed by its owner', async () => {
  const { address, client } = await serveModule(own());
  const rpc = async (method: string, params: { [key: string]: string | object }) =>
    (await client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params: params as never })).json as {
      readonly result: { readonly session_id: string; readonly data: string };
      readonly error?: object;
    };
  const { session_id: id } = (await rpc('openenv/session/create', {})).result;
  const socket = await TestSocket.open(`${address}/ws?session_id=${id}`);
  await socket.ask({ type: 'reset', data: { index: 0 } });
  const call = () => rpc('tools/call', { name: 'say', arguments: { text: 'a' }, session_id: id });
  expect((await call()).result.data).toBe('a 1');
  expect(await socket.ask({ type: 'step', data: { tool_name: 'say', arguments: { text: 'b' } } })).toMatchObject({
    data: { observation: { result: 'b 2' } },
  });
  socket.socket.close();
  await socket.closed();
  expect((await call()).result.data).toBe('a 3');
  expect((await rpc('openenv/session/close', { session_id: id })).result).toEqual({ session_id: id, closed: true });
  expect((await call()).error).toMatchObject({ code: -32602 });
  const lost = await TestSocket.open(`${address}/ws?session_id=${id}`);
  expect(await lost.next()).toMatchObject(fault('SESSION_ERROR'));
});

test('a world that breaks is an EXECUTION_ERROR, and the next episode is played', async () => {
  const { address } = await serveModule(own('if (args.text === "hang") for (;;); return say(args.text, context)'));
  const socket = await TestSocket.open(`${address}/ws`);
  await socket.ask({ type: 'reset' });
  expect(await socket.ask({ type: 'step', data: { tool_name: 'say', arguments: { text: 'hang' } } })).toEqual({
    type: 'error',
    data: { message: 'The environment was stopped: it used up its fuel.', code: 'EXECUTION_ERROR' },
  });
  await socket.ask({ type: 'reset' });
  expect(await socket.ask({ type: 'step', data: { tool_name: 'say', arguments: { text: 'a' } } })).toMatchObject({
    data: { observation: { result: 'a 1' }, done: false },
  });
});
