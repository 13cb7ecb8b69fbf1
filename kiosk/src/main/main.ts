import { join } from 'node:path';
import { EXIT } from '@hlid/protocol/command-line/command';
import { app, BrowserWindow, ipcMain, Menu, powerSaveBlocker, protocol } from 'electron';
import { APP_PRIVILEGES, APP_SCHEME } from './address-policy.ts';
import { createAppProtocol } from './app-protocol.ts';
import { guardPage } from './guard-page.ts';
import { guardSession } from './guard-session.ts';
import { keepPage } from './keep-page.ts';
import { sendScreenPicture } from './screen-picture.ts';
import { createServiceWatch, watchPauseMs } from './service-watch.ts';
import { SHELL_CHANNELS } from './shell-channels.ts';
import { readBeat, readPictureId } from './shell-ipc.ts';
import { createShellLog } from './shell-log.ts';
import { readShellSettings, type ShellSettings } from './shell-settings.ts';
import { removeStaleLock } from './stale-lock.ts';
import { CHROMIUM_SWITCHES, NO_CURSOR_STYLE, NO_SANDBOX_ADVICE, windowOptions } from './window-policy.ts';

const log = createShellLog(
  (line) => process.stdout.write(line),
  () => new Date(),
);
// Electron would show a dialog and go on. No person at a kiosk closes it, and a program that has ended is
// restarted.
process.on('uncaughtException', giveUp);
process.on('unhandledRejection', giveUp);

const read = readShellSettings(process.env);
if (read.kind === 'wrong') {
  for (const mistake of read.mistakes) process.stderr.write(`${mistake}\n`);
  app.exit(EXIT.wrongUsage);
} else if (!read.settings.windowed && app.commandLine.hasSwitch('no-sandbox')) {
  process.stderr.write(`${NO_SANDBOX_ADVICE}\n`);
  app.exit(EXIT.wrongUsage);
} else if (!lockInstance()) {
  process.stderr.write('The kiosk is running already.\n');
  app.exit(EXIT.failed);
} else {
  start(read.settings);
}

/** Takes the instance lock. After a power cut the folder keeps the lock of a program that is gone. */
function lockInstance(): boolean {
  const removed = removeStaleLock(app.getPath('userData'));
  if (removed !== null) log('kiosk.lock-removed', { lock: removed });
  return app.requestSingleInstanceLock();
}

function start(settings: ShellSettings): void {
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: APP_PRIVILEGES }]);
  for (const [name, value] of CHROMIUM_SWITCHES) app.commandLine.appendSwitch(name, value);
  app.enableSandbox();
  // Ctrl+C and `systemctl stop` end it; closing the window, which no driver can, does too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit());
  app.on('quit', () => log('kiosk.stopped'));
  // Chromium starts it again. The log line explains why the screen flickers.
  app.on('child-process-gone', (_event, { type, reason }) => log('kiosk.helper-failed', { type, reason }));
  app
    .whenReady()
    .then(() => open(settings))
    .catch(giveUp);
}

function giveUp(reason: unknown): void {
  log('kiosk.gave-up', { reason: String(reason) });
  app.exit(EXIT.failed);
}

function open(settings: ShellSettings): void {
  const { edgeUrl, windowed, cursor } = settings;
  Menu.setApplicationMenu(null);
  if (!windowed) powerSaveBlocker.start('prevent-display-sleep');

  const window = new BrowserWindow(
    windowOptions({ preload: join(import.meta.dirname, 'preload.cjs'), windowed }),
  );
  const page = window.webContents;
  guardSession(page.session, { log, devTools: windowed });
  guardPage(page, { log, guardKeys: !windowed });
  page.session.protocol.handle(
    APP_SCHEME,
    createAppProtocol({
      pageFolder: join(import.meta.dirname, 'page'),
      helpFolder: join(import.meta.dirname, 'help'),
      edgeUrl,
    }),
  );
  page.on('dom-ready', () => {
    if (!cursor) void page.insertCSS(NO_CURSOR_STYLE);
  });
  window.once('ready-to-show', () => window.show());
  app.on('second-instance', () => window.focus());
  app.on('window-all-closed', () => app.quit());

  const kept = keepPage(page, { log, tick: () => performance.now(), leave: () => app.exit(EXIT.failed) });
  const service = createServiceWatch(process.env);
  const pauseMs = watchPauseMs(process.env);
  if (pauseMs !== null) setInterval(service.alive, pauseMs);
  ipcMain.on(SHELL_CHANNELS.beat, (event, message: unknown) => {
    const beat = readBeat(event.senderFrame, message);
    if (beat) kept.beat(beat);
  });
  ipcMain.on(SHELL_CHANNELS.picture, (event, message: unknown) => {
    const id = readPictureId(event.senderFrame, message);
    if (id !== null) void sendScreenPicture(page, { edgeUrl, id, log });
  });
  app.on('before-quit', kept.stop);
  service.ready();
  log('kiosk.started', { version: app.getVersion(), edge: edgeUrl });
}
