import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { violations } from './helpers/tree-rules';

const root = join(import.meta.dirname, '..');

test('the tree keeps its rules', () => {
  expect(violations(readTree(['src', 'shaders', 'tests']))).toEqual([]);
});

test.each<[string, Record<string, string>, string]>([
  [
    'an import from above',
    { 'src/device/a.ts': `import '../ops/b';`, 'src/ops/b.ts': 'x;' },
    'src/device/a.ts imports src/ops/b.ts: floor 1 may not know floor 2.',
  ],
  [
    'an import from beside',
    { 'src/share/a.ts': `import type { B } from '../model/b';`, 'src/model/b.ts': 'x;' },
    'src/share/a.ts imports src/model/b.ts: both folders are on floor 3.',
  ],
  [
    'a type taken in a type position',
    { 'src/lib/a.ts': `let b: import('../device/b').B;` },
    'src/lib/a.ts imports src/device/b: floor 0 may not know floor 1.',
  ],
  [
    'a type taken in JSDoc',
    { 'src/lib/a.js': `/** @type {import('../device/b').B} */ let b;` },
    'src/lib/a.js imports src/device/b: floor 0 may not know floor 1.',
  ],
  [
    'a dynamic import',
    { 'src/lib/a.ts': `void import('../device/b');` },
    'src/lib/a.ts imports src/device/b: floor 0 may not know floor 1.',
  ],
  [
    'a re-export from above',
    { 'src/lib/a.ts': `export { b } from '../device/b'; let c;` },
    'src/lib/a.ts imports src/device/b: floor 0 may not know floor 1.',
  ],
  [
    'an import inside Svelte',
    { 'src/ui/view/A.svelte': `<script lang="ts">import { t } from '../../rl/t';</script><p>hi</p>` },
    'src/ui/view/A.svelte imports values from src/rl/t: ui/ takes only types from there, so write "import type".',
  ],
  [
    'values in ui from the protocol',
    { 'src/ui/base/a.ts': `import { x } from '../../worker/protocol';`, 'src/worker/protocol.ts': 'x;' },
    'src/ui/base/a.ts imports values from src/worker/protocol.ts: ui/ takes only types from there, so write ' +
      '"import type".',
  ],
  [
    'an import inside rl from later in the iteration',
    { 'src/rl/rollouts/a.ts': `import type { B } from '../learner/b';`, 'src/rl/learner/b.ts': 'x;' },
    'src/rl/rollouts/a.ts imports src/rl/learner/b.ts, which comes later in an iteration.',
  ],
  [
    'an import of a loose file of rl from a folder',
    { 'src/rl/learner/a.ts': `import { b } from '../trainer';`, 'src/rl/trainer.ts': 'x;' },
    'src/rl/learner/a.ts imports src/rl/trainer.ts, which comes later in an iteration.',
  ],
  [
    'an import of a layer from outside of its family',
    { 'src/rl/a.ts': `import { b } from '../model/transformer/b';`, 'src/model/transformer/b.ts': 'x;' },
    'src/rl/a.ts imports src/model/transformer/b.ts: only src/model/transformer/ knows its layers, so ask for a Model.',
  ],
  ['a folder of rl in no order', { 'src/rl/more/a.ts': 'x;' }, 'src/rl/more/a.ts is in no folder of the iteration'],
  [
    'an import inside ui from a later folder',
    { 'src/ui/view/a.ts': `import type { B } from '../state/b';`, 'src/ui/state/b.ts': 'x;' },
    'src/ui/view/a.ts imports src/ui/state/b.ts: view may not know state.',
  ],
  ['a folder of ui in no order', { 'src/ui/more/a.ts': 'x;' }, 'src/ui/more/a.ts is in no folder of the page'],
  [
    'two folders of ui that import each other',
    {
      'src/ui/panels/a/one.ts': `import '../b/one';`,
      'src/ui/panels/b/one.ts': 'x;',
      'src/ui/panels/b/two.ts': `import '../a/two';`,
      'src/ui/panels/a/two.ts': 'x;',
    },
    'Folders of src/ui import each other: panels/a, panels/b.',
  ],
  [
    'the whole state of the page in a component',
    {
      'src/ui/panels/a/A.svelte': `<script lang="ts">import '../../state/page-state.svelte';</script><p>hi</p>`,
      'src/ui/state/page-state.svelte.ts': 'x;',
    },
    'src/ui/panels/a/A.svelte imports src/ui/state/page-state.svelte.ts: ask state/contexts.ts for the part',
  ],
  ['a file on no floor', { 'src/utils/a.ts': 'x;' }, 'src/utils/a.ts is on no floor: put it into one of the folders'],
  [
    'a stranger in an environment',
    { 'src/environments/a.js': `import _ from 'lodash';` },
    `src/environments/a.js imports lodash: an environment may import only agentlet and agentlet/search.`,
  ],
  [
    'a circle, types included',
    { 'src/lib/a.ts': `import type { B } from './b';`, 'src/lib/b.ts': `import './a';` },
    'These import each other in a circle: src/lib/a.ts → src/lib/b.ts → src/lib/a.ts.',
  ],
  [
    'a barrel',
    { 'src/lib/a.ts': `export * from './b';`, 'src/lib/b.ts': 'x;' },
    'src/lib/a.ts only re-exports: import from the files themselves instead of a barrel.',
  ],
  [
    'a WebGPU class',
    { 'src/ops/a.ts': 'let b: GPUBuffer;' },
    `src/ops/a.ts names GPUBuffer: only device/webgpu/ names WebGPU's classes.`,
  ],
  [
    'a shader loaded',
    { 'src/rl/a.ts': `import code from '../../shaders/a.wgsl?raw';` },
    'src/rl/a.ts holds WGSL or loads it: only device/ reads shaders, the others name them.',
  ],
  [
    'a look for Node',
    { 'src/lib/a.ts': `if (typeof process === 'object') b();` },
    'src/lib/a.ts asks for "process": only cli/ may know that it runs in Node.',
  ],
  [
    'a module of Node',
    { 'src/lib/a.ts': `import 'node:fs';` },
    'src/lib/a.ts imports node:fs: only cli/ may know that it runs in Node.',
  ],
  [
    'a long file',
    { 'src/lib/a.ts': 'x;\n'.repeat(401) },
    'src/lib/a.ts has 401 lines: at most 400, so split it by noun.',
  ],
  [
    'a wide comment of a test',
    { 'tests/lib/a.ts': `// ${'a'.repeat(118)}\nx;` },
    'tests/lib/a.ts:1: a line of 121 columns: at most 120.',
  ],
  [
    'a wide line of a test',
    { 'tests/lib/a.ts': `const a = '${'a'.repeat(109)}';` },
    'tests/lib/a.ts:1: a line of 122 columns: at most 120.',
  ],
  [
    'a wide line',
    { 'src/lib/a.ts': `const a = '${'a'.repeat(109)}';` },
    'src/lib/a.ts:1: a line of 122 columns: at most 120.',
  ],
  [
    'a long shader',
    { 'shaders/a.wgsl': '// a\n'.repeat(151) },
    'shaders/a.wgsl has 151 lines: at most 150, so split it by noun.',
  ],
  [
    'a shader without a header',
    { 'shaders/a.wgsl': '@compute fn a() {}' },
    `shaders/a.wgsl has no header: open it with its formula and its tensors' shapes.`,
  ],
  [
    'a long function',
    { 'src/lib/a.ts': `function b() {${'\n'.repeat(60)}}` },
    'src/lib/a.ts:1: b has 61 lines: at most 60.',
  ],
])('%s is one violation', (_, sources, sentence) => {
  const found = violations(new Map(Object.entries(sources)));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(sentence);
});

test('what the rules allow is no violation', () => {
  const sources = {
    'src/lib/a.ts': 'export const process = { env: 1 }; export const b = process;',
    'src/device/webgpu/device.ts':
      `import { a } from '../../lib/a'; import code from '../../../shaders/a.wgsl?raw';` + `export let d: GPUDevice;`,
    'src/cli/run.ts': `import { d } from '../device/webgpu/device'; import 'node:fs'; process.exit();`,
    'src/share/link.ts': 'export interface Link {}',
    'src/worker/protocol.ts': `export type { Link } from '../share/link'; export interface Api {}`,
    'src/ui/state/page-state.svelte.ts':
      `import type { Api } from '../../worker/protocol'; import { type Link } from '../../share/link';\n` +
      `import Worker from '../../worker/t.ts?worker';`,
    'src/ui/app/App.svelte':
      `<script lang="ts">import '../state/page-state.svelte'; ` + `import '../base/base.css';</script>`,
    'src/main.ts': `import App from './ui/app/App.svelte'; mount(App);`,
    'src/environments/sdk.js': `import { x } from 'agentlet';`,
    'src/environments/a.js': `import { search } from 'agentlet/search';`,
    'src/environments/search.js': `import MiniSearch from 'minisearch';`,
    'src/environments/built-in.ts': `import text from 'minisearch?raw';`,
  };
  expect(violations(new Map(Object.entries(sources)))).toEqual([]);
});

function readTree(folders: string[]): Map<string, string> {
  const sources = new Map<string, string>();
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|js|mjs|svelte|css|wgsl)$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      sources.set(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8'));
    }
  }
  return sources;
}
