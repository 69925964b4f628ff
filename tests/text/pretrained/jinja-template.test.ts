import { describe, expect, it, test } from 'vitest';
import { jinjaTemplate } from '../../../src/text/pretrained/jinja-template';
import { qwenFile, tokenizerVectors } from '../../helpers/qwen-tokenizer';

const qwen = (JSON.parse(new TextDecoder().decode(qwenFile('tokenizer_config.json'))) as { chat_template: string })
  .chat_template;

test.each(tokenizerVectors.templates)("Qwen3's template renders: $name", async ({ messages, tools, options, text }) => {
  const render = await jinjaTemplate(qwen);
  expect(render({ messages, tools, ...options })).toBe(text);
});

test('equal messages give equal text: a template knows no time', async () => {
  const render = await jinjaTemplate(`{{ strftime_now('%Y') }}`);
  expect(() => render({})).toThrow(/^The chat template cannot be used: .*\.$/);
});

describe('what templates use is there', () => {
  test.each<[string, string]>([
    ['{% for x in range(2, 7, 2) %}{{ x }}{% if not loop.last %},{% endif %}{% endfor %}', '2,4,6'],
    [
      '{% for x in range(5) %}{% if x == 1 %}{% continue %}{% elif x == 3 %}{% break %}{% endif %}{{ x }}{% endfor %}',
      '02',
    ],
    ['{% macro f(x) %}[{{ x }}]{% endmacro %}{{ f(1) }}{{ f(x="a") }}', '[1][a]'],
    [`{{ [1, {"a": none}] | tojson }}`, '[1, {"a": null}]'],
    [`{{ {"a": [1]} | tojson(indent=2) }}`, '{\n  "a": [\n    1\n  ]\n}'],
    [`{{ ["a", "b"] | join(", ") }}{{ "a-b" | replace("-", "+") }}{{ missing | default("x") }}`, 'a, ba+bx'],
    [`{% set ns = namespace(n=1) %}{% for i in [1,2] %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}`, '4'],
    [`{{ messages[0].get("tool_calls", []) | length }}{{ messages[0]["content"].split("<|")[0] }}`, '0hi '],
  ])('%s', async (template, text) => {
    const render = await jinjaTemplate(template);
    expect(render({ messages: [{ role: 'user', content: 'hi <|x|>' }] })).toBe(text);
  });
});

describe('a hostile template is refused by one sentence', () => {
  const long = `{% set x = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' %}`;
  const nested = (depth: number) => '{% for i in range(4000) %}'.repeat(depth) + '{% endfor %}'.repeat(depth);
  it.each<[string, string, string]>([
    ['that is none', '{% if %}', ''],
    ['that raises', `{{ raise_exception('no system message') }}`, 'no system message'],
    ['of great length', ' '.repeat(70_000), 'it has 70000 characters'],
    ['that loops', nested(5), 'does not end within the work'],
    [
      'that loops over nothing',
      '{% for i in range(4000) %}{% for j in range(4000) if false %}{% endfor %}{% endfor %}',
      'does not end',
    ],
    ['that makes a long list', '{% for i in range(1000000000) %}{% endfor %}', 'a list would have 1000000000 items'],
    ['that doubles a text', long + '{% set x = x + x %}'.repeat(40) + '{{ x }}', 'a text has'],
    ['that doubles it in a loop', long + '{% for i in range(40) %}{% set x = x ~ x %}{{ x }}{% endfor %}', ''],
    [
      'that doubles it in a namespace',
      `${long}{% set n = namespace(x=x) %}{% for i in range(40) %}{% set n.x = n.x ~ n.x %}{% endfor %}`,
      'a text has',
    ],
    ['that doubles a list', '{% set x = [1] %}' + '{% set x = x + x %}'.repeat(40), 'a list has'],
    [
      'that nests a list in itself twice',
      `{% set x = ['a'] %}` + '{% set x = [x, x] %}'.repeat(60) + '{{ x | tojson }}',
      'a list holds too much',
    ],
    [
      'that nests namespaces',
      `{% set n = namespace(a=1) %}{% set n.a = n %}{{ n.a.a }}`,
      'a namespace is put into another value',
    ],
    ['that repeats a replacement', long + `{% set x = x * 1 %}`, ''],
    ['that blows up by replacing', long + '{% set x = x + x %}'.repeat(8) + `{{ x.replace('a', x) }}`, 'is too long'],
    ['that blows up by a filter', long + '{% set x = x + x %}'.repeat(8) + `{{ x | replace('a', x) }}`, 'is too long'],
    [
      'that blows up by a method of a name',
      long + '{% set x = x + x %}'.repeat(8) + `{% set f = x.replace %}{{ f('a', x) }}`,
      'is too long',
    ],
    [
      'that joins by a long text',
      long + '{% set x = x + x %}'.repeat(8) + `{{ range(4000) | join(x) }}`,
      'is too long',
    ],
    ['that indents', `{{ 'a\nb' | indent(100000000) }}`, 'is too long'],
    ['that calls itself', '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', 'nests deeper'],
    [
      'that calls itself twice',
      '{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}',
      '',
    ],
    ['of brackets', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`, 'nests too deep'],
    ['that ends a loop without one', '{% break %}', 'it ends a loop where there is none'],
  ])(
    '%s',
    async (_, template, sentence) => {
      const error = await jinjaTemplate(template).then(
        (render) => {
          try {
            return new Error(`it gave ${render({ messages: [] }).length} characters`);
          } catch (thrown) {
            return thrown as Error;
          }
        },
        (thrown: Error) => thrown,
      );
      expect(error.message).toMatch(/^The chat template cannot be used: [^\n]{1,210}\.$/);
      expect(error.message).toContain(sentence);
    },
    30_000,
  );
});
