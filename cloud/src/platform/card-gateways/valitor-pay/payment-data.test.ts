import { expect, it } from 'vitest';
import { browserData, fromWire, maskedCard, toWire } from './payment-data.ts';

it.each([
  ['ISK', 100, 10_000],
  ['ISK', 1, 100],
  ['EUR', 1550, 1550],
  ['JPY', 7, 700],
  ['KWD', 1230, 123],
] as const)('sends %s %d as %d', (currency, amountMinor, wire) => {
  expect(toWire({ amountMinor, currency })).toBe(wire);
  expect(fromWire(wire, currency)).toBe(amountMinor);
});

it('changes no amount that hundredths cannot express', () => {
  expect(toWire({ amountMinor: 1231, currency: 'KWD' })).toBeNull();
  expect(fromWire(150, 'ISK')).toBeNull();
  expect(fromWire(100.5, 'EUR')).toBeNull();
  expect(toWire({ amountMinor: Number.MAX_SAFE_INTEGER, currency: 'ISK' })).toBeNull();
});

it.each([
  ['222300******1873', 'mastercard', '1873'],
  ['411111******1111', 'visa', '1111'],
  ['378282*****0005', 'amex', '0005'],
  ['624000******1148', 'other', '1148'],
])('reads the card of %s', (masked, type, lastFour) => {
  expect(maskedCard(masked)).toEqual({ type, lastFour });
});

it.each(['', '2223000010311873', '************1873', '222300******187'])('reads no card of %j', (masked) => {
  expect(maskedCard(masked)).toBeNull();
});

const BROWSER = {
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  acceptHeader: 'text/html',
  language: 'is-IS',
  screenWidth: 390,
  screenHeight: 844,
  colorDepth: 24,
  timeZoneOffset: 0,
};
const { ip, screenWidth, screenHeight } = BROWSER;
const LEAST = { ip, screenWidth, screenHeight, javascriptEnabled: true, javaEnabled: false };

it('sends what it knows of the browser', () => {
  expect(browserData(BROWSER)).toEqual({
    browserData: { ...BROWSER, javascriptEnabled: true, javaEnabled: false },
  });
  expect(browserData({ ...BROWSER, ip: '2001:db8::1' })).toMatchObject({
    browserData: { ip: '2001:db8::1' },
  });
});

it('leaves out what would be refused', () => {
  const bad = {
    colorDepth: 30,
    timeZoneOffset: 100_000,
    language: 'a/b',
    userAgent: '',
    acceptHeader: 'x'.repeat(3000),
  };
  expect(browserData({ ...BROWSER, ...bad })).toEqual({ browserData: LEAST });
});

it.each([
  { ip: 'unknown' },
  { ip: '999.1.1.1' },
  { screenWidth: -1 },
  { screenHeight: 844.5 },
  { screenWidth: 1e6 },
])('sends nothing where %j makes the whole incomplete', (change) => {
  expect(browserData({ ...BROWSER, ...change })).toEqual({});
});
