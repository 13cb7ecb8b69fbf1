import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import { CODE_ALPHABET, codeTime, exitCode, isWellFormed, plainCode, readExitCode } from './exit-code.ts';

const PAID_AT = '2026-11-28T01:49:30.000Z';
const after = (ms: number) => utcTime(millis(PAID_AT) + ms);
const signer = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest();
const sign = signer('the site');
const STAY = {
  siteId: 'site-1',
  visitId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  currency: 'ISK',
};
const PAID = { paidAt: PAID_AT, units: 1, amountMinor: 500 };
const codeOf = (paid: Partial<typeof PAID> = {}, stay: Partial<typeof STAY> = {}) =>
  exitCode({ ...STAY, ...stay }, { ...PAID, ...paid }, sign) ?? expect.unreachable();
const read = (typed: string, now = PAID_AT, stay: Partial<typeof STAY> = {}) =>
  readExitCode({ ...STAY, ...stay }, typed, sign, now);

describe('the code of an online payment', () => {
  it('says what was paid and when, in a few letters that are not mistaken', () => {
    const code = codeOf();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){2}$/);
    expect(read(code)).toEqual({ ...PAID, paidAt: codeTime(PAID_AT) });
    const taken = code.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('V', 'u').toLowerCase();
    expect(read(` ${taken.replaceAll('-', ' ')} `)).toEqual({ ...PAID, paidAt: codeTime(PAID_AT) });
  });

  it('is read back whatever was paid, within 40 days, and by a clock that is up to an hour behind', () => {
    const anyPaid = fc.record({
      units: fc.integer({ min: 0, max: 31 }),
      amountMinor: fc.integer({ min: 0, max: 2 ** 34 }),
    });
    const anyAge = fc.integer({ min: -HOUR_MS + 2 * MINUTE_MS, max: 40 * DAY_MS - 2 * MINUTE_MS });
    fc.assert(
      fc.property(anyPaid, anyAge, (paid, age) => {
        expect(read(codeOf(paid), after(age))).toEqual({ ...paid, paidAt: codeTime(PAID_AT) });
      }),
    );
  });

  it('is good for one stay of one site, in its currency, and not for ever', () => {
    const code = codeOf();
    const others = [{ siteId: 'site-2' }, { visitId: crypto.randomUUID() }, { currency: 'EUR' }];
    for (const other of others) expect(read(code, PAID_AT, other)).toBe('wrong-code');
    expect(readExitCode(STAY, code, signer('another site'), PAID_AT)).toBe('wrong-code');
    expect(read(code, after(41 * DAY_MS))).toBe('expired');
    expect(read(code, after(300 * DAY_MS))).toBe('wrong-code');
  });

  it('shows each mistyped or swapped letter by itself, and cannot be made to say more', () => {
    const code = plainCode(codeOf());
    for (let at = 0; at < code.length; at++) {
      for (const digit of CODE_ALPHABET) {
        const wrong = code.slice(0, at) + digit + code.slice(at + 1);
        if (wrong === code) continue;
        expect(isWellFormed(wrong), wrong).toBe(false);
        expect(read(wrong)).toBe('wrong-code');
      }
    }
    let missed = 0;
    for (let at = 0; at + 1 < code.length; at++) {
      const [one, other] = [code.charAt(at), code.charAt(at + 1)];
      const swapped = code.slice(0, at) + other + one + code.slice(at + 2);
      if (swapped !== code && isWellFormed(swapped)) missed += 1;
    }
    expect(missed).toBe(0);
    expect(isWellFormed('')).toBe(false);
    expect(read('0'.repeat(15))).toBe('wrong-code');
  });

  it('is not made of what it cannot say', () => {
    expect(exitCode(STAY, { ...PAID, units: 32 }, sign)).toBeNull();
    expect(exitCode(STAY, { ...PAID, amountMinor: 32 ** 7 }, sign)).toBeNull();
  });
});
