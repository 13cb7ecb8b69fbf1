// `npm run package`: Debian packages of edge and cloud, in `dist-packages`.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { VERSION } from '@hlid/protocol/base/version';
import { defineCommand, EXIT, option, type Program } from '@hlid/protocol/command-line/command';
import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';
import { z } from 'zod';
import { bundleProgram } from './bundle-program.ts';
import { buildDeb } from './deb.ts';
import { type Lock, readLock } from './locked-packages.ts';
import { makeNativePackages, missingTools } from './native-packages.ts';
import { machineCode, maintainerScripts, packageEntries } from './package-entries.ts';
import { PRODUCTS, type Product } from './products.ts';
import { libraryDepends } from './shared-libraries.ts';
import { TARGET_NAMES, type Target, targetOf } from './target.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/hlid-native');
const OUTPUT = 'dist-packages';
const DebianVersionSchema = z.string().regex(/^\d[\w.+~]*$/, 'is a version such as 0.2.0 or 0.2.1~try1');

const PACKAGE: Program = {
  software: `hlid-package/${VERSION}`,
  title: 'makes the Debian packages of edge and cloud',
  typed: 'npm run package --',
  commands: [
    defineCommand({
      name: '',
      summary: 'Make hlid-edge_….deb and hlid-cloud_….deb',
      about: `They contain the compiled programs with their pages, Node.js, and packages with machine code for the processor. Made on a newer
Debian, they need that Debian or a newer one. SOURCE_DATE_EPOCH is the time of all files; by default that of the last commit.`,
      isService: true,
      options: {
        arch: option('ARCH', 'amd64 or arm64; without it: that of this machine', z.enum(TARGET_NAMES)),
        only: option('PROGRAM', 'edge or cloud; without it: both', z.enum(['edge', 'cloud'])),
        output: option('FOLDER', `where to put them (${OUTPUT})`, z.string().min(1)),
        'debian-version': option('VERSION', `the version of the packages (${VERSION})`, DebianVersionSchema),
      },
      examples: ['', '--arch arm64', '--only edge --output /tmp/packages'],
      async run({ options }, { print, complain }) {
        const target = targetOf(options.arch ?? (process.arch === 'arm64' ? 'arm64' : 'amd64'));
        const missing = missingTools(target);
        if (missing.length > 0) {
          complain(
            `Packages for ${target.debian} need these Debian packages: apt install ${missing.join(' ')}`,
          );
          return EXIT.failed;
        }
        const products = PRODUCTS.filter(({ workspace }) => workspace === (options.only ?? workspace));
        const output = resolve(options.output ?? OUTPUT);
        const version = options['debian-version'] ?? VERSION;
        for (const path of await makePackages(products, { target, output, version })) {
          print(`${path} ${(statSync(path).size / 2 ** 20).toFixed(1)} MB`);
        }
        return EXIT.done;
      },
    }),
  ],
  environment: [
    ['SOURCE_DATE_EPOCH', 'the time of all files, in seconds since 1970'],
    ['HLID_MAINTAINER', 'who answers for the packages: NAME <ADDRESS>'],
  ],
};

async function makePackages(
  products: readonly Product[],
  to: { target: Target; output: string; version: string },
): Promise<string[]> {
  const lock = readLock(join(ROOT, 'package-lock.json'));
  const names = [...new Set(PRODUCTS.flatMap(({ nativePackages }) => nativePackages))];
  mkdirSync(CACHE, { recursive: true });
  mkdirSync(to.output, { recursive: true });
  const native = makeNativePackages({ lock, names, cache: CACHE }, to.target);
  const made: string[] = [];
  for (const product of products) {
    for (const page of product.pages) runScript(page);
    await bundleProgram(product.workspace, product.entries);
    made.push(makePackage(product, { ...to, lock, native }));
  }
  return made;
}

function makePackage(
  product: Product,
  options: {
    target: Target;
    output: string;
    version: string;
    lock: Lock;
    native: ReturnType<typeof makeNativePackages>;
  },
): string {
  const { target, output, version, lock, native } = options;
  const { name, summary, description } = product;
  const time = sourceTime();
  const entries = packageEntries(product, { root: ROOT, lock, native, target, time });
  const depends = [
    ...libraryDepends(machineCode(entries), target),
    'systemd | systemd-standalone-sysusers | systemd-sysusers',
  ];
  const suggests = product.workspace === 'cloud' ? ['caddy | nginx'] : [];
  const control = { name, version, architecture: target.debian, depends, suggests, summary, description };
  const content = { entries, scripts: maintainerScripts(product) };
  return buildDeb(control, content, { folder: output, time });
}

/** The same sources give the same packages. */
function sourceTime(): Date {
  const given =
    env['SOURCE_DATE_EPOCH'] ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();
  return new Date(Number(given) * 1000);
}

function runScript(script: string): void {
  const { status } = spawnSync(process.execPath, [join(ROOT, script)], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`${script} failed`);
}

process.exitCode = await runProgram(PACKAGE, argv.slice(2), processShell(process));
