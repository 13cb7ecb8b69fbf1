import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { type Architecture, HOST_ARCHITECTURE, registerEmulator } from './emulation.ts';

const run = promisify(execFile);
const MIRROR = 'http://deb.debian.org/debian';

/** Whether this machine can make a Debian in a folder. */
export const CAN_MAKE_DEBIAN = process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap');

/**
 * A separate Debian in a new folder. It is made once, from packages of Debian alone, and then copied.
 * @returns the folder
 */
export async function cleanDebian(
  name: string,
  packages: readonly string[],
  architecture: Architecture = HOST_ARCHITECTURE,
): Promise<string> {
  await registerEmulator(architecture);
  const clean = join(PROJECT_ROOT, 'node_modules/.cache', `${name}-${architecture}`);
  if (!existsSync(clean)) {
    await mkdir(dirname(clean), { recursive: true });
    const half = `${clean}.new`;
    await rm(half, { recursive: true, force: true });
    const options = ['--variant=minbase', `--arch=${architecture}`, `--include=${packages.join(',')}`];
    await run('debootstrap', [...options, 'bookworm', half, MIRROR]);
    await rename(half, clean);
  }
  const path = await mkdtemp(join(tmpdir(), 'hlid-debian-'));
  await run('cp', ['-a', '--reflink=auto', `${clean}/.`, path]);
  return path;
}
