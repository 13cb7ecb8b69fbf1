import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROGRAMS_BUILT, PROJECT_ROOT } from './programs.ts';

/** What is a process or a thread of its own, by the workspace whose packages it finds. */
const ENTRIES = {
  cloud: ['cloud/src/main.ts', 'cloud/src/db/scan-worker.ts'],
  edge: [
    'edge/src/main.ts',
    'edge/src/db/checkpoint-worker.ts',
    'edge/src/db/quick-check-worker.ts',
    'tests/faults/list-writer.ts',
  ],
} as const;
/** As deep as the modules that look for files beside their workspace. */
const FOLDER = 'dist/bundled';
/** Packages with machine code are found where they are. */
const NATIVE = ['@node-rs/argon2', 'better-sqlite3', 'libsql', 'serialport', 'sharp'];
/** Packages of the older kind of module ask for others by it. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Before the tests (vitest's global setup): joins each program into one file, once, so that each of the hundreds of starts
 * takes less than half the time: most of it is the lookup of a thousand modules. If bundling fails, they run from
 * source, and the tests of the broken part fail.
 */
export async function setup(): Promise<void> {
  if (process.env[PROGRAMS_BUILT]) return;
  try {
    await Promise.all(Object.entries(ENTRIES).map(([workspace, entries]) => bundle(workspace, entries)));
    process.env[PROGRAMS_BUILT] = FOLDER;
  } catch {
    console.warn('The programs run from source, since they could not be joined; the reasons stand above.');
  }
}

async function bundle(workspace: string, entries: readonly string[]): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: PROJECT_ROOT,
    entryPoints: [...entries],
    entryNames: '[name]',
    outdir: join(workspace, FOLDER),
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    external: NATIVE,
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });
  await mkdir(join(PROJECT_ROOT, workspace, FOLDER), { recursive: true });
  for (const { path, contents } of outputFiles) {
    // At once: another run of the tests may be starting it.
    await writeFile(`${path}.${process.pid}`, contents);
    await rename(`${path}.${process.pid}`, path);
  }
}
