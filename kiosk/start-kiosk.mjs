// Starts the kiosk with the Electron that is installed: `npm run kiosk`. HLID_EDGE_URL says where the edge is,
// HLID_KIOSK_WINDOWED=yes shows an ordinary window. Without Electron, any Chromium does it too.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KIOSK = fileURLToPath(new URL('.', import.meta.url));
const EDGE = (process.env.HLID_EDGE_URL || 'http://127.0.0.1:7070').replace(/\/$/, '');

const electron = electronBinary();
if (electron === null) {
  console.error(
    [
      'Electron itself is not here: it is downloaded once, and that has not been done. Either',
      '  npx install-electron --no      downloads it (over 100 MB, from github.com); then try again,',
      'or set ELECTRON_OVERRIDE_DIST_PATH to a folder that has it. Or do without: the edge serves the same page,',
      `  chromium --kiosk --incognito --disable-pinch --overscroll-history-navigation=0 --app=${EDGE}/kiosk/`,
    ].join('\n'),
  );
  process.exitCode = 1;
} else {
  const built = spawnSync(process.execPath, [join(KIOSK, 'build-shell.mjs')], { stdio: 'inherit' });
  if (built.status === 0) run(electron);
  else process.exitCode = 1;
}

/** Without the package's own way to it, which downloads what it does not find. */
function electronBinary() {
  const folder =
    process.env.ELECTRON_OVERRIDE_DIST_PATH ||
    join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'dist');
  const binary = join(folder, 'electron');
  return existsSync(binary) ? binary : null;
}

function run(binary) {
  const child = spawn(binary, [join(KIOSK, 'dist-app'), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Electron could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
