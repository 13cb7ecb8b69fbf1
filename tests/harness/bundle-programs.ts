import {
  BUNDLE_FOLDER,
  bundleProgram,
  PROGRAM_ENTRIES,
  type Workspace,
} from '../../deploy/debian/bundle-program.ts';
import { writeScript } from './compiled-program.ts';
import { PROGRAMS_BUILT } from './programs-built.ts';

/** A process of the tests, which finds the packages of the edge. */
const LIST_WRITER = 'tests/faults/list-writer.ts';

/**
 * Runs before the tests, as vitest's global setup. It joins each program into one file, as in the Debian
 * packages, so that each of the hundreds of starts takes less than half the time. If bundling fails, they run
 * from source, and the tests of the broken part fail.
 */
export async function setup(): Promise<void> {
  if (process.env[PROGRAMS_BUILT]) return;
  try {
    await Promise.all([
      buildProgram('cloud', PROGRAM_ENTRIES.cloud),
      buildProgram('edge', [...PROGRAM_ENTRIES.edge, LIST_WRITER]),
    ]);
    process.env[PROGRAMS_BUILT] = BUNDLE_FOLDER;
  } catch {
    console.warn('The programs run from source, since they could not be joined; the reasons stand above.');
  }
}

async function buildProgram(workspace: Workspace, entries: readonly string[]): Promise<void> {
  await Promise.all([bundleProgram(workspace, entries), writeScript(workspace)]);
}
