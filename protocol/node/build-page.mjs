import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Sources of every page. */
const SHARED = ['../src', '../../kiosk/ui/src', '../../package-lock.json'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const TYPEFACE_LICENCE = createRequire(new URL('../../kiosk/ui/package.json', import.meta.url)).resolve(
  '@fontsource-variable/inter/LICENSE',
);

/**
 * Builds a page into `dist-page` of its folder, if it is older than its sources.
 * @param {{
 *   page: string, what: string, sources: readonly string[],
 *   build: (config: { configFile: string, logLevel: 'warn', build: { outDir: string } }) => Promise<unknown>
 *   }} options `page`: URL of a file in its folder, in which `sources` are; `build`: Vite's, which the page
 *   depends on
 */
export async function buildPage({ page, what, sources, build }) {
  const folder = fileURLToPath(new URL('.', page));
  const built = join(folder, 'dist-page');
  const paths = [...sources.map((path) => join(folder, path)), ...SHARED];
  const builtAt = changedAt(join(built, 'index.html'));
  if (builtAt > 0 && paths.every((path) => changedAt(path) < builtAt)) return;
  console.log(`Building ${what} …`);
  // A test's own would put React's development build into the page.
  process.env.NODE_ENV = 'production';
  // The page is written beside the old one and then renamed: readers have the old one or the new one.
  const fresh = join(folder, `dist-page.${process.pid}`);
  const old = `${fresh}.old`;
  try {
    await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: { outDir: fresh } });
    // The licence of the typeface demands to be with its files.
    copyFileSync(TYPEFACE_LICENCE, join(fresh, 'assets/inter-licence.txt'));
    compress(join(fresh, 'assets'));
    if (existsSync(built)) renameSync(built, old);
    renameSync(fresh, built);
  } finally {
    for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true });
  }
}

/** When the newest file in there was written; 0: there is none. */
function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  // The folder's own time too: a file may be gone.
  return readdirSync(path).reduce(
    (newest, name) => Math.max(newest, changedAt(join(path, name))),
    found.mtimeMs,
  );
}

/** Each file beside its compressed twins, made once for all who load the page. */
function compress(folder) {
  for (const name of readdirSync(folder).filter((one) => /\.(?:js|css|svg)$/.test(one))) {
    const text = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
  }
}
