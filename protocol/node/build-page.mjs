// Builds the kiosk's page into `dist-page`, where it is older than what it is made of: `node kiosk/build-page.mjs`.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const KIOSK = fileURLToPath(new URL('.', import.meta.url));
const PAGE = join(KIOSK, 'dist-page');
const MADE_OF = ['src/renderer', 'vite.config.ts', 'package.json', '../protocol/src', '../package-lock.json'];

if (isCurrent()) process.exit(0);
console.log("Building the kiosk's page …");
// The caller's own, such as a test's, would put React's development build into the page.
process.env.NODE_ENV = 'production';
// Beside it and then put in its place: who reads the page meanwhile has the old one or the new one.
const fresh = join(KIOSK, `dist-page.${process.pid}`);
const old = `${fresh}.old`;
try {
  await build({
    configFile: join(KIOSK, 'vite.config.ts'),
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
  return built > 0 && MADE_OF.every((path) => changedAt(join(KIOSK, path)) < built);
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
