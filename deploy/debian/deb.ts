import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, MODE, textAt, writeEntries } from './entries.ts';

/** In `control`, as Debian defines it. */
export interface Control {
  name: string;
  version: string;
  architecture: string;
  depends: readonly string[];
  suggests: readonly string[];
  summary: string;
  description: string;
}

const MAINTAINER_SCRIPTS = ['postinst', 'prerm', 'postrm'] as const;
export type MaintainerScripts = Readonly<Record<(typeof MAINTAINER_SCRIPTS)[number], string>>;

/** Who answers for the packages; a distributor sets its own. */
const MAINTAINER = process.env['HLID_MAINTAINER'] ?? 'Hlid <hlid@hlid.example>';

/**
 * Builds a Debian package, the same bytes from the same entries and the same time.
 *
 * @param folder where to work and to leave it
 * @returns its path
 */
export function buildDeb(
  control: Control,
  { entries, scripts }: { entries: readonly Entry[]; scripts: MaintainerScripts },
  { folder, time }: { folder: string; time: Date },
): string {
  const { name, version, architecture } = control;
  const file = join(folder, `${name}_${version}_${architecture}.deb`);
  const root = join(folder, `${name}_${architecture}.root`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const all = [...entries, changelog(control, time)];
  writeEntries(all, root, time);
  const own = [
    textAt('DEBIAN/control', controlText(control, sizeOf(all, root))),
    textAt('DEBIAN/md5sums', checksums(all, root)),
    ...MAINTAINER_SCRIPTS.map((script) => textAt(`DEBIAN/${script}`, scripts[script], MODE.program)),
  ];
  writeEntries(own, root, time);
  const epoch = String(Math.floor(time.getTime() / 1000));
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', root, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // The smallest, and what every Debian reads; a try is quicker without.
    env: { DPKG_DEB_COMPRESSOR_TYPE: 'xz', ...process.env, SOURCE_DATE_EPOCH: epoch },
  });
  rmSync(root, { recursive: true });
  return file;
}

function controlText(control: Control, kilobytes: number): string {
  const { name, version, architecture, depends, suggests, summary, description } = control;
  return [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${kilobytes}`,
    `Depends: ${depends.join(', ')}`,
    ...(suggests.length > 0 ? [`Suggests: ${suggests.join(', ')}`] : []),
    'Section: misc',
    'Priority: optional',
    `Description: ${summary}`,
    ...description.split('\n').map((line) => ` ${line}`),
    '',
  ].join('\n');
}

function changelog({ name, version }: Control, time: Date): Entry {
  const date = time.toUTCString().replace('GMT', '+0000');
  const text = `${name} (${version}) stable; urgency=medium\n\n  * Release ${version}.\n\n -- ${MAINTAINER}  ${date}\n`;
  return textAt(`usr/share/doc/${name}/changelog.gz`, gzip(text));
}

/** Compresses without a time inside, so that the same text gives the same bytes. */
export function gzip(text: string): Uint8Array {
  return execFileSync('gzip', ['-9', '-n'], { input: text });
}

function checksums(entries: readonly Entry[], root: string): string {
  return entries
    .filter(({ kind }) => kind !== 'folder')
    .map(
      ({ path }) =>
        `${createHash('md5')
          .update(readFileSync(join(root, path)))
          .digest('hex')}  ${path}\n`,
    )
    .sort((a, b) => (a.slice(34) < b.slice(34) ? -1 : 1))
    .join('');
}

function sizeOf(entries: readonly Entry[], root: string): number {
  const bytes = entries
    .filter(({ kind }) => kind !== 'folder')
    .reduce((sum, { path }) => sum + Math.ceil(readFileSync(join(root, path)).length / 1024), 0);
  return bytes + entries.filter(({ kind }) => kind === 'folder').length;
}
