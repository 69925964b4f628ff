import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

/** What ECMAScript defines to the last bit. */
const exactMath =
  'abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc|E|LN2|LN10|LOG2E|LOG10E|PI|SQRT1_2|SQRT2';

/** Such braces and brackets only keep Prettier from giving each property or element a line of its own. */
const noObjectSpread = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties themselves instead of spreading a literal into a literal.',
};
const noListSpread = {
  selector: 'ArrayExpression > SpreadElement > ArrayExpression',
  message: 'Write the elements themselves instead of spreading a literal into a literal.',
};

export default ts.config(
  // shaders/*.ts are AssemblyScript.
  { ignores: ['dist/', 'dist-lib/', 'runs/', 'public/', 'test-results/', 'shaders/'] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      // The type checker knows every name, WebGPU's included.
      'no-undef': 'off',
      // svelte-check knows which warnings there are to ignore.
      'svelte/no-unused-svelte-ignore': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true },
      ],
      'no-sequences': 'error',
      'no-restricted-syntax': ['error', noObjectSpread, noListSpread],
      '@typescript-eslint/no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true }],
      // Text that comes from models and guests is searched for control characters on purpose.
      'no-control-regex': 'off',
      // It takes every URL or Date that is built and thrown away for state.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    // The page's policy refuses each of these, and only when it is run.
    files: ['src/**'],
    rules: {
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'setHTMLUnsafe'].map((property) => ({
          property,
          message: 'Markup is written in Svelte and never made from text.',
        })),
      ],
    },
  },
  {
    // What these compute is part of a run, whose bits are the same in every engine.
    files: ['src/{lib,text,device,ops,agent,model,algorithms,config,rl}/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        noObjectSpread,
        noListSpread,
        {
          selector: `:not(MemberExpression[computed=false][property.name=/^(${exactMath})$/]) > Identifier[name='Math']`,
          message: 'Engines differ in these bits: use src/lib/portable-math.ts.',
        },
        {
          selector: "BinaryExpression[operator='**'], AssignmentExpression[operator='**=']",
          message: 'Engines differ in the bits of powers: multiply, or use exp and log of src/lib/portable-math.ts.',
        },
      ],
    },
  },
  {
    // Its lists of words are read by the line.
    files: ['src/environments/**'],
    rules: { 'no-restricted-syntax': ['error', noObjectSpread] },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
);
