// Stands in for Electron where its binary is not: as much of it as the kiosk's main process uses, over IPC to a test.
// Loaded by `use-stand-in.mjs`. Sends `{event: NAME, …}`, and receives `{ask: ADDRESS}`, `{page: EVENT, given: []}`,
// `{beat: {…}, from: {url, parent}}`, `{fail: REASON}` and `{quit: true}`.
import { EventEmitter } from 'node:events';

const report = (event, more = {}) => process.send?.({ event, ...more });
let handle = null;

class Session extends EventEmitter {
  protocol = {
    handle: (scheme, handler) => {
      handle = handler;
      report('protocol', { scheme });
    },
  };
  webRequest = { onBeforeRequest: () => report('requests-watched') };
  setPermissionRequestHandler() {}
  setPermissionCheckHandler() {}
  setDevicePermissionHandler() {}
  setDisplayMediaRequestHandler() {}
  setSpellCheckerEnabled() {}
}

class WebContents extends EventEmitter {
  session = new Session();
  setWindowOpenHandler() {}
  async setVisualZoomLevelLimits() {}
  setZoomLevel() {}
  setIgnoreMenuShortcuts() {}
  async insertCSS(css) {
    report('style', { css });
  }
  isCrashed() {
    return false;
  }
  forcefullyCrashRenderer() {}
  async loadURL(address) {
    const { status, headers } = await handle(new Request(address));
    report('loaded', { address, status, policy: headers.get('content-security-policy') });
    this.emit('dom-ready');
    this.emit('did-finish-load');
  }
}

class Window extends EventEmitter {
  webContents = new WebContents();
  constructor(options) {
    super();
    report('window', { options });
    page = this.webContents;
  }
  show() {}
  focus() {}
}

class App extends EventEmitter {
  switches = [];
  commandLine = {
    appendSwitch: (name, value) => this.switches.push([name, value]),
    hasSwitch: (name) => process.argv.includes(`--${name}`),
  };
  getPath() {
    return process.env.STAND_IN_USER_DATA ?? '/nowhere';
  }
  requestSingleInstanceLock() {
    return process.env.STAND_IN_SECOND !== 'yes';
  }
  enableSandbox() {
    report('sandbox');
  }
  async whenReady() {}
  getVersion() {
    return '0.0.0-test';
  }
  quit() {
    this.emit('before-quit');
    this.emit('quit');
    this.exit(0);
  }
  exit(code) {
    process.exitCode = code;
    process.disconnect?.();
    setImmediate(() => process.exit());
  }
}

let page = null;
export const app = new App();
export const BrowserWindow = Window;
export const ipcMain = new EventEmitter();
export const Menu = { setApplicationMenu: (menu) => report('menu', { menu }) };
export const powerSaveBlocker = { start: (type) => report('power', { type }) };
export const protocol = {
  registerSchemesAsPrivileged: (schemes) => report('schemes', { schemes }),
};

process.on('message', async (message) => {
  if (message.ask) {
    const response = await handle(new Request(message.ask));
    report('answer', { status: response.status, body: await response.text() });
  } else if (message.page) page?.emit(message.page, ...message.given);
  else if (message.beat) ipcMain.emit('hlid:beat', { senderFrame: message.from }, message.beat);
  else if (message.fail) {
    setImmediate(() => {
      throw new Error(message.fail);
    });
  } else if (message.quit) app.quit();
});
