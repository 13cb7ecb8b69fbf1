import { afterEach, expect, test, vi } from 'vitest';
import { readUnfinished, writeUnfinished } from './unfinished.ts';

const ORDER = { payment: 'p-1', stay: 's-1', amountMinor: 1450, currency: 'ISK', quantity: null, caps: null };
const UNFINISHED = { order: ORDER, siteCode: 'harbour', language: 'pl' } as const;

afterEach(() => vi.unstubAllGlobals());

function storage(stored: string | null = null): void {
  let item = stored;
  vi.stubGlobal('localStorage', {
    getItem: () => item,
    setItem: (_key: string, text: string) => {
      item = text;
    },
    removeItem: () => {
      item = null;
    },
  });
}

test('a payment is found again until it is over', () => {
  storage();
  writeUnfinished(UNFINISHED);
  expect(readUnfinished()).toMatchObject(UNFINISHED);
  writeUnfinished(null);
  expect(readUnfinished()).toBeNull();
});

test('a payment that an earlier page began is found', () => {
  storage(JSON.stringify({ wish: ORDER, siteCode: 'harbour', language: 'pl' }));
  expect(readUnfinished()).toMatchObject(UNFINISHED);
});

test.each(['null', '{', '[]', '{"order":{}}'])('what is no payment is ignored: %s', (stored) => {
  storage(stored);
  expect(readUnfinished()).toBeNull();
});

test('a browser without storage has none', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('forbidden');
    },
  });
  expect(readUnfinished()).toBeNull();
});
