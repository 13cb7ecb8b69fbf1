import { describe, expect, it } from 'vitest';
import type { LastResult, TerminalTransaction } from '../terminal/terminal.ts';
import { judgeBooking } from './judge-booking.ts';

const record = (more: Partial<TerminalTransaction> = {}): TerminalTransaction => ({
  reference: '0007.000012',
  terminalId: '52500001',
  amountMinor: 500,
  currency: 'ISK',
  authorisation: '123456',
  card: { type: 'visa', lastFour: '1111' },
  at: '11-21 10:00:00',
  marks: { trace: '000012' },
  ...more,
});
const booked = (more: Partial<TerminalTransaction> = {}, reversed = false): LastResult => ({
  kind: 'transaction',
  transaction: record(more),
  reversed,
});
const OLD = { reference: '0006.000011', marks: { trace: '000011' }, at: '11-21 09:00:00' };
const NONE: LastResult = { kind: 'none' };
const AWAY: LastResult = { kind: 'unavailable', problem: 'busy' };
const judge = (
  baseline: LastResult,
  last: LastResult,
  booking: TerminalTransaction | null = null,
  others: TerminalTransaction[] = [],
) => judgeBooking({ amountMinor: 500, currency: 'ISK', baseline, booking, last, others }).kind;

describe('a payment of unknown outcome', () => {
  it('is asked again while the terminal does not report it', () => {
    expect(judge(booked(OLD), AWAY)).toBe('ask-again');
  });

  it('was not booked where the terminal has what it had before', () => {
    expect(judge(booked(OLD), booked(OLD))).toBe('not-booked');
    expect(judge(booked(OLD), booked(OLD), record())).toBe('not-booked');
    expect(judge(NONE, NONE)).toBe('not-booked');
  });

  it('was not booked where the newest is known to be another payment’s', () => {
    // Its newest was one that came to nothing, of which it has nothing left after a power cut.
    expect(judge(NONE, booked(), null, [record()])).toBe('not-booked');
    expect(judge(AWAY, booked(), null, [record()])).toBe('not-booked');
    // Receipt numbers repeat: without a time, it cannot be certain that it is the same sale.
    expect(judge(NONE, booked(), null, [record({ at: '01-03 10:00:00' })])).toBe('booked');
    expect(judge(AWAY, booked({ at: null }), null, [record({ at: null })])).toBe('person');
    expect(judge(booked(OLD), booked(), null, [record()])).toBe('booked');
  });

  it('was booked where the terminal has a new one of its amount', () => {
    expect(judge(booked(OLD), booked())).toBe('booked');
    expect(judge(NONE, booked())).toBe('booked');
    expect(judge(AWAY, booked(), record())).toBe('booked');
  });

  it('was taken back where the terminal says so, in its own record or in another', () => {
    expect(judge(booked(OLD), booked({}, true))).toBe('reversed');
    expect(judge(booked(OLD), booked({}, true), record())).toBe('reversed');
    expect(judge(booked(OLD), booked({ reference: '0008.000013', marks: {} }, true), record())).toBe(
      'reversed',
    );
  });

  it.each<[string, LastResult, LastResult, TerminalTransaction | null]>([
    ['another amount', booked(OLD), booked({ amountMinor: 700 }), null],
    ['another currency', booked(OLD), booked({ currency: 'EUR' }), null],
    ['another terminal', booked(OLD), booked({ terminalId: '52500002' }), null],
    ['another number than was approved', booked(OLD), booked({ reference: '0009.000014' }), record()],
    ['one that may have been there before', AWAY, booked(), null],
    ['none any more', booked(OLD), NONE, null],
  ])('is for a person where the terminal has %s', (_what, baseline, last, booking) => {
    expect(judge(baseline, last, booking)).toBe('person');
  });
});
