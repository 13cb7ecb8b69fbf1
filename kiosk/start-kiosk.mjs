// Starts the kiosk with the Electron that is installed: `npm run kiosk`. HLID_EDGE_URL is the address of the edge,
// HLID_KIOSK_WINDOWED=yes shows an ordinary window. Without Electron, any Chromium does it too.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '@hlid/protocol/base/version';
import { defineCommand, EXIT, operandList } from '@hlid/protocol/command-line/command';
import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';

const KIOSK = fileURLToPath(new URL('.', import.meta.url));
const EDGE = (process.env.HLID_EDGE_URL || 'http://127.0.0.1:7070').replace(/\/$/, '');

const program = {
  software: `hlid-kiosk/${VERSION}`,
  title: 'the kiosk at which drivers pay',
  typed: 'npm run kiosk --',
  commands: [
    defineCommand({
      name: '',
      operand: { ...operandList('OPTION'), word: '[-- OPTION …]' },
      summary: 'Run the kiosk with the Electron that is installed, until Ctrl-C',
      about: 'Words after -- are passed to Electron. Without Electron, any Chromium shows the same page.',
      isService: true,
      examples: ['', 'HLID_KIOSK_WINDOWED=yes', '-- --force-device-scale-factor=2'],
      run: ({ operand: options }) => startKiosk(options),
    }),
  ],
  environment: [
    ['HLID_EDGE_URL', 'address of the edge, on this machine (http://127.0.0.1:7070)'],
    ['HLID_KIOSK_WINDOWED', 'yes: a normal window with developer tools, for trying it out'],
    ['HLID_KIOSK_CURSOR', 'yes: with a mouse pointer'],
    ['ELECTRON_OVERRIDE_DIST_PATH', 'folder of an unpacked Electron'],
  ],
};
process.exitCode = await runProgram(program, process.argv.slice(2), processShell(process));

async function startKiosk(options) {
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
    return EXIT.failed;
  }
  const built = spawnSync(process.execPath, [join(KIOSK, 'build-shell.mjs')], { stdio: 'inherit' });
  return built.status === 0 ? await run(electron, options) : EXIT.failed;
}

/** The path of Electron's binary, without the package's own lookup, which downloads what it does not find. */
function electronBinary() {
  const folder =
    process.env.ELECTRON_OVERRIDE_DIST_PATH ||
    join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'dist');
  const binary = join(folder, 'electron');
  return existsSync(binary) ? binary : null;
}

function run(binary, options) {
  const child = spawn(binary, [join(KIOSK, 'dist-app'), ...options], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`Electron could not be started: ${error.message}`);
      resolve(EXIT.failed);
    });
    child.on('exit', (code) => resolve(code ?? EXIT.failed));
  });
}
