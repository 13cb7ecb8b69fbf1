import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinProgram, replaceFile, type Workspace } from '../../deploy/debian/bundle-program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of compiled programs, beside that of the bundle. */
const FOLDER = 'dist/compiled';

/**
 * Writes a program as a script. Node.js keeps the compiled form of a script (`run-compiled.mjs`), which it cannot do with
 * a module, and a start takes two thirds of the processor time.
 */
export async function writeScript(workspace: Workspace): Promise<void> {
  const folder = join(ROOT, workspace, FOLDER);
  const [file] = await joinProgram(workspace, [`${workspace}/src/main.ts`], {
    format: 'cjs',
    minifyWhitespace: true,
    outdir: join(workspace, FOLDER),
    define: { 'import.meta.url': 'bundleUrl' },
    // A script from its compiled form cannot import: what the bundle leaves outside is required.
    supported: { 'dynamic-import': false },
  });
  if (file === undefined) throw new Error(`no script of ${workspace}`);
  const path = join(folder, 'main.cjs');
  await mkdir(folder, { recursive: true });
  // What is compiled already stays good as long as the script is the same.
  const before = await readFile(path).catch(() => null);
  if (before?.equals(file.contents)) return;
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
  await replaceFile(path, file.contents);
}
