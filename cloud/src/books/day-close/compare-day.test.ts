import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DUE, paymentFact, visitFact } from '../../../test/day-facts.ts';
import { columnsOf, compareDay, DIFFERENCE_CLASSES, type DifferenceClass, keyOfRow } from './compare-day.ts';
import { type DayFacts, NO_FACTS, type PaymentFact, type ProviderFact } from './day-facts.ts';

const TODAY = '2026-11-23';
const PAST = '2026-11-22';

const saleRow = (id: string, grossMinor: number, more: Partial<ProviderFact> = {}): ProviderFact => ({
  id: `row-${id}`,
  kind: 'sale',
  match: 'matched',
  reference: `psp-${id}`,
  currency: 'ISK',
  grossMinor,
  feeMinor: Math.round(grossMinor / 100) + 5,
  contract: { basisPoints: 100, fixedMinor: 5 },
  ...more,
});

const paymentOf = (id: string, amountMinor: number, more: Partial<PaymentFact> = {}): PaymentFact =>
  paymentFact(id, amountMinor, { rows: [saleRow(id, amountMinor)], ...more });

const add = (day: DayFacts, more: Partial<DayFacts>): DayFacts => ({
  visits: [...day.visits, ...(more.visits ?? [])],
  invoices: [...day.invoices, ...(more.invoices ?? [])],
  payments: [...day.payments, ...(more.payments ?? [])],
  refunds: [...day.refunds, ...(more.refunds ?? [])],
  chargebacks: [...day.chargebacks, ...(more.chargebacks ?? [])],
  terminals: [...day.terminals, ...(more.terminals ?? [])],
  strays: [...day.strays, ...(more.strays ?? [])],
  batches: [...day.batches, ...(more.batches ?? [])],
  bank: [...day.bank, ...(more.bank ?? [])],
  claims: [...day.claims, ...(more.claims ?? [])],
  files: [...day.files, ...(more.files ?? [])],
});

/** A sale by card that agrees on every side, with a refund of a part of it. */
function soldByCard(id: string, amountMinor: number, refundMinor: number): Partial<DayFacts> {
  const paymentId = `payment-${id}`;
  return {
    visits: [visitFact(id, amountMinor)],
    invoices: [
      {
        id: paymentId,
        number: 7,
        amountMinor,
        currency: 'ISK',
        visitId: `visit-${id}`,
        needsPayment: true,
        hasPayment: true,
        siteCurrency: 'ISK',
      },
    ],
    payments: [paymentOf(id, amountMinor)],
    refunds:
      refundMinor === 0
        ? []
        : [
            {
              id: `refund-${id}`,
              paymentId,
              amountMinor: refundMinor,
              currency: 'ISK',
              settledBy: DUE,
              rows: [saleRow(`refund-${id}`, 0 - refundMinor, { kind: 'refund' })],
            },
          ],
  };
}

/** The other sides of a day on which all is well: also what gives no money, and what a business pays. */
function restOfDay(id: string, amountMinor: number): Partial<DayFacts> {
  const sum = { brand: 'visa', terminalMinor: amountMinor, booksMinor: amountMinor };
  return {
    visits: [
      visitFact(`free-${id}`, 0, { documentsMinor: null }),
      visitFact(`waived-${id}`, amountMinor, { state: 'waived', documentsMinor: null }),
      visitFact(`billed-${id}`, amountMinor, { state: 'billed' }),
      // It was paid for two days, and stayed one.
      visitFact(`long-${id}`, amountMinor, { documentsMinor: 2 * amountMinor }),
    ],
    terminals: [
      {
        id: `end-${id}`,
        terminalId: 'kiosk',
        currency: 'ISK',
        sums: [{ ...sum, terminalCount: 1, booksCount: 1 }],
      },
    ],
    batches: [
      {
        id: `batch-${id}`,
        reference: id,
        state: 'paid',
        currency: 'ISK',
        payoutMinor: amountMinor,
        roundingMinor: 0,
        atBankBy: DUE,
        entries: [{ id: `entry-${id}`, amountMinor, match: 'matched' }],
      },
    ],
    bank: [
      {
        id: `rent-${id}`,
        amountMinor: 0 - amountMinor,
        currency: 'ISK',
        reference: null,
        isReversal: false,
        isClaim: false,
      },
      {
        id: `paid-claim-${id}`,
        amountMinor,
        currency: 'ISK',
        reference: null,
        isReversal: false,
        isClaim: true,
      },
    ],
    claims: [
      {
        id: `claim-${id}`,
        invoiceId: null,
        currency: 'ISK',
        principalMinor: amountMinor,
        extraMinor: 0,
        isReversed: false,
        atBankBy: null,
      },
    ],
    strays: [saleRow(`fee-${id}`, 0, { kind: 'fee', contract: null, feeMinor: 12 })],
  };
}

interface Plant {
  facts: Partial<DayFacts>;
  /** The row that makes it. */
  row: string;
  amountMinor: number;
}

/** Ways to plant a difference of each class. */
const PLANTS: Readonly<Record<DifferenceClass, readonly ((id: string, amount: number) => Plant)[]>> = {
  'visit-without-payment': [
    (id, amount) => ({
      facts: {
        visits: [visitFact(id, amount, { state: 'unpaid', leftMinor: amount, documentsMinor: null })],
      },
      row: `visit:visit-${id}`,
      amountMinor: 0 - amount,
    }),
    (id, amount) => ({
      facts: { visits: [visitFact(id, amount, { documentsMinor: null })] },
      row: `visit:visit-${id}`,
      amountMinor: 0 - amount,
    }),
    (id, amount) => ({
      facts: {
        invoices: (soldByCard(id, amount, 0).invoices ?? []).map((one) => ({ ...one, hasPayment: false })),
      },
      row: `invoice:payment-${id}`,
      amountMinor: 0 - amount,
    }),
  ],
  'payment-without-visit': [
    (id, amount) => ({
      facts: { payments: [paymentOf(id, amount, { hasSubject: false })] },
      row: `payment:payment-${id}`,
      amountMinor: amount,
    }),
    (id, amount) => ({
      facts: { payments: [paymentOf(id, amount, { invoicedMinor: null, invoiceId: null })] },
      row: `payment:payment-${id}`,
      amountMinor: amount,
    }),
  ],
  'terminal-only': [
    (id, amount) => terminal(id, [3 * amount, 2 * amount], amount),
    (id, amount) => ({
      facts: { strays: [saleRow(id, amount, { match: 'none' })] },
      row: `settlement-row:row-${id}`,
      amountMinor: amount,
    }),
    (id, amount) => ({
      facts: { payments: [paymentOf(id, amount, { state: 'unknown', settledBy: PAST, rows: [] })] },
      row: `payment:payment-${id}`,
      amountMinor: amount,
    }),
  ],
  'books-only': [(id, amount) => terminal(id, [amount, 2 * amount], 0 - amount)],
  'amount-differs': [
    (id, amount) => ({
      facts: {
        payments: [paymentOf(id, amount, { rows: [saleRow(id, amount + 30, { match: 'other-amount' })] })],
      },
      row: `payment:payment-${id}`,
      amountMinor: 30,
    }),
    (id, amount) => ({
      facts: { payments: [paymentOf(id, amount, { invoicedMinor: amount - 20 })] },
      row: `payment:payment-${id}`,
      amountMinor: 20,
    }),
    (id, amount) => ({
      facts: { visits: [visitFact(id, amount, { documentsMinor: amount - 1 })] },
      row: `visit:visit-${id}`,
      amountMinor: -1,
    }),
    (id, amount) => ({
      facts: {
        terminals: [
          {
            id: `end-${id}`,
            terminalId: 'kiosk',
            currency: 'ISK',
            sums: [
              { brand: 'all', terminalMinor: amount, booksMinor: amount, terminalCount: 1, booksCount: 2 },
            ],
          },
        ],
      },
      row: `terminal-day:end-${id}:all`,
      amountMinor: 0,
    }),
  ],
  duplicate: [
    (id, amount) => ({
      facts: { payments: [paymentOf(id, amount, { isTwice: true, invoicedMinor: null })] },
      row: `payment:payment-${id}`,
      amountMinor: amount,
    }),
    (id, amount) => ({
      facts: {
        payments: [
          paymentOf(id, amount, {
            rows: [saleRow(id, amount), saleRow(`${id}-again`, amount, { match: 'duplicate' })],
          }),
        ],
      },
      row: `settlement-row:row-${id}-again`,
      amountMinor: amount,
    }),
  ],
  'refund-one-sided': [
    (id, amount) => ({
      facts: {
        payments: [
          paymentOf(id, amount, {
            rows: [saleRow(id, amount), saleRow(`${id}-back`, -10, { kind: 'refund', match: 'not-booked' })],
          }),
        ],
      },
      row: `settlement-row:row-${id}-back`,
      amountMinor: -10,
    }),
    (id, amount) => {
      const { payments = [], visits = [], refunds = [] } = soldByCard(id, amount, amount);
      const theirs = saleRow(`${id}-part`, 1 - amount, { kind: 'refund', match: 'other-amount' });
      return {
        facts: { payments, visits, refunds: refunds.map((one) => ({ ...one, rows: [theirs] })) },
        row: `refund:refund-${id}`,
        amountMinor: 1,
      };
    },
    (id, amount) => {
      const { refunds = [] } = soldByCard(id, amount, amount);
      return {
        facts: { refunds: refunds.map((one) => ({ ...one, rows: [], settledBy: PAST })) },
        row: `refund:refund-${id}`,
        amountMinor: amount,
      };
    },
  ],
  'fee-differs': [
    (id, amount) => {
      const row = saleRow(id, amount);
      const rows = [{ ...row, feeMinor: row.feeMinor + 40 }];
      return {
        facts: { payments: [paymentOf(id, amount, { rows })] },
        row: `settlement-row:row-${id}`,
        amountMinor: -40,
      };
    },
    (id) => ({
      facts: { strays: [saleRow(id, 0, { kind: 'fee', feeMinor: 990 })] },
      row: `settlement-row:row-${id}`,
      amountMinor: -990,
    }),
  ],
  late: [
    (id, amount) => ({
      facts: { payments: [paymentOf(id, amount, { rows: [], settledBy: PAST })] },
      row: `payment:payment-${id}`,
      amountMinor: 0 - amount,
    }),
    (id, amount) => ({
      facts: {
        batches: (restOfDay(id, amount).batches ?? []).map((one) => ({
          ...one,
          atBankBy: PAST,
          entries: [],
        })),
      },
      row: `batch:batch-${id}`,
      amountMinor: 0 - amount,
    }),
  ],
  chargeback: [
    (id, amount) => ({
      facts: {
        chargebacks: [
          {
            id: `chargeback-${id}`,
            reference: id,
            paymentId: `payment-${id}`,
            amountMinor: amount,
            currency: 'ISK',
            settledBy: DUE,
            rows: [
              saleRow(`${id}-back`, 0 - amount, { kind: 'chargeback' }),
              saleRow(`${id}-fee`, 0, { kind: 'fee', feeMinor: 2500 }),
            ],
          },
        ],
      },
      row: `chargeback:chargeback-${id}`,
      amountMinor: 0 - amount - 2500,
    }),
    (id, amount) => ({
      facts: { strays: [saleRow(id, amount, { kind: 'chargeback-reversed' })] },
      row: `settlement-row:row-${id}`,
      amountMinor: amount,
    }),
  ],
  'payout-differs': [
    (id, amount) => ({
      facts: {
        batches: (restOfDay(id, amount).batches ?? []).map((one) => ({
          ...one,
          entries: [{ id: `entry-${id}`, amountMinor: amount - 7, match: 'other-amount' as const }],
        })),
      },
      row: `batch:batch-${id}`,
      amountMinor: -7,
    }),
    (id, amount) => ({
      facts: {
        batches: (restOfDay(id, amount).batches ?? []).map((one) => ({
          ...one,
          state: 'carried' as const,
          payoutMinor: 0 - amount,
          entries: [],
        })),
      },
      row: `batch:batch-${id}`,
      amountMinor: 0 - amount,
    }),
  ],
  'claim-extra': [(id, amount) => claim(id, amount, { extraMinor: 950 }, 950)],
  'claim-reversed': [(id, amount) => claim(id, amount, { isReversed: true }, 0 - amount)],
  'bank-unknown': [
    (id, amount) => ({
      facts: {
        bank: [
          {
            id: `entry-${id}`,
            amountMinor: amount,
            currency: 'ISK',
            reference: null,
            isReversal: false,
            isClaim: false,
          },
        ],
      },
      row: `bank-entry:entry-${id}`,
      amountMinor: amount,
    }),
  ],
  'currency-or-rounding': [
    (id, amount) => ({
      facts: { batches: (restOfDay(id, amount).batches ?? []).map((one) => ({ ...one, roundingMinor: 2 })) },
      row: `batch:batch-${id}`,
      amountMinor: 2,
    }),
    (id, amount) => ({
      facts: {
        payments: [paymentOf(id, amount, { rows: [saleRow(id, 33, { currency: 'EUR', contract: null })] })],
      },
      row: `payment:payment-${id}`,
      amountMinor: 33,
    }),
  ],
  'file-missing-or-twice': [
    (id) => file(id, { problem: 'missing', thing: 'account', dueOn: PAST }),
    (id) => file(id, { problem: 'repeated', thing: 'file', dueOn: null }),
    (id) => file(id, { problem: 'gap', thing: 'file', dueOn: null }),
  ],
};

function terminal(id: string, [terminalMinor, booksMinor]: [number, number], amountMinor: number): Plant {
  const sum = { brand: 'visa', terminalMinor, booksMinor, terminalCount: null, booksCount: 2 };
  return {
    facts: { terminals: [{ id: `end-${id}`, terminalId: 'kiosk', currency: 'ISK', sums: [sum] }] },
    row: `terminal-day:end-${id}:visa`,
    amountMinor,
  };
}

function claim(
  id: string,
  principalMinor: number,
  more: Partial<DayFacts['claims'][number]>,
  amountMinor: number,
): Plant {
  const paid = { invoiceId: null, currency: 'ISK', extraMinor: 0, isReversed: false, atBankBy: null };
  return {
    facts: { claims: [{ id: `claim-${id}`, principalMinor, ...paid, ...more }] },
    row: `claim:claim-${id}`,
    amountMinor,
  };
}

function file(id: string, more: Pick<DayFacts['files'][number], 'problem' | 'thing' | 'dueOn'>): Plant {
  return {
    facts: { files: [{ id, name: 'statement.xml', currency: 'ISK', ...more }] },
    row: `${more.thing}:${id}`,
    amountMinor: 0,
  };
}

const amounts = fc.integer({ min: 100, max: 90_000 });
const goodDays = fc
  .array(fc.record({ amount: amounts, refund: fc.nat(90), isRest: fc.boolean() }), { maxLength: 12 })
  .map((sales) =>
    sales.reduce((day, { amount, refund, isRest }, n) => {
      const sold = add(day, soldByCard(`${n}`, amount, refund));
      return isRest ? add(sold, restOfDay(`${n}`, amount)) : sold;
    }, NO_FACTS),
  );
const planted = fc.array(
  fc.record({ kind: fc.constantFrom(...DIFFERENCE_CLASSES), way: fc.nat(5), amount: amounts }),
  { maxLength: 20 },
);

const facts = (day: DayFacts, seed: number): DayFacts => {
  const turned = <Row>(rows: readonly Row[]): Row[] =>
    rows.length === 0
      ? []
      : [...rows.slice(seed % rows.length), ...rows.slice(0, seed % rows.length)].reverse();
  return {
    visits: turned(day.visits),
    invoices: turned(day.invoices),
    payments: turned(day.payments),
    refunds: turned(day.refunds),
    chargebacks: turned(day.chargebacks),
    terminals: turned(day.terminals),
    strays: turned(day.strays),
    batches: turned(day.batches),
    bank: turned(day.bank),
    claims: turned(day.claims),
    files: turned(day.files),
  };
};

describe('a day', () => {
  it('has no difference where all sides agree', () => {
    fc.assert(
      fc.property(goodDays, (day) => {
        const { differences, expected } = compareDay(day, TODAY);
        expect([differences, expected]).toEqual([[], []]);
      }),
    );
  });

  it('has the differences that were planted, each with its class, its row and its amount, and no others', () => {
    fc.assert(
      fc.property(goodDays, planted, fc.nat(30), (day, plants, seed) => {
        const wanted: string[] = [];
        const whole = plants.reduce((before, { kind, way, amount }, n) => {
          const ways = PLANTS[kind];
          const plant = ways[way % ways.length]?.(`planted-${n}`, amount);
          if (plant === undefined) throw new Error(`no way to plant ${kind}`);
          wanted.push(`${kind} ${plant.row} ${plant.amountMinor}`);
          return add(before, plant.facts);
        }, day);
        const { differences } = compareDay(facts(whole, seed), TODAY);
        const found = differences.map(({ kind, rows, amountMinor }) => {
          const [row] = rows;
          return `${kind} ${row === undefined ? '' : keyOfRow(row)} ${amountMinor}`;
        });
        expect(found.sort()).toEqual(wanted.sort());
        expect(new Set(differences.map(({ key }) => key)).size).toBe(differences.length);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(DIFFERENCE_CLASSES)('names %s in each way to plant it', (kind) => {
    for (const [n, way] of PLANTS[kind].entries()) {
      const plant = way(String(n), 1000);
      const { differences } = compareDay(add(NO_FACTS, plant.facts), TODAY);
      expect(differences.map((one) => one.kind)).toEqual([kind]);
    }
  });

  it('expects what is not due yet, and misses it from the day after', () => {
    const day = add(NO_FACTS, { payments: [paymentOf('1', 500, { rows: [], settledBy: DUE })] });
    expect(compareDay(day, TODAY)).toMatchObject({
      differences: [],
      expected: [{ kind: 'late', dueOn: DUE, amountMinor: -500 }],
    });
    expect(compareDay(day, DUE).differences).toEqual([]);
    expect(compareDay(day, '2026-11-27')).toMatchObject({ differences: [{ kind: 'late' }], expected: [] });
  });

  it('expects nothing of providers and banks that have no files here', () => {
    const day = add(NO_FACTS, { payments: [paymentOf('1', 500, { rows: [], settledBy: null })] });
    expect(compareDay(day, '2027-11-27')).toMatchObject({ differences: [], expected: [] });
  });

  it('adds up each side in each currency', () => {
    const sold = add(NO_FACTS, soldByCard('1', 1000, 300));
    expect(columnsOf(compareDay(sold, TODAY).rows)).toEqual([
      { side: 'visits', currency: 'ISK', rows: 1, amountMinor: 1000 },
      { side: 'invoices', currency: 'ISK', rows: 1, amountMinor: 1000 },
      { side: 'payments', currency: 'ISK', rows: 2, amountMinor: 700 },
      { side: 'providers', currency: 'ISK', rows: 2, amountMinor: 700 },
    ]);
  });
});
