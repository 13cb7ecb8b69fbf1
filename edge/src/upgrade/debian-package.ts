import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '@hlid/protocol/base/fault';

/** Its name. */
export const EDGE_PACKAGE = 'hlid-edge';

const MAX_PRINTED = 2 ** 24;

export interface Ended {
  code: number;
  printed: string;
  complaint: string;
}

export interface RunOptions {
  uid?: number;
  gid?: number;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/** Runs a program to its end; a program that is not there ends with 127. */
export function runToEnd(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { timeoutMs = 0, ...rest } = options;
  return new Promise((resolve) => {
    const child = execFile(
      file,
      [...args],
      { ...rest, maxBuffer: MAX_PRINTED, timeout: timeoutMs, killSignal: 'SIGKILL' },
      (error, printed, complaint) =>
        resolve({
          code: error ? (child.exitCode ?? 127) : 0,
          printed,
          complaint: complaint || error?.message || '',
        }),
    );
  });
}

async function output(file: string, ...args: string[]): Promise<string> {
  const { code, printed, complaint } = await runToEnd(file, args);
  if (code !== 0) throw new Fault('config-invalid', `${file} ${args.join(' ')}: ${complaint.trim()}`);
  return printed.trim();
}

interface PackageName {
  name: string;
  version: string;
  architecture: string;
}

/** Throws Fault 'config-invalid' where the file is no package. */
export async function readPackage(file: string): Promise<PackageName> {
  const field = (name: string) => output('dpkg-deb', '--field', file, name);
  return {
    name: await field('Package'),
    version: await field('Version'),
    architecture: await field('Architecture'),
  };
}

export function ownArchitecture(): Promise<string> {
  return output('dpkg', '--print-architecture');
}

/** Throws Fault 'config-invalid' where it is not installed. */
export async function installedVersion(name: string): Promise<string> {
  // The name, a tab, the version.
  return (await output('dpkg-query', '--show', name)).split('\t')[1] ?? '';
}

/** Whether a version is newer, by Debian's rules. */
export async function isNewerVersion(version: string, than: string): Promise<boolean> {
  return (await runToEnd('dpkg', ['--compare-versions', version, 'gt', than])).code === 0;
}

/** The version of the program in a package: `0.3.0` for `0.3.0-1` and for `0.3.0~try1`. */
export function softwareVersion(packageVersion: string | null): string {
  return (packageVersion ?? '').replace(/[-~+].*$/, '');
}

/**
 * Makes the package of what is installed, as `dpkg-repack` does: apt keeps no package that was given to it as a file. Ours have no
 * configuration files that dpkg knows.
 *
 * @param root of the file system
 */
export async function repackInstalled(name: string, to: string, root: string): Promise<void> {
  const stage = `${to}.root`;
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, 'DEBIAN'), { recursive: true });
  for (const folder of [stage, join(stage, 'DEBIAN')]) chmodSync(folder, 0o755);
  for (const path of (await output('dpkg-query', '--listfiles', name)).split('\n')) {
    if (path.startsWith('/') && path !== '/.') copyEntry(join(root, path), join(stage, path));
  }
  const status = await output('dpkg-query', '--status', name);
  const control = status.split('\n').filter((line) => !/^(Status|Config-Version):/.test(line));
  writePart(join(stage, 'DEBIAN/control'), `${control.join('\n')}\n`, 0o644);
  const own = (await output('dpkg-query', '--control-list', name)).split('\n');
  for (const file of own.filter((one) => /^(pre|post)(inst|rm)$/.test(one))) {
    const { printed } = await runToEnd('dpkg-query', ['--control-show', name, file]);
    writePart(join(stage, 'DEBIAN', file), printed, 0o755);
  }
  // The package is not compressed: a small computer would take a minute for it.
  await output('dpkg-deb', '--root-owner-group', '-Znone', '--build', stage, to);
  rmSync(stage, { recursive: true });
}

/** The daemon's umask keeps other users out, and dpkg refuses such files. */
function writePart(path: string, text: string, mode: number): void {
  writeFileSync(path, text);
  chmodSync(path, mode);
}

function copyEntry(from: string, to: string): void {
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) {
    mkdirSync(to, { recursive: true });
    chmodSync(to, found.mode & 0o7777);
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  if (found.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else {
    copyFileSync(from, to);
    chmodSync(to, found.mode & 0o7777);
  }
}
