import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { type Architecture, HOST_ARCHITECTURE } from './emulation.ts';

const run = promisify(execFile);

/** Makes both packages, as `npm run package` does. */
export async function makePackages(
  version: string,
  output: string,
  architecture: Architecture = HOST_ARCHITECTURE,
): Promise<void> {
  const program = ['--conditions=source', '--import', 'tsx', 'deploy/debian/package.ts'];
  const words = ['--arch', architecture, '--output', output, '--debian-version', version];
  // The smallest package is the slowest to make.
  const env = { DPKG_DEB_COMPRESSOR_TYPE: 'gzip', DPKG_DEB_COMPRESSOR_LEVEL: '1', ...process.env };
  await run(process.execPath, [...program, ...words], { cwd: PROJECT_ROOT, env });
}

/** The packages in a folder, with their paths. */
export async function debsOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.deb')).map((file) => join(folder, file));
}
