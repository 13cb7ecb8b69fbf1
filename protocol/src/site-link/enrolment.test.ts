import fc from 'fast-check';
import { expect, it } from 'vitest';
import { enrolmentCode, readEnrolmentCode } from './enrolment.ts';

const anyBytes = fc.uint8Array({ minLength: 8, maxLength: 8 });

it('is a code that can be said and typed, and read back however it is typed', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const code = enrolmentCode(bytes);
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
      expect(readEnrolmentCode(code)).toBe(code);
      expect(readEnrolmentCode(` ${typed} `)).toBe(code);
    }),
  );
});

it('uses all 40 bits', () => {
  expect(enrolmentCode(new Uint8Array(8))).toBe('0000-0000');
  expect(enrolmentCode(new Uint8Array(8).fill(255))).toBe('ZZZZ-ZZZZ');
  expect(() => enrolmentCode(new Uint8Array(7))).toThrow(RangeError);
});

it.each(['', 'K7QF', 'K7QF-3M2X9', 'K7QF-3M2U', 'K7QF-3M2!', '🚗🚗🚗🚗'])('%s is none', (typed) => {
  expect(readEnrolmentCode(typed)).toBe(null);
});
