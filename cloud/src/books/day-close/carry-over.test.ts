import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DUE, paymentFact, visitFact } from '../../../test/day-facts.ts';
import { type CloseDifference, CORRECTION, carryOver, isSameDay, type KnownDay } from './carry-over.ts';
import { packSnapshot, unpackSnapshot } from './close-snapshot.ts';
import { type ComparedDay, compareDay } from './compare-day.ts';
import { type DayFacts, NO_FACTS, type PaymentFact } from './day-facts.ts';

const SIGNED_ON = '2026-11-23';

const settled = (id: string, amountMinor: number, grossMinor = amountMinor): PaymentFact =>
  paymentFact(id, amountMinor, {
    rows: [
      {
        id: `row-${id}`,
        kind: 'sale',
        match: grossMinor === amountMinor ? 'matched' : 'other-amount',
        reference: null,
        currency: 'ISK',
        grossMinor,
        feeMinor: 0,
        contract: null,
      },
    ],
  });

const knownOf = ({ rows, differences, expected }: ComparedDay): KnownDay => ({
  rows,
  differences: differences.map(({ key }) => key),
  expected: expected.map(({ key, amountMinor, currency }) => ({ key, amountMinor, currency })),
});

const signed = (facts: Partial<DayFacts>) => ({
  id: 'close-1',
  day: '2026-11-21',
  known: knownOf(compareDay({ ...NO_FACTS, ...facts }, SIGNED_ON)),
});

const later = (facts: Partial<DayFacts>, today = '2026-11-24') =>
  compareDay({ ...NO_FACTS, ...facts }, today);
const briefly = ({ kind, cause, amountMinor, rows }: CloseDifference) =>
  `${kind} ${cause} ${amountMinor} ${rows
    .map(({ thing }) => thing)
    .sort()
    .join(',')}`;

describe('a signed day that is compared again', () => {
  it('has nothing to report where nothing has changed', () => {
    const facts = { visits: [visitFact('1', 500)], payments: [settled('1', 500)] };
    const { differences, arrived, expected } = carryOver(signed(facts), later(facts));
    expect([differences, arrived, expected]).toEqual([[], [], []]);
  });

  it('reports a late stay with its payment as one line', () => {
    const now = later({ visits: [visitFact('1', 500)], payments: [settled('1', 500)] });
    expect(carryOver(signed({}), now).differences.map(briefly)).toEqual([
      `${CORRECTION} null 500 payment,visit`,
    ]);
  });

  it('reports a refund of that day, a stay that is unpaid now, and what is gone', () => {
    const facts = {
      visits: [visitFact('1', 500), visitFact('2', 700)],
      payments: [settled('1', 500), settled('2', 700)],
    };
    const refund = {
      id: 'refund-1',
      paymentId: 'payment-1',
      amountMinor: 200,
      currency: 'ISK',
      settledBy: null,
      rows: [],
    };
    const now = later({
      visits: [
        visitFact('1', 500),
        visitFact('3', 90, { state: 'unpaid', leftMinor: 90, documentsMinor: null }),
      ],
      payments: [settled('1', 500)],
      refunds: [refund],
    });
    expect(carryOver(signed(facts), now).differences.map(briefly).sort()).toEqual([
      `${CORRECTION} null -200 refund`,
      `${CORRECTION} null -700 payment,visit`,
      `${CORRECTION} visit-without-payment 90 visit`,
    ]);
  });

  it('waits on for what is expected, lets it arrive, and misses it under its own class', () => {
    const facts = { visits: [visitFact('1', 500)], payments: [paymentFact('1', 500)] };
    const close = signed(facts);
    const waiting = carryOver(close, later(facts));
    expect(waiting.expected).toMatchObject([{ kind: 'late', dueOn: DUE }]);
    expect([waiting.differences, waiting.arrived]).toEqual([[], []]);
    const came = carryOver(close, later({ ...facts, payments: [settled('1', 500)] }));
    expect(came).toMatchObject({ differences: [], expected: [], arrived: [{ amountMinor: -500 }] });
    const missed = carryOver(close, later(facts, '2026-11-27'));
    expect(missed).toMatchObject({
      differences: [{ kind: 'late', cause: null, ofCloseId: 'close-1' }],
      expected: [],
      arrived: [],
    });
  });

  it('reports another amount than was expected as a correction', () => {
    const close = signed({ visits: [visitFact('1', 500)], payments: [paymentFact('1', 500)] });
    const now = later({ visits: [visitFact('1', 500)], payments: [settled('1', 500, 450)] });
    expect(carryOver(close, now).differences.map(briefly)).toEqual([
      `${CORRECTION} amount-differs -50 payment,settlement-row`,
    ]);
  });

  it('reports each change once: the next close knows what the one before has reported', () => {
    const sales = fc.array(
      fc.record({ amount: fc.integer({ min: 1, max: 9000 }), isSettled: fc.boolean(), isPaid: fc.boolean() }),
      { maxLength: 8 },
    );
    const dayOf = (all: { amount: number; isSettled: boolean; isPaid: boolean }[]): Partial<DayFacts> => ({
      visits: all.map(({ amount, isPaid }, n) =>
        visitFact(`${n}`, amount, isPaid ? {} : { state: 'unpaid', leftMinor: amount, documentsMinor: null }),
      ),
      payments: all.flatMap(({ amount, isSettled, isPaid }, n) =>
        isPaid ? [isSettled ? settled(`${n}`, amount) : paymentFact(`${n}`, amount)] : [],
      ),
    });
    fc.assert(
      fc.property(sales, sales, (first, second) => {
        const close = signed(dayOf(first));
        const now = later(dayOf(second));
        const once = carryOver(close, now);
        const [own] = [unpackSnapshot(packSnapshot({ own: once.known, earlier: {} })).own];
        const again = carryOver({ ...close, known: own }, now);
        expect([again.differences, again.arrived]).toEqual([[], []]);
        expect(isSameDay(again.known, once.known)).toBe(true);
        const moved = (side: string, rows: readonly { side: string; amountMinor: number }[]) =>
          rows.filter((row) => row.side === side).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        // The lines add up to what the day has moved by.
        const lines = once.differences.filter(({ kind }) => kind === CORRECTION);
        const changes = lines.flatMap(({ rows }) => rows).filter(({ side }) => side === 'payments');
        expect(moved('payments', changes)).toBe(
          moved('payments', now.rows) - moved('payments', close.known.rows),
        );
      }),
    );
  });
});
