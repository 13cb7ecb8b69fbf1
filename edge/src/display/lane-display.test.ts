import { systemClock } from '@hlid/node/clock';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { decodeQR } from 'qr/decode.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GateView } from '../gate/gate-mode.ts';
import { LaneDisplay, type Standing } from './lane-display.ts';

let display: LaneDisplay;
let standing: Standing;
let helpFor: string[];
let hasCloud: boolean;
let settings: object;
beforeEach(() => {
  vi.useFakeTimers();
  standing = 'gone';
  helpFor = [];
  hasCloud = true;
  settings = {};
  display = new LaneDisplay({
    settings: () => SiteSettingsSchema.parse(settings),
    pays: { kiosk: () => 'works', hasCloud: () => hasCloud },
    standing: () => standing,
    onChanged: () => undefined,
    onHelpNeeded: (passageId) => helpFor.push(passageId),
    clock: systemClock,
  });
});
afterEach(() => {
  display.stop();
  vi.useRealTimers();
});

const reported = () => display.view()?.code ?? null;
const gate = (state: GateView['state'], lastError: string | null = null) =>
  display.gate({ state, lastError });

test('a driver who is kept for a visit that may not be his is shown which it is, until he may go', () => {
  const question = {
    visitId: 'visit-1',
    plate: 'BTE9•',
    startedAt: utcTime(0),
    picture: '/picture',
    text: { is: 'Er þetta bíllinn þinn?', en: 'Is this your car?' },
  };
  display.decided('passage', { open: false, reason: 'need-payment' }, null, question);
  expect(display.view()).toMatchObject({ reason: 'need-payment', question });
  display.decided('passage', { open: false, reason: 'need-payment' });
  expect(display.view()).not.toHaveProperty('question');
  display.decided('passage', { open: true, reason: 'not-mine' });
  expect(display.view()).not.toHaveProperty('question');
});

test('the display is not blank as long as a car may stand there, and sends nobody to pay for whom no payment opens', () => {
  display.decided('passage', { open: false, reason: 'need-payment' }, 60_000);
  expect(reported()).toBe('pay-at-kiosk');
  standing = 'waits';
  vi.advanceTimersByTime(3_600_000);
  expect(reported()).toBe('pay-at-kiosk');
  standing = 'perhaps';
  vi.advanceTimersByTime(3_600_000);
  expect(reported()).toBe('call-for-help');
  standing = 'gone';
  vi.advanceTimersByTime(60_000);
  expect(reported()).toBeNull();
});

test('a driver who owes is shown how much, for which plate, and why; a full car park says so', () => {
  const debt = { plate: 'ABX12', price: { amountMinor: 1500, currency: 'ISK' } };
  display.decided('passage', { open: false, reason: 'need-payment' }, 60_000, null, debt);
  expect(display.view()).toMatchObject({
    code: 'pay-at-kiosk',
    plate: 'ABX12',
    due: { amountMinor: 1500, currency: 'ISK', text: { en: expect.stringContaining('1,500') } },
    why: { en: 'Payment due' },
  });
  display.decided('another', { open: false, reason: 'full' });
  expect(display.view()).toMatchObject({ plate: null, due: null, code: 'turn-round' });
  expect(display.view()?.text.en).toBe('The car park is full. Please turn round');
});

test('who owes pays by phone at the exit: a code with the plate, and the short address, while the cloud can hear of it', () => {
  settings = { payOnline: 'https://hlid.example/pay/7KWM' };
  const debt = { plate: 'ÞÓR12', price: { amountMinor: 1500, currency: 'ISK' } };
  display.decided('passage', { open: false, reason: 'need-payment' }, 60_000, null, debt);
  const url = 'https://hlid.example/pay/7KWM#plate=%C3%9E%C3%93R12';
  expect(display.view()).toMatchObject({
    plate: 'ÞÓR12',
    due: { amountMinor: 1500 },
    payByPhone: { url, address: 'hlid.example/pay/7KWM' },
  });
  const { size = 0, path = '' } = display.view()?.payByPhone?.qr ?? {};
  expect(readPath(size, path)).toBe(url);
  hasCloud = false;
  display.update();
  expect(display.view()).toMatchObject({ code: 'pay-at-kiosk', payByPhone: null });
  hasCloud = true;
  display.update();
  expect(display.view()?.payByPhone?.url).toBe(url);
  // A plate that could not be read is typed on the page.
  display.decided('another', { open: false, reason: 'need-payment' }, 60_000, null, {
    plate: null,
    price: null,
  });
  expect(display.view()?.payByPhone?.url).toBe('https://hlid.example/pay/7KWM');
  display.decided('third', { open: true, reason: 'paid' });
  expect(display.view()?.payByPhone).toBeNull();
});

/** The text of the drawn code, read like a camera. */
function readPath(size: number, path: string): string {
  const scale = 4;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, column, row] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let y = Number(row) * scale; y < (Number(row) + 1) * scale; y++) {
      for (let x = Number(column) * scale; x < (Number(column) + 1) * scale; x++) {
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
      }
    }
  }
  return decodeQR({ width, height: width, data });
}

test('a driver who can call nobody is not asked to call, and people are asked to come, once', () => {
  display.decided('passage', { open: false, reason: 'blocklisted' });
  display.decided('passage', { open: false, reason: 'no-visit' });
  expect(display.view()?.text.en).toBe('Please wait here. We have asked staff to help you');
  expect(helpFor).toEqual(['passage']);
});

describe('a driver who is let in', () => {
  beforeEach(() => display.decided('passage', { open: true, reason: 'welcome' }));

  test.each([
    ['is on its way up', 'opening', null, 'wait'],
    ['is up', 'open', null, 'drive-on'],
    ['is held up', 'held-open', null, 'drive-on'],
    ['is kept down', 'kept-closed', null, 'call-for-help'],
    ['said no', 'closed', 'refused', 'call-for-help'],
    ['says nothing of itself', 'unknown', null, 'call-for-help'],
    ['is down', 'closed', null, 'wait'],
  ] as const)('at a gate that %s', (_what, state, lastError, code) => {
    gate(state, lastError);
    expect(reported()).toBe(code);
  });

  test('is not left to wait in silence by a gate that is long in opening, nor the second time', () => {
    gate('opening');
    vi.advanceTimersByTime(1999);
    expect(reported()).toBe('wait');
    vi.advanceTimersByTime(1);
    expect(reported()).toBe('call-for-help');
    gate('opening');
    expect(reported()).toBe('call-for-help');
    gate('open');
    expect(reported()).toBe('drive-on');
  });

  test('is cleared when the driver has passed, or after a while', () => {
    gate('open');
    gate('closed');
    expect(reported()).toBeNull();
    display.decided('another', { open: true, reason: 'welcome' });
    vi.advanceTimersByTime(45_000);
    expect(reported()).toBeNull();
  });
});
