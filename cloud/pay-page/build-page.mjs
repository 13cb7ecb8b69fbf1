// Builds the payment page into `dist-page`, where it is older than its sources: `node cloud/pay-page/build-page.mjs`.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PAGE = join(FOLDER, 'dist-page');
const SOURCES = ['src', 'vite.config.ts', 'package.json', '../../protocol/src', '../../package-lock.json'];

if (isCurrent()) process.exit(0);
console.log('Building the payment page …');
// A test's own would put React's development build into the page.
process.env.NODE_ENV = 'production';
// Beside it and then in its place: readers of the page have the old one or the new one.
const fresh = join(FOLDER, `dist-page.${process.pid}`);
const old = `${fresh}.old`;
try {
  await build({
    configFile: join(FOLDER, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  });
  if (existsSync(PAGE)) renameSync(PAGE, old);
  renameSync(fresh, PAGE);
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}

function isCurrent() {
  const built = changedAt(join(PAGE, 'index.html'));
  return built > 0 && SOURCES.every((path) => changedAt(join(FOLDER, path)) < built);
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
