import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { describe, expect, it, test } from 'vitest';
import { HealthSettingsSchema } from '../config/config.ts';
import type { HealthSignal } from '../config/health-state.ts';
import {
  cameraClockSignal,
  diskSignal,
  gateSignal,
  groupsOnlySignal,
  linkSignal,
  listsSignal,
  onvifSignal,
  paymentSignal,
  refusedSignal,
  waitingSignal,
} from './health-signals.ts';
import { checkClock, clockSignal, needsCloudTime, UNCHECKED_CLOCK } from './site-clock.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;

describe('a disk', () => {
  const { disk } = HealthSettingsSchema.parse({});
  test.each([
    ['a large one with little of it free', 50 * GB, 1000 * GB, 'ok'],
    ['a large one with few gigabytes left', 1.5 * GB, 1000 * GB, 'low'],
    ['a small one that is half full', 1 * GB, 2 * GB, 'ok'],
    ['a small one with a twentieth left', 100 * MB, 2 * GB, 'low'],
    ['one with next to nothing left', 20 * MB, 2 * GB, 'full'],
    ['one with nothing at all', 0, 1000 * GB, 'full'],
  ])('%s', (_, free, total, state) => {
    expect(diskSignal({ free, total }, disk).state).toBe(state);
  });

  it('says how much is left, for a technician', () => {
    expect(diskSignal({ free: 100 * MB, total: 2 * GB }, disk).detail).toBe('100 MB free (4 %)');
  });
});

describe('the ways to pay of a site with a card terminal', () => {
  const DEAD = { state: 'unreachable', detail: 'no answer' } as const;
  const settings = (more: object) => SiteSettingsSchema.parse(more);

  it('fail where the terminal is the only one and does not work', () => {
    expect(paymentSignal(DEAD, false, settings({}))).toMatchObject({
      state: 'failing',
      detail: expect.stringMatching(/only way to pay.*no answer/),
    });
    expect(paymentSignal({ state: 'failing', detail: 'paper' }, false, settings({}))?.state).toBe('failing');
    expect(paymentSignal(DEAD, false, settings({ hasKiosk: false }))?.state).toBe('failing');
  });

  it('are well where it works, or where there is another', () => {
    expect(paymentSignal({ state: 'ok', detail: '' }, false, settings({}))?.state).toBe('ok');
    for (const other of [
      { hasKiosk: true },
      { payOnline: 'https://pay.example' },
      { invoicesOwners: true },
    ]) {
      expect(paymentSignal(DEAD, false, settings(other))?.state).toBe('ok');
    }
  });

  it('fail with a dead screen, whatever the settings say of a kiosk', () => {
    const works = { state: 'ok', detail: '' } as const;
    expect(paymentSignal(works, true, settings({ hasKiosk: true }))).toMatchObject({
      state: 'failing',
      detail: expect.stringContaining('screen is dead'),
    });
    expect(paymentSignal(works, true, settings({ payOnline: 'https://pay.example' }))?.state).toBe('ok');
  });

  it('fail where the payment page is the only one and its gateway is off, and say what else does not work', () => {
    const without = settings({});
    const detail = (...[line, isDead]: [HealthSignal | null, boolean]) =>
      paymentSignal(line, isDead, without, true)?.detail;
    expect(detail(null, false)).toMatch(/gateway of the cloud is off, and there is no other way to pay/);
    expect(detail(DEAD, false)).toMatch(/gateway of the cloud is off, and the card terminal .*no answer/);
    expect(detail(null, true)).toMatch(/off, and the kiosk’s screen is dead/);
    expect(paymentSignal(null, false, settings({ hasKiosk: true }), true)?.state).toBe('ok');
    expect(paymentSignal(null, false, settings({ payOnline: 'https://pay.example' }), false)?.state).toBe(
      'ok',
    );
  });

  it('are not known before the terminal is', () => {
    expect(paymentSignal({ state: 'unknown', detail: '' }, false, settings({}))).toBeNull();
  });
});

describe("the site's clock", () => {
  const LIMIT_MS = 30_000;
  const NOON = Date.parse('2026-11-21T12:00:00.000Z');
  const running = checkClock(checkClock(UNCHECKED_CLOCK, NOON, 0), NOON + 5000, 5000);

  it('is right while it runs at the right speed', () => {
    expect(running.set).toBeNull();
    expect(clockSignal(running, 5000, LIMIT_MS).state).toBe('ok');
  });

  test.each([
    ['forward', DAY_MS],
    ['back', -DAY_MS],
  ])('that was set %s is doubted until the cloud says that it is right', (where, byMs) => {
    const set = checkClock(running, NOON + 10_000 + byMs, 10_000);
    expect(set.set).toEqual({ byMs, tick: 10_000 });
    const sign = clockSignal(set, 10_000, LIMIT_MS);
    expect(sign).toEqual({ state: 'clock-off', detail: expect.stringContaining(`set ${where} by 86400 s`) });
    expect(needsCloudTime(set, 10_000)).toBe(true);
    const reported = { ...set, cloud: { aheadMs: 400, tick: 11_000 } };
    expect(clockSignal(reported, 11_000, LIMIT_MS).state).toBe('ok');
    expect(clockSignal(set, 10_000 + HOUR_MS, LIMIT_MS).state).toBe('ok');
  });

  it('is wrong when the cloud has another time, even if nobody set it', () => {
    const off = { ...running, cloud: { aheadMs: 90_000, tick: 5000 } };
    expect(clockSignal(off, 5000, LIMIT_MS)).toEqual({
      state: 'clock-off',
      detail: "90 s behind the cloud's",
    });
    expect(needsCloudTime(off, 6000)).toBe(false);
    expect(needsCloudTime(off, 5000 + 15 * MINUTE_MS)).toBe(true);
  });

  it('is not compared with an old time of the cloud after it was set', () => {
    const off = { ...running, cloud: { aheadMs: 90_000, tick: 5000 } };
    expect(checkClock(off, NOON + 100_000, 10_000).cloud).toBeNull();
  });

  it('that is corrected in small steps was not set', () => {
    expect(checkClock(running, NOON + 12_000, 10_000).set).toBeNull();
  });
});

test('a gate has the state of its last movement', () => {
  expect(gateSignal({ state: 'open', lastError: null })?.state).toBe('ok');
  expect(gateSignal({ state: 'opening', lastError: null })).toBeNull();
  expect(gateSignal({ state: 'unknown', lastError: 'unreachable' })).toEqual({
    state: 'failing',
    detail: 'it could not be reached',
  });
});

test('an ONVIF device reports its camera and its gate', () => {
  expect(onvifSignal({ state: 'starting', lastError: null })).toBeNull();
  expect(onvifSignal({ state: 'ok', lastError: null })?.state).toBe('ok');
  expect(onvifSignal({ state: 'login-refused', lastError: 'no' })).toEqual({
    state: 'login-refused',
    detail: 'no',
  });
});

test('a link is unreachable only after an attempt', () => {
  expect(linkSignal({ connected: false, lastError: null })).toBeNull();
  expect(linkSignal({ connected: false, lastError: 'ECONNREFUSED' })?.state).toBe('unreachable');
});

test('lists are outdated after the limit; lists that differ are reported at once', () => {
  expect(listsSignal(null, DAY_MS, DAY_MS).state).toBe('ok');
  expect(listsSignal(null, DAY_MS + HOUR_MS, DAY_MS)).toEqual({
    state: 'outdated',
    detail: "not compared with the cloud's for 25 h",
  });
  expect(listsSignal('the cloud names another hash for the same lists', 0, DAY_MS).state).toBe('differing');
});

test('waiting events are an alarm when none is accepted', () => {
  expect(waitingSignal(0, 2 * HOUR_MS, HOUR_MS).state).toBe('ok');
  expect(waitingSignal(7, HOUR_MS, HOUR_MS).state).toBe('ok');
  expect(waitingSignal(7, HOUR_MS + MINUTE_MS, HOUR_MS)).toEqual({
    state: 'backlog',
    detail: '7 waiting, for 61 min',
  });
});

test("a camera's clock that is right is not reported", () => {
  expect(cameraClockSignal(0, 0)).toBeNull();
  expect(cameraClockSignal(-60_000, 0)).toEqual({ state: 'clock-off', detail: '60 s ahead' });
  expect(cameraClockSignal(0, 3_600_000)?.detail).toContain('60 min behind by its last reads');
});

test('a camera whose documents are refused fails, with the reason', () => {
  expect(refusedSignal(null)).toBeNull();
  expect(refusedSignal('the body is empty')).toEqual({
    state: 'failing',
    detail: 'its documents are refused: the body is empty',
  });
});

test('a camera that sends groups only fails, with the setting to change', () => {
  expect(groupsOnlySignal(false)).toBeNull();
  expect(groupsOnlySignal(true)).toEqual({
    state: 'failing',
    detail: expect.stringContaining('opensOnGroup'),
  });
});
