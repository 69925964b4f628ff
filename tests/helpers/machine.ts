/**
 * Makes sure that this machine can run the tests: a Chromium for the page and a WebGPU adapter for the engine, a
 * software one if need be. The first step of `npm test`; does nothing where both are there. It installs only as root of
 * a Debian or Ubuntu machine, or through Playwright; otherwise it says in a sentence what is missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { findChromium } from '../../src/cli/chromium';
import { openNodeGpu, OLDEST_MESA } from '../../src/cli/node-gpu';

const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
const distribution = field('ID');
const canInstall = process.getuid?.() === 0 && (distribution === 'debian' || distribution === 'ubuntu');

if (!findChromium()) {
  // Ubuntu's `chromium` is a snap, which containers cannot run.
  if (canInstall && distribution === 'debian') install(['chromium']);
  if (!findChromium()) run('npx', ['playwright', 'install', ...(canInstall ? ['--with-deps'] : []), 'chromium']);
}
const chromium = findChromium();

let adapter = await adapterName();
if (!adapter && canInstall) {
  // Without Mesa the loader alone still opens the SwiftShader that Chromium carries.
  if (!install(['libvulkan1', 'mesa-vulkan-drivers'], mesaSuite())) install(['libvulkan1']);
  adapter = await adapterName();
}

if (chromium) console.log(`Chromium: ${chromium}`);
else
  console.error('No Chromium was found and none could be installed: install one, or name it in the variable CHROMIUM.');
if (adapter) console.log(`WebGPU in Node: ${adapter}`);
process.exitCode = chromium && adapter ? 0 : 1;

async function adapterName(): Promise<string | null> {
  try {
    return (await openNodeGpu()).adapterName;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return null;
  }
}

/**
 * The suite whose Mesa is new enough: null for the distribution's own, else Debian's backports, added to apt's sources
 * if they are not there.
 */
function mesaSuite(): string | null {
  run('apt-get', ['update']);
  if (distribution !== 'debian' || mesaMajor(output('apt-cache', ['policy', 'mesa-vulkan-drivers'])) >= OLDEST_MESA)
    return null;
  const backports = `${field('VERSION_CODENAME')}-backports`;
  if (!mirrorOf(backports)) {
    const mirror = mirrorOf(field('VERSION_CODENAME'));
    if (!mirror) return null;
    writeFileSync('/etc/apt/sources.list.d/agentlet-backports.list', `deb ${mirror} ${backports} main\n`);
    run('apt-get', ['update']);
  }
  return backports;
}

/** The address from which this machine's apt already takes a suite, or null. */
function mirrorOf(suite: string): string | null {
  const targets = output('apt-get', [
    'indextargets',
    '--format',
    '$(CODENAME) $(COMPONENT) $(REPO_URI)',
    'Created-By: Packages',
  ]);
  const target = targets.split('\n').find((line) => line.startsWith(`${suite} main `));
  return target?.split(' ')[2] ?? null;
}

/** Major version of the package that apt would install, 0 if there is none. */
function mesaMajor(policy: string): number {
  return Number(/Candidate: (?:\d+:)?(\d+)\./.exec(policy)?.[1] ?? 0);
}

function install(packages: string[], suite: string | null = null): boolean {
  const words = ['install', '-y', '--no-install-recommends', ...(suite ? ['-t', suite] : []), ...packages];
  return run('apt-get', words) || (run('apt-get', ['update']) && run('apt-get', words));
}

/** Runs a program, its output on ours. False if it failed. */
function run(program: string, args: string[]): boolean {
  console.error(`> ${[program, ...args].join(' ')}`);
  return (
    spawnSync(program, args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
      .status === 0
  );
}

function output(program: string, args: string[]): string {
  return spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';
}

function field(name: string): string {
  return new RegExp(`^${name}="?([^"\n]*)`, 'm').exec(release)?.[1] ?? '';
}
