import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildDeb } from '../../deploy/debian/deb.ts';
import { readLock } from '../../deploy/debian/locked-packages.ts';
import { machineCode, maintainerScripts, packageEntries } from '../../deploy/debian/package-entries.ts';
import { PRODUCTS, type Product } from '../../deploy/debian/products.ts';
import { libraryDepends } from '../../deploy/debian/shared-libraries.ts';
import { TARGET_NAMES, targetOf } from '../../deploy/debian/target.ts';
import { PROJECT_ROOT } from '../harness/programs.ts';

const run = promisify(execFile);
const isPossible = existsSync('/usr/bin/dpkg-deb') && process.platform === 'linux';
if (!isPossible) console.warn('Skipped: the files of packages (there is no dpkg-deb).');

const TARGET = targetOf(process.arch === 'arm64' ? 'arm64' : 'amd64');
const TIME = new Date('2026-11-22T00:00:00Z');

let folder: string;
beforeAll(() => {
  // Compression would take most of the time.
  vi.stubEnv('DPKG_DEB_COMPRESSOR_TYPE', 'none');
  folder = mkdtempSync(join(tmpdir(), 'hlid-package-files-'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The machine code that is installed here, a stand-in for Node.js, and the pages that are built. */
function entriesOf(product: Product) {
  const node = join(folder, 'node');
  mkdirSync(join(node, 'bin'), { recursive: true });
  writeFileSync(join(node, 'bin/node'), '#!/bin/sh\n');
  writeFileSync(join(node, 'LICENSE'), 'Node.js is licensed\n');
  return packageEntries(
    { ...product, copied: product.copied.filter((path) => existsSync(join(PROJECT_ROOT, path))) },
    {
      root: PROJECT_ROOT,
      lock: readLock(join(PROJECT_ROOT, 'package-lock.json')),
      native: { folder: PROJECT_ROOT, node },
      target: TARGET,
      time: TIME,
    },
  );
}

function makePackage(product: Product, name: string): string {
  const output = join(folder, name);
  mkdirSync(output, { recursive: true });
  const { summary, description } = product;
  return buildDeb(
    {
      name: product.name,
      version: '1.2.3',
      architecture: TARGET.debian,
      depends: ['libc6'],
      suggests: [],
      summary,
      description,
    },
    { entries: entriesOf(product), scripts: maintainerScripts(product) },
    { folder: output, time: TIME },
  );
}

describe.skipIf(!isPossible).each(PRODUCTS)('the package $name', (product) => {
  const { name, command, workspace, configuration } = product;
  let deb: string;
  let root: string;
  beforeAll(async () => {
    deb = makePackage(product, name);
    root = join(folder, `${name}.root`);
    await run('dpkg-deb', ['--raw-extract', deb, root]);
  });

  it('has its program, commands, unit, user and documents, with their modes', async () => {
    const { stdout } = await run('dpkg-deb', ['--contents', deb]);
    const files = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
      .map(([mode = '', owner = '', , , , path = '']) => ({ mode, owner, path: path.slice(1) }));
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        `/usr/lib/${name}/${workspace}/dist/bundled/main.js`,
        `/usr/lib/systemd/system/${name}.service`,
        `/usr/lib/sysusers.d/${name}.conf`,
        `/usr/share/${name}/${configuration.file}`,
        `/usr/share/doc/${name}/examples/${configuration.file}`,
        `/usr/share/doc/${name}/copyright`,
        `/usr/share/man/man1/${command}.1.gz`,
        `/usr/share/bash-completion/completions/${command}`,
      ]),
    );
    expect(files.filter(({ owner }) => owner !== 'root/root')).toEqual([]);
    const unusual = files.filter(({ mode }) => mode !== 'drwxr-xr-x' && mode !== '-rw-r--r--');
    expect(unusual.map(({ mode, path }) => `${mode} ${path}`).sort()).toEqual([
      `-rwxr-xr-x /usr/bin/${command}`,
      `-rwxr-xr-x /usr/lib/${name}/node`,
      'drwx--x--x /etc/hlid/',
    ]);
    expect(
      paths.filter((path) => /\.(cpp|h|gyp|ts|map)$|musl|node-gyp\/|prebuild-install/.test(path)),
    ).toEqual([]);
  });

  it('has every package of npm that its program loads', async () => {
    const program = join(root, 'usr/lib', name, workspace, 'dist/bundled/main.js');
    const { stdout } = await run(process.execPath, [program, '--help'], { env: { HLID_TYPED: command } });
    expect(stdout).toContain(`Usage: ${command} [COMMAND]`);
    const loads = product.nativePackages.map((each) => `await import('${each}');`).join('');
    const at = join(root, 'usr/lib', name, 'loads.mjs');
    writeFileSync(at, loads);
    await run(process.execPath, [at]);
  });

  it.skipIf(!existsSync('/usr/bin/readelf'))(
    'depends on what its machine code needs, and has none for another processor',
    () => {
      const libraries = machineCode(entriesOf(product)).filter((file) => !file.endsWith('/node'));
      expect(libraries.length).toBeGreaterThanOrEqual(product.nativePackages.length);
      expect(libraryDepends(libraries, TARGET)).toEqual([
        expect.stringMatching(/^libc6 \(>= 2\.\d+\)$/),
        'libgcc-s1',
        expect.stringMatching(/^libstdc\+\+6 \(>= \d+\)$/),
      ]);
      const [other = TARGET] = TARGET_NAMES.map(targetOf).filter(({ debian }) => debian !== TARGET.debian);
      expect(() => libraryDepends(libraries, other)).toThrow(`for another processor than ${other.debian}`);
      expect(() => libraryDepends(['/usr/bin/dpkg-deb'], TARGET)).toThrow(
        /needs lib\S+, which is in no package/,
      );
    },
  );

  it('has scripts that a shell reads', async () => {
    const scripts = ['postinst', 'prerm', 'postrm'].map((script) => join(root, 'DEBIAN', script));
    for (const script of [...scripts, join(root, 'usr/bin', command)]) {
      expect(readFileSync(script, 'utf8')).not.toMatch(/@[A-Z]+@/);
      await run('sh', ['-n', script]);
    }
    await run('bash', ['-n', join(root, 'usr/share/bash-completion/completions', command)]);
  });

  it('completes nouns, verbs and options', async () => {
    const complete = async (...words: string[]) => {
      const file = join(root, 'usr/share/bash-completion/completions', command);
      const script = `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _${command.replace('-', '_')}; echo "\${COMPREPLY[*]}"`;
      return (await run('bash', ['-c', script, file, command, ...words])).stdout.trim();
    };
    expect(await complete('con')).toBe('config');
    expect(await complete('config', '')).toBe('check');
    expect(await complete('config', 'check', '--js')).toBe('--json');
  });

  it('is the same, byte by byte, when it is made again', () => {
    expect(readFileSync(makePackage(product, `${name}-again`)).equals(readFileSync(deb))).toBe(true);
  });
});
