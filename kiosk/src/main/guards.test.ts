import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { type GuardedPage, guardPage } from './guard-page.ts';
import { type GuardedSession, guardSession } from './guard-session.ts';
import type { KeyInput } from './key-policy.ts';
import { windowOptions } from './window-policy.ts';

let facts: string[];
const log = (fact: string) => facts.push(fact);

beforeEach(() => {
  facts = [];
});

/** Whether an event was prevented. */
function newEvent(url = '') {
  const event = {
    url,
    prevented: false,
    preventDefault() {
      event.prevented = true;
    },
  };
  return event;
}

class FakePage extends EventEmitter implements GuardedPage {
  open: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  zoomLimits: [number, number] | null = null;
  zoomLevel = 1;
  menuShortcuts = true;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void {
    this.open = handler;
  }
  async setVisualZoomLevelLimits(least: number, most: number): Promise<void> {
    this.zoomLimits = [least, most];
  }
  setZoomLevel(level: number): void {
    this.zoomLevel = level;
  }
  setIgnoreMenuShortcuts(ignore: boolean): void {
    this.menuShortcuts = !ignore;
  }
}

describe('the page', () => {
  const guarded = (guardKeys = true) => {
    const page = new FakePage();
    guardPage(page, { log, guardKeys });
    return page;
  };

  it.each(['will-frame-navigate', 'will-redirect'])('goes nowhere else (%s)', (name) => {
    const page = guarded();
    for (const url of ['https://example.is/', 'http://127.0.0.1:7070/kiosk/', 'file:///etc/passwd']) {
      const event = newEvent(url);
      page.emit(name, event);
      expect(event.prevented).toBe(true);
    }
    const own = newEvent('app://kiosk/index.html');
    page.emit(name, own);
    expect(own.prevented).toBe(false);
    expect(facts).toEqual(Array(3).fill('kiosk.request-refused'));
  });

  it('opens no window, no webview and no menu', () => {
    const page = guarded();
    expect(page.open({ url: 'app://kiosk/index.html' })).toEqual({ action: 'deny' });
    for (const name of ['will-attach-webview', 'context-menu']) {
      const event = newEvent();
      page.emit(name, event);
      expect(event.prevented).toBe(true);
    }
  });

  it('does not zoom', () => {
    const page = guarded();
    expect(page.zoomLimits).toEqual([1, 1]);
    page.emit('zoom-changed', newEvent(), 'in');
    expect(page.zoomLevel).toBe(0);
  });

  it('gets only keys to type with, but at a desk all', () => {
    const reload: KeyInput = {
      type: 'keyDown',
      key: 'r',
      control: true,
      alt: false,
      meta: false,
      shift: false,
    };
    const page = guarded();
    expect(page.menuShortcuts).toBe(false);
    const [kept, typed, desk] = [newEvent(), newEvent(), newEvent()];
    page.emit('before-input-event', kept, reload);
    page.emit('before-input-event', typed, { ...reload, control: false });
    guarded(false).emit('before-input-event', desk, reload);
    expect([kept.prevented, typed.prevented, desk.prevented]).toEqual([true, false, false]);
  });
});

type Setter =
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler';
type Handler<Name extends Setter> = Parameters<GuardedSession[Name]>[0];

class FakeSession extends EventEmitter implements GuardedSession {
  request: Handler<'setPermissionRequestHandler'> = null;
  check: Handler<'setPermissionCheckHandler'> = null;
  device: Handler<'setDevicePermissionHandler'> = null;
  display: Handler<'setDisplayMediaRequestHandler'> = null;
  spelling = true;
  /** Whether the request to each address was cancelled. */
  cancels = new Map<string, boolean>();
  ask: (url: string) => void = () => {};

  setPermissionRequestHandler(handler: Handler<'setPermissionRequestHandler'>): void {
    this.request = handler;
  }
  setPermissionCheckHandler(handler: Handler<'setPermissionCheckHandler'>): void {
    this.check = handler;
  }
  setDevicePermissionHandler(handler: Handler<'setDevicePermissionHandler'>): void {
    this.device = handler;
  }
  setDisplayMediaRequestHandler(handler: Handler<'setDisplayMediaRequestHandler'>): void {
    this.display = handler;
  }
  setSpellCheckerEnabled(enable: boolean): void {
    this.spelling = enable;
  }
  webRequest: GuardedSession['webRequest'] = {
    onBeforeRequest: (...given: unknown[]) => {
      const listener = given.at(-1);
      if (typeof listener !== 'function') throw new Error('Nothing listens.');
      this.ask = (url) =>
        listener({ url }, ({ cancel }: { cancel?: boolean }) => this.cancels.set(url, cancel === true));
    },
  };
}

describe('the session', () => {
  it('permits nothing', () => {
    const session = new FakeSession();
    guardSession(session, { log, devTools: false });
    expect(session.check).not.toBeNull();
    expect(Reflect.apply(session.check ?? (() => true), null, [null, 'media', 'app://kiosk', {}])).toBe(
      false,
    );
    expect(Reflect.apply(session.device ?? (() => true), null, [{}])).toBe(false);
    const answers: unknown[] = [];
    const answer = (given: unknown) => answers.push(given);
    Reflect.apply(session.request ?? (() => {}), null, [null, 'geolocation', answer, {}]);
    Reflect.apply(session.display ?? (() => {}), null, [{}, answer]);
    expect(answers).toEqual([false, {}]);
    expect(session.spelling).toBe(false);
    expect(facts).toEqual(['kiosk.permission-refused']);
  });

  it('asks no address but the own one, and keeps no file', () => {
    const session = new FakeSession();
    guardSession(session, { log, devTools: false });
    session.ask('app://kiosk/api/kiosk/site');
    session.ask('https://example.is/beacon?plate=ABC12');
    session.ask('devtools://devtools/bundled/devtools_app.html');
    expect(Object.fromEntries(session.cancels)).toEqual({
      'app://kiosk/api/kiosk/site': false,
      'https://example.is/beacon?plate=ABC12': true,
      'devtools://devtools/bundled/devtools_app.html': true,
    });
    const download = newEvent();
    session.emit('will-download', download);
    expect(download.prevented).toBe(true);
  });
});

it('has developer tools at a desk, and still no other address', () => {
  const session = new FakeSession();
  guardSession(session, { log, devTools: true });
  session.ask('devtools://devtools/bundled/devtools_app.html');
  session.ask('https://example.is/');
  expect([...session.cancels.values()]).toEqual([false, true]);
});

describe('the window', () => {
  it('gives the page no rights, at the kiosk or at a desk', () => {
    for (const windowed of [true, false]) {
      const { webPreferences } = windowOptions({ preload: '/app/preload.cjs', windowed });
      expect(webPreferences).toMatchObject({
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
      });
      // A partition without `persist:` is in memory.
      expect(webPreferences.partition).toBe('kiosk');
    }
  });

  it('fills the screen and has no developer tools, but at a desk', () => {
    const kiosk = windowOptions({ preload: '/p', windowed: false });
    const desk = windowOptions({ preload: '/p', windowed: true });
    expect([kiosk.kiosk, kiosk.frame, kiosk.webPreferences.devTools]).toEqual([true, false, false]);
    expect([desk.kiosk, desk.frame, desk.webPreferences.devTools]).toEqual([false, true, true]);
  });
});
