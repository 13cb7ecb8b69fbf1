/** The kiosk's settings on which the window depends. */
export interface WindowRequest {
  preload: string;
  /** An ordinary window, for trying it out at a desk. */
  windowed: boolean;
}

/** The partition is in memory: nothing that a driver typed is on the disk. */
const PARTITION = 'kiosk';

/**
 * The options of Electron's `BrowserWindow`: it fills the screen, and the page in it has no more rights than
 * one on the internet.
 */
export function windowOptions({ preload, windowed }: WindowRequest) {
  return {
    kiosk: !windowed,
    fullscreen: !windowed,
    frame: windowed,
    width: 1080,
    height: windowed ? 1440 : 1920,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: '#101418',
    webPreferences: {
      preload,
      partition: PARTITION,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      disableDialogs: true,
      spellcheck: false,
      devTools: windowed,
      // The clock and the countdown run on while the screen sleeps or something lies over the window.
      backgroundThrottling: false,
    },
  };
}

/**
 * The switches of Chromium's command line. Most turn off what touch screens do to pages and no driver should
 * meet.
 */
export const CHROMIUM_SWITCHES: readonly (readonly [name: string, value: string])[] = [
  ['disable-pinch', ''],
  ['overscroll-history-navigation', '0'],
  ['disable-features', 'Translate,TouchTextEditingRedesign,MediaRouter'],
  ['no-default-browser-check', ''],
  ['touch-events', 'enabled'],
  // Voices for who cannot see the screen; without that service there are none.
  ['enable-speech-dispatcher', ''],
];

/** An AppImage starts its program like that, without a word, where the kernel gives users no name spaces. */
export const NO_SANDBOX_ADVICE =
  'The kiosk does not show its page without a sandbox (--no-sandbox). Install the .deb, which brings what the sandbox needs, ' +
  'or allow user name spaces.';

/** The style that hides the pointer on a touch screen, over all of the page, whatever its own style. */
export const NO_CURSOR_STYLE = '*, *::before, *::after { cursor: none !important }';
