import { LANGUAGES } from '@hlid/protocol/base/language';
import { describe, expect, it } from 'vitest';
import {
  claimedMail,
  declinedMail,
  identityMovedMail,
  linkMail,
  movedMail,
  notRegisteredMail,
  refusedMail,
} from './driver-mail.ts';

const STAY = {
  plate: 'ABX12',
  siteName: 'Hafnartorg',
  timeZone: 'Atlantic/Reykjavik',
  startedAt: '2026-11-28T08:15:00.000Z',
  endedAt: null,
  amountMinor: 1500,
  currency: 'ISK',
  card: { type: 'visa', lastFour: '4242' } as const,
};
const PAY_AT = 'https://parking.example/pay/#link';
const PAGE = 'https://parking.example/driver';

describe.each(LANGUAGES)('a mail to a driver in %s', (language) => {
  const to = { email: 'jon@example.is', language };

  it.each([
    ['declined', declinedMail(to, { stay: STAY, payAt: PAY_AT })],
    ['limit', refusedMail(to, 'limit', { stay: STAY, payAt: PAY_AT, page: PAGE })],
    ['card', refusedMail(to, 'card', { stay: STAY, payAt: PAY_AT, page: PAGE })],
  ])('about a stay names plate, place, time, amount and the way to pay: %s', (_kind, { subject, text }) => {
    expect(subject).toMatch(/ABX12.*1[.,\u00a0\u202f ]?500/);
    for (const part of ['ABX12', 'Hafnartorg', '2026', '15', 'Visa •••• 4242', PAY_AT])
      expect(text).toContain(part);
    expect(text).toMatch(/8[:.]15/);
    expect(text).toMatch(/1[.,\u00a0\u202f ]?500/);
    expect(text).not.toMatch(/undefined|null|\d{4}-\d{2}-\d{2}/);
  });

  it('about a stay that may be another driver’s names plate and place, and no more of it', () => {
    const stay = { ...STAY, startedAt: null, endedAt: null, amountMinor: null };
    const { subject, text } = refusedMail(to, 'doubt', { stay, payAt: PAY_AT, page: PAGE });
    expect(subject).toMatch(/– ABX12$/);
    for (const part of ['ABX12', 'Hafnartorg', PAY_AT]) expect(text).toContain(part);
    expect(text).not.toMatch(/8[:.]15|1.?500/);
  });

  it.each([
    ['claimed', claimedMail(to, 'ABX12', PAGE)],
    ['moved', movedMail(to, 'ABX12')],
    ['not registered', notRegisteredMail(to, 'ABX12')],
  ])('about a car names its plate: %s', (_kind, { subject, text }) => {
    expect(subject).toContain('ABX12');
    expect(text).toContain('ABX12');
  });

  it('that says “here” has the link', () => {
    expect(claimedMail(to, 'ABX12', PAGE).text).toContain(PAGE);
    expect(identityMovedMail(to, PAGE).text).toContain(PAGE);
    expect(linkMail(to, PAGE).text).toContain(`${PAGE}#`);
  });
});
