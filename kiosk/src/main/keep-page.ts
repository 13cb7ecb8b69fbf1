import { HELP_ADDRESS, PAGE_ADDRESS } from './address-policy.ts';
import { followPage, newPageLife, type PageEvent } from './page-life-state.ts';
import type { ShellLog } from './shell-log.ts';

/** The part of the window's page that is needed to keep it alive. */
export interface KeptPage {
  on(event: 'render-process-gone', listener: (event: object, details: { reason: string }) => void): unknown;
  on(event: 'unresponsive', listener: () => void): unknown;
  on(event: 'preload-error', listener: () => void): unknown;
  on(
    event: 'did-fail-load',
    listener: (event: object, code: number, description: string, url: string, isMainFrame: boolean) => void,
  ): unknown;
  on(event: 'did-finish-load', listener: () => void): unknown;
  /** Ends a process that answers no more; loading would wait for it. */
  forcefullyCrashRenderer(): void;
  isCrashed(): boolean;
  loadURL(address: string): Promise<void>;
}

/** Chromium's error code for a load that another load has replaced. */
const ABORTED = -3;

/**
 * Loads the page and sees to it that there is one, by `page-life-state.ts`. Returns what takes in beats, and how to stop.
 * @param tick a monotonic clock, in milliseconds
 * @param leave ends the program
 */
export function keepPage(
  page: KeptPage,
  {
    log,
    tick,
    leave,
    checkEveryMs = 1000,
  }: { log: ShellLog; tick: () => number; leave: () => void; checkEveryMs?: number },
): { beat: (beat: { shows: boolean; idle: boolean }) => void; stop: () => void } {
  let life = newPageLife(tick());
  let ending = false;
  /** The shell ended the page's process, which is no fault of the page. */
  let ended = false;
  let wanted: string = PAGE_ADDRESS;

  /** @param hangs it answers no more, so that its process must be ended first */
  function take(event: PageEvent, hangs = event.type === 'tick'): void {
    if (ending) return;
    const next = followPage(life, event, tick());
    life = next.life;
    switch (next.step) {
      case 'none':
        return;
      case 'load':
        log('kiosk.page-reloaded', { faults: life.faults.length });
        show(PAGE_ADDRESS, hangs);
        return;
      case 'help':
        log('kiosk.help-shown', { times: life.helps });
        show(HELP_ADDRESS, hangs);
        return;
      case 'leave':
        log('kiosk.gave-up', { times: life.helps });
        stop();
        leave();
    }
  }

  function show(address: string, hangs: boolean): void {
    wanted = address;
    if (hangs && !page.isCrashed()) {
      ended = true;
      // It goes on at `render-process-gone`: a load before that may come to nothing (electron#48661).
      page.forcefullyCrashRenderer();
    } else {
      loadSoon();
    }
  }

  /** Loads the page after the event of its process, which Electron has not finished with (electron#19887). */
  function loadSoon(): void {
    setImmediate(() => {
      // The event `did-fail-load` reports errors.
      if (!ending) page.loadURL(wanted).catch(() => {});
    });
  }

  function stop(): void {
    ending = true;
    clearInterval(timer);
  }

  page.on('render-process-gone', (_event, { reason }) => {
    if (ending) return;
    if (ended) {
      ended = false;
      loadSoon();
      return;
    }
    log('kiosk.page-failed', { reason });
    take({ type: 'fault' });
  });
  page.on('unresponsive', () => {
    log('kiosk.page-failed', { reason: 'unresponsive' });
    take({ type: 'fault' }, true);
  });
  page.on('preload-error', () => {
    log('kiosk.page-failed', { reason: 'preload' });
    take({ type: 'fault' });
  });
  page.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return;
    log('kiosk.page-failed', { reason: description, code });
    take({ type: 'fault' });
  });
  page.on('did-finish-load', () => {
    ended = false;
    log('kiosk.page-loaded');
  });
  const timer = setInterval(() => take({ type: 'tick' }), checkEveryMs);
  show(PAGE_ADDRESS, false);

  return { beat: (beat) => take({ type: 'beat', ...beat }), stop };
}
