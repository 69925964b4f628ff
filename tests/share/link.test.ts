import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Purpose, bits } from '../../src/lib/rng';
import { toBase64Url } from '../../src/share/base64url';
import { decodeLink, encodeLink, maxLinkCharacters, type LinkContents } from '../../src/share/link';
import { goldenLinks } from './golden-links';

const [golden] = goldenLinks;

const contents: LinkContents = {
  preset: 'calculator',
  engineVersion: '0.4.0',
  shared: true,
  scalars: { seed: '7', lr: '3e-4', 'reward.correct': '2' },
  source: "export const meta = { title: 'Grüße' };\n",
  validation: [1, 4, 8, 12].map((iteration) => ({ iteration, success: iteration / 16 })),
  fingerprint: ['0123456789abcdef', 'fedcba9876543210'],
  adapter: 'a GPU',
};

const pack = (json: string | Uint8Array): string => toBase64Url(deflateRawSync(json));
const decodePacked = (json: string | Uint8Array) => decodeLink(`v=1&ev=0.1.0&preset=calculator&seed=7&x=${pack(json)}`);

test('a link shows its settings and hides the rest', async () => {
  const link = await encodeLink(contents);
  expect(link).toMatch(
    /^v=1&ev=0\.4\.0&preset=calculator&from=share&seed=7&lr=3e-4&reward\.correct=2&x=[A-Za-z0-9_-]+$/,
  );
  const own = { preset: 'calculator', engineVersion: '0.4.0', shared: false, scalars: {} };
  expect(await encodeLink(own)).toBe('v=1&ev=0.4.0&preset=calculator');
});

test.each(['', '#', '#/lab?', 'https://example.org/agentlet/#/lab?', 'https://example.org/?utm=1#'])(
  'what was written is read back behind %j',
  async (prefix) => {
    const read = await decodeLink(prefix + (await encodeLink(contents)));
    expect(read).toEqual({
      ...contents,
      rows: null,
      rowsDigest: null,
      pretrained: null,
      rounds: null,
      curve: null,
      reached: null,
      problem: null,
      notices: [],
    });
  },
);

test('of a long run the link keeps 64 validations, the first and the last among them, to four digits', async () => {
  const validation = Array.from({ length: 1000 }, (_, i) => ({ iteration: 5 * i + 1, success: i / 999 }));
  const read = (await decodeLink(await encodeLink({ ...contents, validation }))).validation!;
  expect(read).toHaveLength(64);
  expect([read[0], read[63]]).toEqual([validation[0], validation[999]]);
  for (const { iteration, success } of read) expect(success).toBeCloseTo((iteration - 1) / 5 / 999, 4);
});

test('a link is a letter if it says so or carries what a run has shown; the page’s address is neither', async () => {
  const shared = async (link: string) => (await decodeLink(link)).shared;
  expect(
    await shared(await encodeLink({ ...contents, shared: false, validation: undefined, fingerprint: undefined })),
  ).toBe(false);
  expect(await shared('v=1&preset=bandit')).toBe(false);
  expect(await shared('v=1&preset=bandit&from=share')).toBe(true);
  expect(await shared(golden)).toBe(true);
  expect(await shared(await encodeLink({ ...contents, shared: false }))).toBe(true);
});

test('the golden link decodes', async () => {
  const { curve, ...read } = await decodeLink(golden);
  expect(read).toEqual({
    ...contents,
    engineVersion: '0.1.0',
    rows: null,
    rowsDigest: null,
    pretrained: null,
    rounds: null,
    validation: null,
    reached: 60,
    problem: null,
    notices: [],
  });
  expect(curve?.map((share) => Math.round(share * 255))).toEqual(
    Array.from({ length: 64 }, (_, i) => Math.round((255 * i) / 63)),
  );
});

test('a link never ends in punctuation', async () => {
  for (let seed = 0; seed < 64; seed++)
    expect(await encodeLink({ ...contents, adapter: `adapter ${seed}` })).toMatch(/[A-Za-z0-9]$/);
});

test('an address without settings is an empty link', async () => {
  for (const text of ['', '#/lab', 'https://example.org/#/runs'])
    expect(await decodeLink(text)).toMatchObject({ preset: null, scalars: {}, notices: [] });
});

test('a source too large for a link is refused in a sentence', async () => {
  const source = Array.from({ length: 65536 }, (_, i) =>
    String.fromCharCode(32 + (bits(1, Purpose.task, i) % 95)),
  ).join('');
  await expect(encodeLink({ ...contents, source })).rejects.toThrow(
    /needs a link of \d+ characters and 48000 is the limit/,
  );
});

describe('a bad blob is the link’s problem, and says why', () => {
  const oversized = `{"source":"${'a'.repeat(65537)}"}`;
  test.each([
    ['not base64url', 'v=1&seed=7&x=ab$c', /was probably cut or changed/],
    ['an impossible length', 'v=1&seed=7&x=abcde', /was probably cut or changed/],
    ['not deflate', `v=1&seed=7&x=${toBase64Url(Uint8Array.of(255, 254, 253))}`, /does not unpack/],
    ['cut short', golden.slice(0, -20), /does not unpack/],
    ['a decompression bomb', `v=1&seed=7&x=${pack(' '.repeat(8_000_000))}`, /more than 256 KiB/],
    ['not UTF-8', `v=1&seed=7&x=${pack(Uint8Array.of(34, 0xff, 0xfe, 34))}`, /not JSON/],
    ['not JSON', `v=1&seed=7&x=${pack('{"source":')}`, /not JSON/],
    ['deep JSON', `v=1&seed=7&x=${pack('['.repeat(200_000))}`, /not JSON/],
    ['an unknown part', `v=1&seed=7&x=${pack('{"autorun":true}')}`, /part "autorun" that this version does not know/],
    ['a prototype', `v=1&seed=7&x=${pack('{"__proto__":{"source":"x"}}')}`, /part "__proto__"/],
    ['a constructor', `v=1&seed=7&x=${pack('{"constructor":1}')}`, /part "constructor"/],
    ['a part twice', `v=1&seed=7&x=${pack('{"adapter":"a","adap\\u0074er":"b"}')}`, /names a part twice/],
    ['a byte-order mark', `v=1&seed=7&x=${pack('\uFEFF{"adapter":"a"}')}`, /not JSON/],
    ['an array', `v=1&seed=7&x=${pack('[]')}`, /its content is not what it should be/],
    ['a curve of another length', `v=1&seed=7&x=${pack('{"curve":"AAAA"}')}`, /its curve is not/],
    ['a curve of no length', `v=1&seed=7&x=${pack(`{"curve":"${'A'.repeat(86)}"}`)}`, /its content is not/],
    ['a length without a curve', `v=1&seed=7&x=${pack('{"reached":3}')}`, /its content is not/],
    ['no validation', `v=1&seed=7&x=${pack('{"validation":[]}')}`, /its validation is not/],
    ['validations out of order', `v=1&seed=7&x=${pack('{"validation":[[4,1],[4,1]]}')}`, /its validation is not/],
    ['more than all tasks solved', `v=1&seed=7&x=${pack('{"validation":[[1,2]]}')}`, /its validation\.0\.1 is not/],
    ['a source too long', `v=1&seed=7&x=${pack(oversized)}`, /its source is not/],
    ['an empty fingerprint', `v=1&seed=7&x=${pack('{"fingerprint":[]}')}`, /its fingerprint is not/],
    ['a fingerprint that is none', `v=1&seed=7&x=${pack('{"fingerprint":["<b>"]}')}`, /its fingerprint\.0 is not/],
  ])('%s', async (_, link, why) => {
    const read = await decodeLink(link);
    expect(read).toMatchObject({
      source: null,
      validation: null,
      curve: null,
      reached: null,
      fingerprint: null,
      adapter: null,
    });
    expect(read.problem).toMatch(why);
    expect(read.problem).toMatch(/^Its packed part cannot be used: .*\.$/);
  });
});

test.each([1, 2, 1000])('%d bytes behind the end of the packed part make the link unreadable', async (count) => {
  for (const json of ['{"adapter":"a"}', JSON.stringify({ source: 'a'.repeat(5000) }), '{}']) {
    const stream = deflateRawSync(json);
    expect((await decodeLink(`v=1&x=${toBase64Url(stream)}`)).problem).toBeNull();
    for (const filler of [0, 255, 3]) {
      const read = await decodeLink(`v=1&x=${toBase64Url(new Uint8Array([...stream, ...Array(count).fill(filler)]))}`);
      expect(read.problem).toMatch(/does not unpack/);
      expect(read).toMatchObject({ source: null, adapter: null });
    }
  }
});

test('a link over the limit or of another format is not read, and says so', async () => {
  expect(await decodeLink(`v=1&seed=7&x=${'a'.repeat(maxLinkCharacters)}`)).toMatchObject({
    scalars: {},
    problem: expect.stringMatching(/48\d+ characters and 48000 is the limit/),
  });
  expect(await decodeLink('v=2&seed=7')).toMatchObject({
    scalars: {},
    problem: expect.stringMatching(/another link format/),
  });
});

test('keys that mean something to JavaScript are only keys, and the first of several wins', async () => {
  const { scalars, notices } = await decodeLink('v=1&__proto__=a&constructor=b&seed=1&seed=2&=c');
  expect(notices).toEqual(['This link says "seed" more than once; the first is used.']);
  expect(Object.getPrototypeOf(scalars)).toBe(Object.prototype);
  expect(Object.entries(scalars)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['seed', '1'],
    ['', 'c'],
  ]);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test('text that a URL must escape survives', async () => {
  const scalars = { 'opt.mode': 'a&b=c#d?e %+ü\u202E"<script>' };
  expect((await decodeLink(`#/lab?${await encodeLink({ ...contents, scalars })}`)).scalars).toEqual(scalars);
});

test('200 damaged links: never an exception, always something to show', async () => {
  const alphabet = 'ABCabc019-_=&%#?+$\u0000ü\uD800';
  for (let seed = 0; seed < 200; seed++) {
    const draw = (n: number, k: number): number => bits(seed, Purpose.shuffle, k) % n;
    const letters = [...golden];
    for (let change = 0; change <= draw(6, 0); change++) {
      const at = draw(letters.length, 10 * change + 1);
      const replacement = alphabet[draw(alphabet.length, 10 * change + 2)];
      const kind = draw(4, 10 * change + 3);
      if (kind === 0) letters[at] = replacement;
      else if (kind === 1) letters.splice(at, draw(30, 10 * change + 4));
      else if (kind === 2) letters.splice(at, 0, replacement);
      else letters.length = Math.max(1, at);
    }
    const read = await decodeLink(letters.join(''));
    expect(Array.isArray(read.notices)).toBe(true);
    if (read.curve !== null) expect(read.curve).toHaveLength(64);
  }
});

test('random blobs: deflated noise and noise as deflate', async () => {
  for (let seed = 0; seed < 100; seed++) {
    const noise = Uint8Array.from(
      { length: 1 + (bits(seed, Purpose.task) % 300) },
      (_, i) => bits(seed, Purpose.task, i) & 255,
    );
    for (const link of [`v=1&x=${toBase64Url(noise)}`, `v=1&x=${pack(noise)}`])
      expect((await decodeLink(link)).problem).not.toBeNull();
  }
});

test('a valid blob decodes without a notice whatever its order and spacing', async () => {
  expect((await decodePacked(' { "fingerprint": ["0123456789abcdef"],\n "adapter": "x" } ')).problem).toBeNull();
});

test('a colon inside a text is no key, and names of devices hold nothing invisible', async () => {
  const { adapter, source, notices } = await decodePacked(
    JSON.stringify({ adapter: 'a\u202E\u0000b', source: '{"a\\\\": "b\\"": 1}' }),
  );
  expect({ adapter, source, notices }).toEqual({ adapter: 'a??b', source: '{"a\\\\": "b\\"": 1}', notices: [] });
});
