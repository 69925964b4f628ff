/**
 * The rules of the source tree (`src/ARCHITECTURE.md`) as a function from sources to sentences. It reads the files'
 * syntax with the TypeScript compiler and runs none of them; what it is given may as well be made up, and so its own
 * tests do.
 */
import { posix } from 'node:path';
import ts from 'typescript';

/** Folders of `src` by floor: a file imports from lower floors and its own folder only. */
export const FLOORS: Readonly<Record<string, number>> = {
  lib: 0,
  device: 1,
  text: 1,
  ops: 2,
  agent: 2,
  model: 3,
  sandbox: 3,
  environments: 3,
  share: 3,
  lessons: 3,
  algorithms: 4,
  config: 5,
  rl: 6,
  'environment-check': 7,
  presentation: 9,
  run: 8,
  worker: 9,
  library: 10,
  cli: 11,
  ui: 12,
};
/**
 * Folders of `src/rl` in the order of an iteration: a file imports from its own and earlier ones; loose files from all.
 */
export const RL_ORDER = ['rollouts', 'learner', 'diagnostics', ''];
/** Folders of `src/ui`: a file imports from its own and earlier ones. */
export const UI_ORDER = ['trainer', 'base', 'view', 'state', 'panels', 'pages', 'app'];
/** What the page takes values from: pure functions. Of the rest of the engine it takes types. */
const PURE_FOLDERS = ['lib', 'share', 'lessons', 'algorithms', 'config', 'presentation'];
/** The state of the page, and the only file that makes it. */
const WHOLE_STATE = 'src/ui/state/page-state.svelte.ts';
const STATE_MAKER = 'src/ui/app/App.svelte';
const MAIN = 'src/main.ts';
const MAIN_FLOOR = 13;
/** Outside `device/webgpu/`, only these take a `GPU` object from their surroundings and pass it in. */
const GPU_ENTRANCES = ['src/cli/node-gpu.ts', 'src/worker/trainer.worker.ts'];
/** The list of families, and the bench, which times shapes of its own. */
const FAMILY_ENTRANCES = ['src/model/families.ts', 'src/cli/bench/models.ts'];
/** Every change of these changes the recorded observations of their guests, so their long sentences stay. */
const WIDE_FILES = ['src/sandbox/dispatcher.js', 'src/sandbox/values.js'];
const MAX_LINES = 400;
const MAX_WGSL_LINES = 150;
const MAX_FUNCTION_LINES = 60;
const MAX_COLUMNS = 120;

/** File path from the root of the repository → its text. */
export type Sources = ReadonlyMap<string, string>;

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Path of the imported file, or null for a package. */
  readonly target: string | null;
}

interface Module {
  readonly path: string;
  readonly folder: string;
  readonly floor: number;
  readonly syntax: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** One sentence for each way in which the sources break a rule; empty if they keep them all. */
export function violations(sources: Sources): string[] {
  const modules = [...sources]
    .filter(([path]) => path.startsWith('src/') && /\.(ts|js|mjs|svelte)$/.test(path) && !path.endsWith('.d.ts'))
    .map(([path, text]) => readModule(path, text, sources));
  return [
    ...[...sources].flatMap(([path, text]) => sizeAndHeader(path, text)),
    ...modules.flatMap((module) => [
      ...floorRules(module),
      ...rlRule(module),
      ...familyRule(module),
      ...uiRule(module),
      ...uiOrderRule(module),
      ...wholeStateRule(module),
      ...barrelRule(module),
      ...nameRules(module),
      ...functionRule(module),
    ]),
    ...cycles(modules),
    ...folderCycles(modules),
  ];
}

function sizeAndHeader(path: string, text: string): string[] {
  const sentences: string[] = [];
  const lines = text.trimEnd().split('\n').length;
  const max = path.endsWith('.wgsl') ? MAX_WGSL_LINES : MAX_LINES;
  if (lines > max) sentences.push(`${path} has ${lines} lines: at most ${max}, so split it by noun.`);
  if (path.endsWith('.wgsl') && !/^\s*\/[/*]/.test(text))
    sentences.push(`${path} has no header: open it with its formula and its tensors' shapes.`);
  text.split('\n').forEach((line, i) => {
    // Neither can be broken: a row of a Markdown table, and a regular expression.
    const isOneToken = path.startsWith('tests/') && /^\||^\s*\/[^/*].*\/\w*[,;]?$/.test(line);
    if (!isOneToken && !WIDE_FILES.includes(path) && line.length > MAX_COLUMNS)
      sentences.push(`${path}:${i + 1}: a line of ${line.length} columns: at most ${MAX_COLUMNS}.`);
  });
  return sentences;
}

function floorRules({ path, folder, floor, imports }: Module): string[] {
  if (Number.isNaN(floor))
    return [`${path} is on no floor: put it into one of the folders ${Object.keys(FLOORS).join(', ')}.`];
  return imports.flatMap(({ specifier, target }) => {
    if (target === null) {
      const foreign =
        folder === 'environments' && !specifier.endsWith('?raw') && !guestModules(path).includes(specifier);
      return foreign
        ? [`${path} imports ${specifier}: an environment may import only ${guestModules(path).join(' and ')}.`]
        : [];
    }
    if (!target.startsWith('src/') || folderOf(target) === folder) return [];
    const below = floorOf(target);
    if (below < floor) return [];
    const why = below === floor ? `both folders are on floor ${floor}` : `floor ${floor} may not know floor ${below}`;
    return [`${path} imports ${target}: ${why}.`];
  });
}

function rlRule({ path, folder, imports }: Module): string[] {
  if (folder !== 'rl') return [];
  const place = (file: string) => RL_ORDER.indexOf(file.split('/').length > 3 ? file.split('/')[2] : '');
  if (place(path) < 0) return [`${path} is in no folder of the iteration: ${RL_ORDER.filter(Boolean).join(', ')}.`];
  return imports.flatMap(({ target }) =>
    target?.startsWith('src/rl/') && place(target) > place(path)
      ? [`${path} imports ${target}, which comes later in an iteration.`]
      : [],
  );
}

/** What the sandbox serves: to environments the SDK, to the SDK's search the library that it rests on. */
function guestModules(path: string): readonly string[] {
  return path === 'src/environments/search.js' ? ['minisearch'] : ['agentlet', 'agentlet/search'];
}

function uiRule({ path, folder, imports }: Module): string[] {
  if (folder !== 'ui') return [];
  return imports.flatMap(({ specifier, target, typeOnly }) => {
    if (target === null || !target.startsWith('src/') || folderOf(target) === 'ui') return [];
    if (folderOf(target) === 'worker' && /\?worker\b/.test(specifier)) return [];
    return typeOnly || PURE_FOLDERS.includes(folderOf(target))
      ? []
      : [`${path} imports values from ${target}: ui/ takes only types from there, so write "import type".`];
  });
}

function uiOrderRule({ path, folder, imports }: Module): string[] {
  if (folder !== 'ui') return [];
  const place = (file: string) => UI_ORDER.indexOf(file.split('/')[2]);
  if (place(path) < 0) return [`${path} is in no folder of the page: ${UI_ORDER.join(', ')}.`];
  return imports.flatMap(({ target }) =>
    target?.startsWith('src/ui/') && place(target) > place(path)
      ? [`${path} imports ${target}: ${UI_ORDER[place(path)]} may not know ${UI_ORDER[place(target)]}.`]
      : [],
  );
}

/** Everybody but its maker asks for the part of the page's state that they need. */
function wholeStateRule({ path, imports }: Module): string[] {
  return imports.flatMap(({ target }) =>
    target === WHOLE_STATE && path !== STATE_MAKER && path.startsWith('src/')
      ? [`${path} imports ${target}: ask state/contexts.ts for the part that it needs.`]
      : [],
  );
}

/** Folders of the page that import each other. A file beside its folders (`state/commands.ts`) may know them all. */
function folderCycles(modules: readonly Module[]): string[] {
  const folderOfPage = (path: string) => (path.startsWith('src/ui/') ? path.split('/').slice(2, -1).slice(0, 2) : []);
  const known = new Map<string, Set<string>>();
  for (const { path, imports } of modules)
    for (const { target } of imports) {
      const [from, to] = [folderOfPage(path), folderOfPage(target ?? '')];
      if (from.length === 2 && to.length === 2 && from[0] === to[0] && from[1] !== to[1])
        known.set(from.join('/'), (known.get(from.join('/')) ?? new Set()).add(to.join('/')));
    }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(known.get(from) ?? [])].some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
  const circle = [...known.keys()].filter((each) => reaches(each, each)).sort();
  return circle.length > 0 ? [`Folders of src/ui import each other: ${circle.join(', ')}.`] : [];
}

/** A family of models is a folder of src/model: others know its members as `Model`. */
function familyRule({ path, imports }: Module): string[] {
  const familyOf = (file: string | null) => /^src\/model\/[^/]+\//.exec(file ?? '')?.[0];
  return imports.flatMap(({ target }) => {
    const family = familyOf(target);
    if (family === undefined || family === familyOf(path) || FAMILY_ENTRANCES.includes(path)) return [];
    return [`${path} imports ${target}: only ${family} knows its layers, so ask for a Model.`];
  });
}

function barrelRule({ path, syntax }: Module): string[] {
  const { statements } = syntax;
  const barrel =
    statements.some(ts.isExportDeclaration) &&
    statements.every((s) => ts.isExportDeclaration(s) || ts.isImportDeclaration(s));
  return barrel ? [`${path} only re-exports: import from the files themselves instead of a barrel.`] : [];
}

/** Rules about what a floor may call by name: GPU classes, WGSL, Node. */
function nameRules({ path, folder, syntax, imports }: Module): string[] {
  const sentences = new Set<string>();
  const inWebGpu = path.startsWith('src/device/webgpu/');
  walk(syntax, (node) => {
    if (ts.isIdentifier(node) && /^GPU([A-Z]|$)/.test(node.text) && !inWebGpu && !GPU_ENTRANCES.includes(path)) {
      sentences.add(`${path} names ${node.text}: only device/webgpu/ names WebGPU's classes.`);
    }
    if (ts.isStringLiteralLike(node) && /\.wgsl\b|@compute\b/.test(node.text) && folder !== 'device') {
      sentences.add(`${path} holds WGSL or loads it: only device/ reads shaders, the others name them.`);
    }
    if (asksForNode(node) && folder !== 'cli')
      sentences.add(`${path} asks for "process": only cli/ may know that it runs in Node.`);
  });
  for (const { specifier } of imports) {
    if (specifier.startsWith('node:') && folder !== 'cli')
      sentences.add(`${path} imports ${specifier}: only cli/ may know that it runs in Node.`);
  }
  return [...sentences];
}

function asksForNode(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || node.text !== 'process') return false;
  const { parent } = node;
  if (ts.isTypeOfExpression(parent)) return true;
  if (!ts.isPropertyAccessExpression(parent)) return false;
  return parent.expression === node || parent.expression.getText() === 'globalThis';
}

function functionRule({ path, syntax }: Module): string[] {
  const sentences: string[] = [];
  walk(syntax, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return;
    const first = syntax.getLineAndCharacterOfPosition(node.getStart()).line;
    const lines = syntax.getLineAndCharacterOfPosition(node.end).line - first + 1;
    const name = node.name?.getText() ?? 'a function';
    if (lines > MAX_FUNCTION_LINES)
      sentences.push(`${path}:${first + 1}: ${name} has ${lines} lines: at most ${MAX_FUNCTION_LINES}.`);
  });
  return sentences;
}

/** Each circle of imports once, types included. */
function cycles(modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const finished = new Set<string>();
  const trail: string[] = [];
  const sentences: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0)
      sentences.push(`These import each other in a circle: ${[...trail.slice(start), path].join(' → ')}.`);
    if (start >= 0 || finished.has(path)) return;
    trail.push(path);
    for (const { target } of byPath.get(path)?.imports ?? []) if (target) visit(target);
    trail.pop();
    finished.add(path);
  };
  for (const { path } of modules) visit(path);
  return sentences;
}

function readModule(path: string, text: string, sources: Sources): Module {
  const script = path.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]).join('\n')
    : text;
  const kind = /\.m?js$/.test(path) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const syntax = ts.createSourceFile(path, script, ts.ScriptTarget.Latest, true, kind);
  const imports = importsOf(syntax).map(({ specifier, typeOnly }) => ({
    specifier,
    typeOnly,
    target: resolve(path, specifier, sources),
  }));
  return { path, folder: folderOf(path), floor: floorOf(path), syntax, imports };
}

function importsOf(syntax: ts.SourceFile): Omit<Import, 'target'>[] {
  const found: Omit<Import, 'target'>[] = [];
  walk(syntax, (node) => {
    if (ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier)) {
      found.push({ specifier: (node.moduleSpecifier as ts.StringLiteral).text, typeOnly: isTypeOnly(node) });
    } else if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      found.push({ specifier: node.argument.literal.text, typeOnly: true });
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteralLike(node.arguments[0])
    ) {
      found.push({ specifier: node.arguments[0].text, typeOnly: false });
    }
  });
  // Types that JavaScript takes through JSDoc stand in comments.
  const types = [
    ...syntax.text.matchAll(/@import [^\n]*? from ['"]([^'"]+)['"]/g),
    ...syntax.text.matchAll(/\{[^\n]*?\bimport\(['"]([^'"]+)['"]\)/g),
  ];
  if (syntax.fileName.endsWith('js')) found.push(...types.map((match) => ({ specifier: match[1], typeOnly: true })));
  return found;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (!clause) return false;
  const names = clause.namedBindings;
  return (
    clause.isTypeOnly ||
    (!clause.name &&
      !!names &&
      ts.isNamedImports(names) &&
      names.elements.length > 0 &&
      names.elements.every((e) => e.isTypeOnly))
  );
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function resolve(from: string, specifier: string, sources: Sources): string | null {
  if (!/^\.{0,2}\//.test(specifier)) return null;
  const bare = specifier.replace(/\?.*$/, '');
  const path = bare.startsWith('/') ? bare.slice(1) : posix.join(posix.dirname(from), bare);
  return (
    ['', '.ts', '.js', '.mjs', '.d.ts'].map((ending) => path + ending).find((candidate) => sources.has(candidate)) ??
    path
  );
}

function folderOf(path: string): string {
  return path.split('/').length > 2 ? path.split('/')[1] : '';
}

function floorOf(path: string): number {
  return path === MAIN ? MAIN_FLOOR : (FLOORS[folderOf(path)] ?? NaN);
}
