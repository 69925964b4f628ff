/** Makes links for the fuzzer: valid ones of every shape, then damaged or hostile ones. Opens none. */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { configFields, type Field } from '../../src/config/fields';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { configFromScalars } from '../../src/config/scalars';
import { presets } from '../../src/config/presets';
import { runLink, type RunSoFar } from '../../src/config/run-link';
import { isValidated } from '../../src/share/claim';
import { toBase64Url } from '../../src/share/base64url';
import type { Choices } from './random';

const fields = configFields();
const strangeTexts = [
  '',
  ' ',
  '0',
  '-0',
  '1e999',
  'NaN',
  'null',
  '0x10',
  '9'.repeat(400),
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(5000),
  '\u0000',
  '\u202Egnp.exe',
  '\uD800',
  '\uDFFF\uD800',
  'calcul\u0430tor',
  '\u{1F468}\u200D\u{1F469}',
  '%',
  '%E0%A4%A',
  '%u0041',
  '%00',
  '+',
  '#',
  '?',
  '&',
  '=',
  '/../../etc/passwd',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
  '${1}',
  '{{1}}',
  '\r\nSet-Cookie: a',
];
const keys = [
  ...fields.map(({ key }) => key),
  'v',
  'ev',
  'preset',
  'x',
  'env',
  'opt.max',
  'opt.__proto__',
  'reward.correct',
  'reward.a b',
];

/** A config that a person could have made by hand, and the run so far if there is one. */
export function randomRun(choices: Choices): { config: RunConfig; run: RunSoFar | null } {
  const preset = choices.of(presets);
  const scalars = Object.fromEntries(
    choices.many(0, 12, () => choices.of(fields)).map((field) => [field.key, scalarOf(field, choices)]),
  );
  const { config } = configFromScalars({ ...scalars, seed: String(choices.below(2 ** 32)) }, preset.config);
  const source = choices.once(3)
    ? choices.many(1, 40, () => choices.of(['const a = 1;\n', 'Grüße ', '…', '\u{1F600}', '"\\'])).join('')
    : undefined;
  const environment = source === undefined ? config.environment : { ...config.environment, name: 'mine', source };
  return {
    config: parseConfig({ ...config, environment }),
    run: choices.once(2) ? randomProgress(config, choices) : null,
  };
}

function scalarOf(field: Field, choices: Choices): string {
  const { kind, min = -10, max = 10 } = field;
  if (kind === 'flag') return choices.of(['on', 'off']);
  if (kind === 'choice') return choices.of(field.choices!);
  const share = choices.below(1001) / 1000;
  const value = min + share * (Math.min(max, 1e6) - min);
  return String(kind === 'integer' ? Math.round(value) : value);
}

/** As a run of this config shows it. */
const randomProgress = (config: RunConfig, choices: Choices): RunSoFar => ({
  validation: Array.from({ length: config.iterations }, (_, i) => i + 1)
    .filter((iteration) => isValidated(config, iteration))
    .slice(0, 1 + choices.below(64))
    .map((iteration) => ({ iteration, success: choices.below(1001) / 1000 })),
  fingerprint: choices.many(1, Math.min(8, config.iterations), () => toHex(choices) + toHex(choices)),
  adapter: choices.of(['llvmpipe (LLVM 19.1.7, 256 bits)', 'apple m3', 'GPU ®']),
  device: choices.of(['cpu', 'gpu']),
});

const toHex = (choices: Choices): string =>
  choices
    .below(2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** A link that may be anything. */
export async function hostileLink(choices: Choices): Promise<string> {
  const { config, run } = randomRun(choices);
  let link = await runLink(config, run);
  if (choices.once(3)) link = `${withoutBlob(link)}&x=${hostileBlob(choices)}`;
  for (let change = choices.below(6); change > 0; change--) link = choices.of(damages)(link, choices);
  return choices.of(['', '#', '#/lab?', 'https://example.org/a/#/lab?', '#/lab?#/lab?', '?']) + link;
}

const withoutBlob = (link: string): string => link.replace(/&x=[^&]*/, '');

const insert = (text: string, at: number, piece: string): string => text.slice(0, at) + piece + text.slice(at);

const damages: readonly ((link: string, choices: Choices) => string)[] = [
  (link, choices) => link.slice(0, choices.below(link.length + 1)),
  (link, choices) => link.slice(choices.below(link.length + 1)),
  (link, choices) => insert(link, choices.below(link.length + 1), choices.of(strangeTexts)),
  (link, choices) => `${link}&${choices.of(keys)}=${encodeURIComponent(choices.of(strangeTexts).toWellFormed())}`,
  (link, choices) => `${choices.of(keys)}=${choices.of(strangeTexts)}&${link}`,
  (link, choices) => link + `&${choices.of(keys)}${choices.below(100)}=1`.repeat(choices.below(4000)),
  (link, choices) => `${link}&${choices.of(link.split('&'))}`,
  (link) => link.split('&').reverse().join('&'),
  (link, choices) => flipCharacter(link, choices.below(Math.max(1, link.length)), 1 << choices.below(7)),
  (link) => link.toUpperCase(),
  (link) => encodeURIComponent(link.toWellFormed()),
  (link) => `${link}&${link}`,
  (link, choices) => link + 'A'.repeat(choices.below(60_000)),
];

const flipCharacter = (text: string, at: number, bit: number): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bit) + text.slice(at + 1);

/** The packed part: right inside and wrong outside, or the other way round. */
function hostileBlob(choices: Choices): string {
  const json = hostileJson(choices);
  const bytes = choices.once(8) ? Buffer.from(json, 'utf16le') : Buffer.from(json);
  const packed = choices.of([deflateRawSync, deflateRawSync, deflateRawSync, gzipSync, (whole: Buffer) => whole])(
    bytes,
  );
  if (choices.once(4)) packed[choices.below(packed.length)] ^= 1 << choices.below(8);
  if (choices.once(8)) return toBase64Url(packed.subarray(0, choices.below(packed.length)));
  return toBase64Url(choices.once(8) ? Buffer.concat([packed, packed]) : packed);
}

function hostileJson(choices: Choices): string {
  const values = [
    'null',
    '1',
    '-1',
    '1e999',
    '"a"',
    '""',
    '[]',
    '{}',
    'true',
    '"\\ud800"',
    '"\\u0000"',
    '1.5',
    '[[[[]]]]',
    '["0123456789abcdef"]',
    '[[1,0.5]]',
    `"${'A'.repeat(86)}"`,
    '"javascript:alert(1)"',
    '['.repeat(5000) + ']'.repeat(5000),
    '{"a":'.repeat(5000) + '1' + '}'.repeat(5000),
  ];
  const names = [
    'source',
    'validation',
    'curve',
    'reached',
    'fingerprint',
    'adapter',
    '__proto__',
    'constructor',
    'toJSON',
    'bytecode',
    'autorun',
    'sour\\u0063e',
    '',
  ];
  const members = choices.many(0, 6, () => `"${choices.of(names)}":${choices.of(values)}`).join(',');
  const bomb = choices.once(20) ? ' '.repeat(1_000_000 * (1 + choices.below(20))) : '';
  return (
    bomb +
    choices.of([
      `{${members}}`,
      `{${members}}`,
      `{${members}}`,
      `[${members}]`,
      `{${members}`,
      `\uFEFF{${members}}`,
      choices.of(values),
    ])
  );
}
