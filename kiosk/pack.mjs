// Packs the kiosk's program into `dist-packages`: `node kiosk/pack.mjs [--dir] [--x64] [--arm64]`; by default a .deb and
// an AppImage for the processor at hand. Electron itself is downloaded, or taken from the folder in ELECTRON_DIST.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Arch, build, Platform } from 'electron-builder';

const KIOSK = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);
const { values } = parseArgs({
  options: {
    dir: { type: 'boolean', default: false },
    x64: { type: 'boolean', default: false },
    arm64: { type: 'boolean', default: false },
    app: { type: 'string', default: join(KIOSK, 'dist-app') },
    page: { type: 'string' },
    output: { type: 'string', default: join(KIOSK, 'dist-packages') },
  },
});

const asked = [values.x64 && Arch.x64, values.arm64 && Arch.arm64].filter((arch) => arch !== false);
const [app, output] = [resolve(values.app), resolve(values.output)];
const electronDist = process.env.ELECTRON_DIST && resolve(process.env.ELECTRON_DIST);
const archs = asked.length > 0 ? asked : [process.arch === 'arm64' ? Arch.arm64 : Arch.x64];
if (electronDist && archs.length > 1) {
  console.error('The Electron in ELECTRON_DIST is for one processor: name one, --x64 or --arm64.');
  process.exit(1);
}

const shell = [join(KIOSK, 'build-shell.mjs'), '--app', values.app];
if (values.page !== undefined) shell.push('--page', values.page);
const { status } = spawnSync(process.execPath, shell, { stdio: 'inherit' });
if (status !== 0) process.exit(1);

// fpm takes what electron-builder.yaml names for the .deb as seen from where it runs.
process.chdir(KIOSK);
const made = await build({
  projectDir: KIOSK,
  targets: Platform.LINUX.createTarget(values.dir ? 'dir' : ['deb', 'AppImage'], ...archs),
  publish: 'never',
  // Over electron-builder.yaml, which is found by its name.
  config: {
    // The version is exactly the one against which the shell's types were checked.
    electronVersion: require('electron/package.json').version,
    directories: { app, output },
    // All is in files of our own: packages that lie in folders further up are none of this program's.
    beforeBuild: async () => false,
    ...(electronDist && { electronDist }),
  },
});
for (const file of made) console.log(file);
