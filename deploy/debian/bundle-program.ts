import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The processes and threads of each program. */
export const PROGRAM_ENTRIES = {
  cloud: [
    'cloud/src/main.ts',
    'cloud/src/program/scans/scan-worker.ts',
    'cloud/src/privacy/backup/backup-worker.ts',
  ],
  edge: ['edge/src/main.ts', 'edge/src/db/checkpoint-worker.ts', 'edge/src/db/quick-check-worker.ts'],
} as const;

/** The folder in the workspace: as deep as the modules that find files beside their workspace. */
export const BUNDLE_FOLDER = 'dist/bundled';

/** Packages with machine code stay packages. */
const NATIVE = ['@node-rs/argon2', 'better-sqlite3', 'libsql', 'serialport', 'sharp'];

/** Drizzle's driver imports `better-sqlite3`, also where it gets a database of `libsql`, which has the same calls. */
const ALIASES = { cloud: { 'better-sqlite3': 'libsql' }, edge: {} } as const;

export type Workspace = keyof typeof ALIASES;

/** CommonJS packages need `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Joins each entry of a program into one file. A program starts in half the time then: it no longer looks up a thousand
 * modules.
 */
export async function bundleProgram(workspace: Workspace, entries: readonly string[]): Promise<void> {
  const folder = join(workspace, BUNDLE_FOLDER);
  const files = await joinProgram(workspace, entries, {
    format: 'esm',
    banner: { js: REQUIRE },
    outdir: folder,
  });
  await mkdir(join(ROOT, folder), { recursive: true });
  for (const { path, contents } of files) await replaceFile(path, contents);
}

/** The files that a program's entries become, which are not written. */
export async function joinProgram(
  workspace: Workspace,
  entries: readonly string[],
  options: BuildOptions,
): Promise<OutputFile[]> {
  const { outputFiles = [] } = await build({
    ...options,
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    entryNames: '[name]',
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    external: NATIVE,
    alias: ALIASES[workspace],
    logLevel: 'warning',
  });
  return outputFiles;
}

/** In one step: another process may start the program meanwhile. */
export async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  await writeFile(`${path}.${process.pid}`, contents);
  await rename(`${path}.${process.pid}`, path);
}
