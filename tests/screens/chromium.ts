import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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

/**
 * A browser without a window that makes no outside requests; what it draws can be smaller than the layout.
 * @param hosts names that lead elsewhere
 */
export function startChromium({
  drawnAt = 1,
  hosts = '',
}: {
  drawnAt?: number;
  hosts?: string;
} = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--force-device-scale-factor=${drawnAt}`,
      ...(hosts === '' ? [] : [`--host-resolver-rules=${hosts}`]),
    ],
  });
}
