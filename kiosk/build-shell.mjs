// Builds all that the kiosk's program consists of, but Electron: `node kiosk/build-shell.mjs [--app FOLDER]`, by default
// `dist-app`, with the page in `dist-page` (built first) or in another folder (`--page FOLDER`). The program needs no
// packages when it runs, since everything is in its own files.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const KIOSK = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({
  options: { app: { type: 'string', default: join(KIOSK, 'dist-app') }, page: { type: 'string' } },
});
const APP = resolve(values.app);

if (values.page === undefined) {
  const { status } = spawnSync(process.execPath, [join(KIOSK, 'build-page.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

rmSync(APP, { recursive: true, force: true });
mkdirSync(APP, { recursive: true });
await bundle('src/main/main.ts', 'es', 'main.js');
// A sandboxed preload script is one file of CommonJS: Electron has no loader of modules there.
await bundle('src/preload/preload.ts', 'cjs', 'preload.cjs');
cpSync(resolve(values.page ?? join(KIOSK, 'dist-page')), join(APP, 'page'), { recursive: true });
cpSync(join(KIOSK, 'src/help'), join(APP, 'help'), { recursive: true });
const { version, description } = JSON.parse(readFileSync(join(KIOSK, 'package.json'), 'utf8'));
writeFileSync(
  join(APP, 'package.json'),
  `${JSON.stringify({ name: 'hlid-kiosk', version, description, type: 'module', main: 'main.js' }, null, 2)}\n`,
);

async function bundle(entry, format, fileName) {
  await build({
    configFile: false,
    root: KIOSK,
    logLevel: 'warn',
    publicDir: false,
    resolve: { conditions: ['source', 'node', 'import', 'default'] },
    build: {
      outDir: APP,
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      reportCompressedSize: false,
      lib: { entry: join(KIOSK, entry), formats: [format], fileName: () => fileName },
      rollupOptions: { external: ['electron', ...builtinModules, /^node:/] },
    },
  });
}
