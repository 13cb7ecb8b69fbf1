import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { missingTools } from '../../deploy/debian/native-packages.ts';
import { type Target, targetOf } from '../../deploy/debian/target.ts';

const run = promisify(execFile);

export type Architecture = Target['debian'];

export const HOST_ARCHITECTURE: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** How the kernel recognizes programs for arm64, from Debian's package `qemu-user-static`. */
const FORMAT = '/usr/lib/binfmt.d/qemu-aarch64.conf';
/**
 * Flag F: the kernel keeps the emulator open, also for a Debian in a folder, until the machine starts again.
 */
const REGISTER = `formats=/proc/sys/fs/binfmt_misc
[ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats
[ -e $formats/qemu-aarch64 ] || cat ${FORMAT} >$formats/register`;

/** Packages of Debian that are missing here to make our packages for a processor and to run them. */
export function missingFor(architecture: Architecture): string[] {
  const canRun = architecture === HOST_ARCHITECTURE || (architecture === 'arm64' && existsSync(FORMAT));
  return [...missingTools(targetOf(architecture)), ...(canRun ? [] : ['qemu-user-static'])];
}

/** Lets the kernel start programs for a processor, as the installation of the emulator does where systemd runs. */
export async function registerEmulator(architecture: Architecture): Promise<void> {
  if (architecture === HOST_ARCHITECTURE) return;
  await run('unshare', ['--mount', 'sh', '-ec', REGISTER]);
}

/** How much longer its programs may take. */
export function patienceFor(architecture: Architecture): number {
  return architecture === HOST_ARCHITECTURE ? 1 : 10;
}

/** Its programs get the oldest processor that small machines have, as in a Raspberry Pi 3: what it lacks, nothing may need. */
export function environmentFor(architecture: Architecture): Record<string, string> {
  return architecture === HOST_ARCHITECTURE ? {} : { QEMU_CPU: 'cortex-a53' };
}
