import { beforeEach, describe, expect, it } from 'vitest';
import { KioskScreen } from './kiosk-screen.ts';

const ID = '01980000-0000-7000-8000-000000000001';
const START = Date.UTC(2026, 10, 28, 7);

let tick: number;
let changes: number;
beforeEach(() => {
  tick = 0;
  changes = 0;
});

function screenOf(options: { silentSeconds?: number | null; isExpected?: boolean } = {}): KioskScreen {
  const screen = new KioskScreen({
    silentSeconds: 60,
    isExpected: true,
    ...options,
    tick: () => tick,
    now: () => new Date(START + tick),
  });
  screen.onChange(() => {
    changes += 1;
  });
  return screen;
}

describe('the screen of a kiosk', () => {
  it('is silent when its page has not asked for so long, and well again when it asks', () => {
    const screen = screenOf();
    screen.polled();
    tick = 60_000;
    screen.check();
    expect([screen.signal()?.state, screen.isDead(), changes]).toEqual(['ok', false, 0]);
    tick = 60_001;
    screen.check();
    screen.check();
    expect([screen.isDead(), changes]).toEqual([true, 1]);
    expect(screen.signal()).toEqual({
      state: 'silent',
      detail: 'its page has not asked for the site since 2026-11-28T07:00:00.000Z',
    });
    screen.polled();
    expect([screen.signal()?.state, screen.isDead(), changes]).toEqual(['ok', false, 2]);
  });

  it('that never came up is noticed where a terminal stands, and expected of no other site', () => {
    const [beside, alone, again, foreign] = [
      screenOf(),
      screenOf({ isExpected: false }),
      screenOf({ isExpected: false }),
      screenOf({ silentSeconds: null }),
    ];
    again.expect();
    expect(beside.signal()).toBeNull();
    tick = 60_001;
    const states = [beside, alone, again, foreign].map((screen) => screen.signal()?.state ?? null);
    expect(states).toEqual(['silent', null, 'silent', null]);
    expect([alone.isWatched(), foreign.isWatched(), foreign.isDead()]).toEqual([false, false, false]);
    alone.polled();
    expect(alone.isWatched()).toBe(true);
  });

  it('is shown to who asked last, once', async () => {
    const screen = screenOf();
    expect(await screen.take(ID, 1000)).toEqual({ kind: 'away' });
    screen.polled();
    const first = screen.take('other', 60_000);
    const second = screen.take(ID, 60_000);
    expect(await first).toEqual({ kind: 'away' });
    expect(screen.wantedPicture()).toBe(ID);
    expect(screen.answer('other', { kind: 'text', text: 'x' })).toBe(false);
    expect(screen.answer(ID, { kind: 'text', text: 'Greiða' })).toBe(true);
    expect(await second).toEqual({ kind: 'text', text: 'Greiða' });
    expect(screen.wantedPicture()).toBeNull();
    expect(screen.answer(ID, { kind: 'text', text: 'Greiða' })).toBe(false);
  });

  it('that does not answer is away', async () => {
    const screen = screenOf();
    screen.polled();
    expect(await screen.take(ID, 1)).toEqual({ kind: 'away' });
    expect(screen.wantedPicture()).toBeNull();
  });
});
