/** Plays episodes through a server and compares all that the agent and the trainer see with what `ToolEnv` shows. */
import { inflateSync } from 'node:zlib';
import { expect } from 'vitest';
import { expectedEpisodes, type ExpectedCall, type Selection } from './expected';
import type { Client, ServedHere } from './served';

/** Compares the episodes with what the server answers. @returns how many texts were compared */
export async function compare({ client, run }: ServedHere, selection: Selection): Promise<number> {
  let texts = 0;
  for (const { split, index, prompt, images, calls } of await expectedEpisodes(run, selection)) {
    const { sid, prompt: shown } = await client.begin(split, index);
    expect(shown[0].text).toBe(prompt);
    expect(shown.slice(1).map(({ data }) => pixelsOf(data))).toEqual(images);
    for (const each of calls) await compareCall(client, sid, each);
    const { name, input } = calls.at(-1)!;
    expect(await client.call(sid, name, input)).toMatchObject({ ok: false, reason: 'episode_finished' });
    texts += 1 + calls.length;
    await client.post('/delete', {}, sid);
  }
  return texts;
}

async function compareCall(client: Client, sid: string, expected: ExpectedCall): Promise<void> {
  const { name, input, text, images, error, end } = expected;
  const result = await client.call(sid, name, input);
  expect(result.ok).toBe(true);
  const { blocks, reward, finished, metadata } = result.output;
  expect(blocks[0].text).toBe(text);
  expect(blocks.slice(1).map(({ data }) => pixelsOf(data))).toEqual(images);
  expect(metadata?.error).toBe(error);
  expect([reward, finished]).toEqual([end?.reward ?? null, end !== undefined]);
  if (end) expect(metadata).toMatchObject({ end: end.reason, success: end.success });
}

/** Red, green and blue of a PNG whose rows have no filter. */
function pixelsOf(base64: string): number[] {
  const file = Buffer.from(base64, 'base64');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    const isData = file.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(data));
  const rowBytes = width * 3 + 1;
  return Array.from({ length: height }, (_, y) => [...rows.subarray(y * rowBytes + 1, (y + 1) * rowBytes)]).flat();
}
