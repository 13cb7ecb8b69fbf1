import { spawnSync } from 'node:child_process';
import { PROJECT_ROOT } from './programs.ts';
import { PROGRAMS_BUILT } from './programs-built.ts';

/** Builds cloud and edge as they are deployed. Where they do not compile, they run from source. */
export function buildPrograms(): void {
  const { status, stdout } = spawnSync('node_modules/.bin/tsc', ['-b', 'cloud', 'edge'], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  });
  if (status === 0) process.env[PROGRAMS_BUILT] = 'dist';
  else console.warn(`The programs run from source, since they do not compile:\n${stdout}`);
}
