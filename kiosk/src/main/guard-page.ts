import { isOwnPage } from './address-policy.ts';
import { type KeyInput, mayType } from './key-policy.ts';
import type { ShellLog } from './shell-log.ts';

interface Preventable {
  preventDefault(): void;
}

/** The part of Electron's `WebContents` that is restricted here. */
export interface GuardedPage {
  on(event: 'will-frame-navigate', listener: (event: Preventable & { url: string }) => void): unknown;
  on(event: 'will-redirect', listener: (event: Preventable & { url: string }) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: Preventable) => void): unknown;
  on(event: 'before-input-event', listener: (event: Preventable, input: KeyInput) => void): unknown;
  on(event: 'context-menu', listener: (event: Preventable) => void): unknown;
  on(event: 'zoom-changed', listener: () => void): unknown;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
  setVisualZoomLevelLimits(least: number, most: number): Promise<void>;
  setZoomLevel(level: number): void;
  setIgnoreMenuShortcuts(ignore: boolean): void;
}

/**
 * Keeps the page in place: it loads no other, opens no window and does not zoom, and keys reach it only to
 * type.
 * @param guardKeys false for a trial at a desk
 */
export function guardPage(
  page: GuardedPage,
  { log, guardKeys }: { log: ShellLog; guardKeys: boolean },
): void {
  const stay = (event: Preventable & { url: string }) => {
    if (isOwnPage(event.url)) return;
    event.preventDefault();
    log('kiosk.request-refused', { url: event.url });
  };
  page.on('will-frame-navigate', stay);
  page.on('will-redirect', stay);
  page.on('will-attach-webview', (event) => event.preventDefault());
  page.setWindowOpenHandler(({ url }) => {
    log('kiosk.window-refused', { url });
    return { action: 'deny' };
  });
  page.on('context-menu', (event) => event.preventDefault());
  page.on('zoom-changed', () => page.setZoomLevel(0));
  // It fails where the page has gone meanwhile, and then there is nothing to zoom.
  page.setVisualZoomLevelLimits(1, 1).catch(() => {});
  if (!guardKeys) return;
  page.setIgnoreMenuShortcuts(true);
  page.on('before-input-event', (event, input) => {
    if (!mayType(input)) event.preventDefault();
  });
}
