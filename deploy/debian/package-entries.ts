import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLE_FOLDER } from './bundle-program.ts';
import { bashCompletion } from './completion.ts';
import type { MaintainerScripts } from './deb.ts';
import { gzip } from './deb.ts';
import { copiesBelow, copyOf, type Entry, MODE, textAt } from './entries.ts';
import { copyrightText } from './licences.ts';
import { type Lock, lockedPackages } from './locked-packages.ts';
import { manPage } from './man-page.ts';
import type { NativePackages } from './native-packages.ts';
import type { Product } from './products.ts';
import type { Target } from './target.ts';

const TEMPLATES = fileURLToPath(new URL('maintainer/', import.meta.url));
/** Needed only to compile or to download. */
const BUILD_ONLY = ['prebuild-install', 'node-addon-api'];
/** Nobody but root and the services may list the folder; its files belong to the services. */
const PASS_ONLY = 0o711;

interface Source {
  /** The folder of the repository, with built pages and bundled programs. */
  root: string;
  lock: Lock;
  native: NativePackages;
  target: Target;
  time: Date;
}

/** All files and folders of a package. */
export function packageEntries(product: Product, source: Source): Entry[] {
  const { name, command, configuration, workspace } = product;
  const { root, native, time } = source;
  const home = `usr/lib/${name}`;
  const doc = `usr/share/doc/${name}`;
  const script = workspace === 'edge' ? 'deploy/edge' : 'deploy/cloud';
  return [
    copyOf(join(native.node, 'bin/node'), `${home}/node`, MODE.program),
    // Node.js decides by the nearest package.json that the bundles are modules.
    textAt(`${home}/package.json`, `${JSON.stringify({ name, private: true, type: 'module' })}\n`),
    ...copiesBelow(join(root, workspace, BUNDLE_FOLDER), `${home}/${workspace}/${BUNDLE_FOLDER}`, (file) =>
      product.entries.some((entry) => basename(entry, '.ts') === basename(file, '.js')),
    ),
    ...product.copied.flatMap((path) => copiesBelow(join(root, path), `${home}/${path}`)),
    ...product.fonts.map((path) => copyOf(join(root, path), `${home}/${path}`)),
    ...nativeEntries(product, source, home),
    textAt(`usr/bin/${command}`, fillTemplate('command', product), MODE.program),
    ...product.units.map((unit) => copyOf(join(root, unit), `usr/lib/systemd/system/${basename(unit)}`)),
    copyOf(join(root, script, `${name}.sysusers.conf`), `usr/lib/sysusers.d/${name}.conf`),
    { path: 'etc/hlid', mode: PASS_ONLY, kind: 'folder' },
    copyOf(join(root, configuration.first), `usr/share/${name}/${configuration.file}`),
    copyOf(join(root, configuration.example), `${doc}/examples/${configuration.file}`),
    textAt(`usr/share/man/man1/${command}.1.gz`, gzip(manPage(product, time.toISOString().slice(0, 10)))),
    textAt(`usr/share/bash-completion/completions/${command}`, bashCompletion(product)),
    textAt(`${doc}/copyright`, copyrightText(root, source.lock, product.workspaces)),
    textAt(`${doc}/NODE-LICENSE.gz`, gzip(readFileSync(join(native.node, 'LICENSE'), 'utf8'))),
  ];
}

export function maintainerScripts(product: Product): MaintainerScripts {
  return {
    postinst: fillTemplate('postinst', product),
    prerm: fillTemplate('prerm', product),
    postrm: fillTemplate('postrm', product),
  };
}

/** Files with machine code for the target. */
export function machineCode(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'file' && /\/node$|\.node$|\.so(\.[\d.]+)?$/.test(entry.path) ? [entry.from] : [],
  );
}

function nativeEntries(product: Product, { lock, native, target }: Source, home: string): Entry[] {
  const packages = lockedPackages(lock, product.nativePackages, { target, without: BUILD_ONLY });
  const prebuilt = `prebuilds/linux-${target.node}/`;
  return [...packages.keys()].flatMap((path) =>
    copiesBelow(join(native.folder, path), `${home}/${path}`, (file) => {
      if (/(^|\/)(node_modules|deps|test)\//.test(file)) return false;
      if (file.startsWith('prebuilds/')) return file.startsWith(prebuilt) && !file.includes('musl');
      return /\.([cm]?js|json|node|so(\.[\d.]+)?)$/.test(file);
    }),
  );
}

function fillTemplate(template: string, { name, command, configuration, workspace }: Product): string {
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    COMMAND: command,
    FILE: configuration.file,
    ENV: configuration.file.replace('.yaml', '.env'),
    VARIABLE: configuration.variable,
    WORKSPACE: workspace,
  };
  return readFileSync(join(TEMPLATES, template), 'utf8').replace(/@([A-Z]+)@/g, (whole, key: string) => {
    return values[key] ?? whole;
  });
}
