import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium; another one where the environment names it. */
const CHROMIUM = process.env['HLID_CHROMIUM'] ?? '/usr/bin/chromium';

export const CHROMIUM_IS_HERE = existsSync(CHROMIUM);

/** A browser without a window, which calls nobody; what it draws can be smaller than what is laid out. */
export function startChromium({ drawnAt = 1 } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--force-device-scale-factor=${drawnAt}`,
    ],
  });
}
