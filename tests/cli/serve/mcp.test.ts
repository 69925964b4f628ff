/** The Model Context Protocol, as the client of its official SDK speaks it. */
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { maxBodyBytes } from '../../../src/cli/serve/http';
import { answerTool } from '../../../src/cli/serve/answer-tool';
import { expectedEpisodes, errs, oracle, type ExpectedEpisode } from './expected';
import { own } from './own-world';
import { serve, serveModule } from './served';

/** @param headers of every request */
async function connect(address: string, headers: Readonly<Record<string, string>> = {}) {
  const client = new McpClient({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

type Connected = Awaited<ReturnType<typeof connect>>['client'];

async function promptOf(client: Connected) {
  const { messages } = await client.getPrompt({ name: 'task' });
  return messages.map(({ content }) => ('text' in content ? content.text : content.type));
}

/** Text, kinds of further blocks, whether it failed, and what is told of the reward. */
async function call(client: Connected, name: string, input: unknown) {
  const called = await client.callTool({ name, arguments: input as Record<string, unknown> });
  const [{ text }, ...more] = called.content as { type: string; text?: string }[];
  return { text, more: more.map(({ type }) => type), isError: called.isError, meta: called._meta };
}

async function compare(client: Connected, { prompt, images, calls }: ExpectedEpisode): Promise<void> {
  expect(await promptOf(client)).toEqual([prompt, ...images.map(() => 'image')]);
  for (const { name, input, text, images, error, end } of calls)
    expect(await call(client, name, input)).toMatchObject({
      text,
      more: images.map(() => 'image'),
      isError: error !== undefined,
      meta: {
        reward: end?.reward ?? null,
        finished: end !== undefined,
        ...(end && { end: end.reason, success: end.success }),
      },
    });
}

test.each(['calculator', 'frozen-lake', 'pixels'])('%s: a session is the next task, equal to ToolEnv', async (name) => {
  const served = await serve(name);
  onTestFinished(() => served.close());
  for (const [at, script] of [oracle, errs].entries()) {
    const episodes = await expectedEpisodes(served.run, { split: 'train', count: at + 1, script, replica: 0 });
    const { client } = await connect(served.address);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(
      served.world.tools.map((tool) => tool.name),
    );
    expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(['task']);
    await compare(client, episodes[at]);
    expect(await call(client, 'answer', { text: '1' })).toMatchObject({
      text: 'answer did not run: the episode has ended and takes no calls.',
      isError: true,
    });
  }
});

test('the world is introduced: its title, the words of its system message, its tools with their schemas', async () => {
  const { address } = await serveModule(own(undefined, { meta: "system: 'Be brief.'," }));
  const { client } = await connect(address);
  expect(client.getServerVersion()).toEqual({ name: 'own', title: 'Own', version: '1.2.3' });
  expect(client.getInstructions()).toBe('Be brief.');
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ name: 'say', description: 'Says it.' }, { inputSchema: answerTool.parameters }]);
  await expect(client.getPrompt({ name: 'other' })).rejects.toThrow('There is no such prompt; there is task.');
});

test('a world that breaks is an answer, and the session of another client goes on', async () => {
  const { address, faults } = await serveModule(
    own('if (args.text === "hang") for (;;); return say(args.text, context)'),
  );
  const [{ client: broken }, { client: other }] = [await connect(address), await connect(address)];
  const [hung, well] = await Promise.all([call(broken, 'say', { text: 'hang' }), call(other, 'say', { text: 'a' })]);
  expect(hung).toMatchObject({ text: 'The environment was stopped: it used up its fuel.', isError: true });
  expect(well.text).toBe('a 1');
  expect(faults).toEqual([]);
});

test('a world that cannot begin is an error, in a sentence', async () => {
  const { address } = await serveModule(
    own().replace("({ text: 'it begins', state: { n: 0 } })", '{ throw new Error("no way"); }'),
  );
  const { client } = await connect(address);
  await expect(client.getPrompt({ name: 'task' })).rejects.toThrow('could not begin: Error: no way');
});

test('the token is asked, another Host and Origin are refused, and bodies have an end', async () => {
  const { address } = await serveModule(own(), { token: 'secret' });
  await expect(connect(address)).rejects.toThrow('The token is missing or wrong');
  const { client } = await connect(address, { Authorization: 'Bearer secret' });
  expect(await promptOf(client)).toHaveLength(1);
  await expect(connect(address, { 'X-API-Key': 'secret', Origin: 'https://evil.example' })).rejects.toThrow(
    'no page of another origin',
  );
  await expect(call(client, 'say', { text: 'a'.repeat(maxBodyBytes) })).rejects.toThrow('at most 65536 bytes');
  expect((await call(client, 'say', { text: 'a' })).text).toBe('a 1');
});

test('a session that ended is 404, a request before any is 400, a stream of events is 405', async () => {
  const { address } = await serveModule(own());
  const ask = async (method: string, headers: Readonly<Record<string, string>>, body?: object) => {
    const all = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', ...headers };
    return (await fetch(`${address}/mcp`, { method, headers: all, body: body && JSON.stringify(body) })).status;
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { client, transport } = await connect(address);
  const session = { 'Mcp-Session-Id': transport.sessionId! };
  expect(await ask('POST', session, list)).toBe(200);
  expect(await ask('POST', session, { jsonrpc: '2.0', method: 'notifications/cancelled' })).toBe(202);
  expect(await ask('POST', session, [])).toBe(202);
  await transport.terminateSession();
  expect(await ask('POST', session, list)).toBe(404);
  expect(await ask('POST', { 'Mcp-Session-Id': 'none' }, list)).toBe(404);
  expect(await ask('POST', {}, list)).toBe(400);
  expect(await ask('GET', {})).toBe(405);
  await expect(client.listTools()).rejects.toThrow();
});
