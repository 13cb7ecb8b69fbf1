import { existsSync } from 'node:fs';
import { deadline } from '@hlid/protocol/test/deadline';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** Debian's, the one without windows first: it takes half of the processor time. */
const DEBIANS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
/** Another one where the environment names it. */
const CHROMIUM = process.env['HLID_CHROMIUM'] ?? DEBIANS.find((path) => existsSync(path)) ?? '';

export const CHROMIUM_IS_HERE = existsSync(CHROMIUM);

/**
 * The glass of a kiosk on which nothing moves: sixty drawings a second take more processor time than all else. In
 * `tests/journeys/pay-at-kiosk.test.ts` it moves.
 */
export const STILL_KIOSK = {
  viewport: { width: 1080, height: 1920 },
  hasTouch: true,
  reducedMotion: 'reduce',
} as const;

/** The features that Playwright turns off, in its order. Chromium counts only the last list of all, which is ours. */
export const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * Each context has a window, without being seen. What its address bar would open are two pages of Chromium's own in a
 * process of their own: that is more than half of the processor time of a small page of ours. Neither is another process
 * needed in advance for a page that may follow.
 */
const OFF_HERE = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

interface ChromiumLook {
  /** The scale of drawing, which can be smaller than the layout. */
  drawnAt?: number;
  /** Names that lead elsewhere. */
  hosts?: string;
}

/** Sixty drawings a second take more processor time than what is tested. */
const STILL = { reducedMotion: 'reduce' } as const;

/** How long a page is waited for, on a quiet machine: only what hangs takes as long. */
const PATIENCE_MS = 60_000;

/** The browser of this process. */
let running: Promise<Browser> | undefined;

/**
 * A browser without a window that makes no outside requests. All files of tests in a process share one: to start it takes
 * as long as several tests. `close()` closes what was opened here; the browser ends with the process. Nothing moves on its
 * pages, unless a test sets `reducedMotion`. A browser with a look of its own is another one, and ends with `close()`.
 */
export async function startChromium(look: ChromiumLook = {}): Promise<Browser> {
  if (Object.keys(look).length > 0) return await launchChromium(look);
  if (running === undefined || !(await running).isConnected()) running = launchChromium();
  return shareOf(await running);
}

/** The browser as one user of it has it, who closes only what is theirs. */
function shareOf(browser: Browser): Browser {
  const contexts = new Set<BrowserContext>();
  const noted = (context: BrowserContext) => {
    context.setDefaultTimeout(deadline(PATIENCE_MS));
    contexts.add(context);
    context.once('close', () => contexts.delete(context));
  };
  const share: Pick<Browser, 'newContext' | 'newPage' | 'close'> = {
    async newContext(options) {
      const context = await browser.newContext({ ...STILL, ...options });
      noted(context);
      return context;
    },
    async newPage(options) {
      const page = await browser.newPage({ ...STILL, ...options });
      noted(page.context());
      return page;
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()));
    },
  };
  const own: Browser = Object.create(browser);
  return Object.assign(own, share);
}

/** A browser for a program that ends. */
export function launchChromium({ drawnAt = 1, hosts = '' }: ChromiumLook = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...OFF_HERE].join(',')}`,
      `--force-device-scale-factor=${drawnAt}`,
      ...(hosts === '' ? [] : [`--host-resolver-rules=${hosts}`]),
    ],
  });
}
