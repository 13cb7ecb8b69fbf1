import { spawnSync } from 'node:child_process';
import { PROGRAMS_BUILT, PROJECT_ROOT } from './programs.ts';

/**
 * Before the tests (vitest's global setup): builds cloud and edge once, so that each of the hundreds of starts takes
 * half the time, and runs what is deployed. Where they do not compile, they run from source and the type check tells.
 */
export function setup(): void {
  const { status, stdout } = spawnSync('node_modules/.bin/tsc', ['-b', 'cloud', 'edge'], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  });
  if (status === 0) process.env[PROGRAMS_BUILT] = 'yes';
  else console.warn(`The programs run from source, since they do not compile:\n${stdout}`);
}
