/**
 * `npm run cpu-bits`: computes the hashes of engine-bits.ts in Node, Chromium and Firefox, compares them with those of
 * one thread in Node and the constants of the tests, and writes bits.json, to which bits.test.ts holds Node. Exits with
 * 1, and writes nothing, if two differ or a browser is missing.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, isRunnableDevEnvironment } from 'vite';
import { compileScript, cpuKernels } from '../../../src/cli/build/cpu-kernels-plugin.js';
import { nodeThreads } from '../../../src/cli/cpu-threads';
import { inBrowsers, type Seen } from '../engines/in-browsers';
import { portableSha256 } from '../../helpers/portable-bits';
import { samples, vectorMathScript } from '../../helpers/vector-math';
import type * as EngineBitsModule from './engine-bits';
import type { EngineBits } from './engine-bits';

/** Hashes by name. */
type Hashes = Readonly<Record<string, string>>;

async function main(): Promise<void> {
  const math = await compileScript(vectorMathScript);
  const seen = [await inNode(math), ...(await inBrowsers<EngineBits>('bits', { 'math.wasm': math }))];
  const { kernels, steps, halves } = seen[0].answer.device[0].bits;
  const vectorMath = Object.fromEntries(samples.map(({ name, points, sha256 }) => [`${name}, ${points}`, sha256]));
  const different: string[] = [];
  const alike = (hashes: Hashes, expected: Hashes, where: string): string => {
    const names = Object.keys(expected);
    const others = names.filter((name) => hashes[name] !== expected[name]);
    different.push(...others.map((name) => `${name} differs in ${where}.`));
    return `${names.length - others.length} of ${names.length} alike`;
  };
  const rows = seen.flatMap(({ engine, answer }) =>
    answer.device.map(({ threads, bits }) => {
      const where = `${engine}, ${threads} threads`;
      return {
        engine,
        threads,
        kernels: alike(bits.kernels, kernels, where),
        '20 training steps': alike({ weights: bits.steps }, { weights: steps }, where),
        'product of halves': alike({ numbers: bits.halves }, { numbers: halves }, where),
        'vector functions': alike(answer.vectorMath, vectorMath, where),
        'portable functions': alike({ doubles: answer.portableMath }, { doubles: portableSha256 }, where),
      };
    }),
  );
  console.table(rows);
  for (const sentence of different) console.log(sentence);
  if (seen.length < 3) console.log('A Chromium and a Firefox are needed for a whole comparison.');
  const agree = seen.length === 3 && different.length === 0;
  if (agree) {
    const file = {
      about: 'Written by npm run cpu-bits.',
      engines: seen.map(({ engine }) => engine),
      kernels,
      steps,
      halves,
    };
    await writeFile(join(import.meta.dirname, '../../cpu/bits.json'), `${JSON.stringify(file, null, 1)}\n`);
  }
  process.exitCode = agree ? 0 : 1;
}

/** Through Vite, since the kernels are a module of its plugin. */
async function inNode(math: Uint8Array<ArrayBuffer>): Promise<Seen<EngineBits>> {
  const server = await createServer({
    configFile: false,
    plugins: [cpuKernels()],
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const environment = server.environments.ssr;
    if (!isRunnableDevEnvironment(environment)) throw new Error('Vite runs no modules in this process.');
    const file = join(import.meta.dirname, 'engine-bits.ts');
    const { engineBits } = await environment.runner.import<typeof EngineBitsModule>(file);
    return { engine: `Node ${process.versions.node}`, answer: await engineBits(nodeThreads(), math) };
  } finally {
    await server.close();
  }
}

await main();
