import { creditVatParts, vatParts } from '@hlid/protocol/base/vat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INCOME_TYPES } from '../../records/invoices/income-table.ts';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { type Entry, pairsOf, sumOfLegs, useKey } from './entry.ts';
import { type BookedInvoice, type Chain, entriesOfInvoice, entriesOfPayment } from './invoice-entries.ts';

const SITES = ['a', 'b'] as const;
const dayOf = (_siteId: string | null, at: string) => at.slice(0, 10);
const gatewayOf = (id: string) => (id === 'gone' ? undefined : 'adyen');

function invoiceOf(given: Partial<BookedInvoice> & { lines: InvoiceLine[] }): BookedInvoice {
  const { lines } = given;
  const bySite = new Map<string | null, number>();
  for (const { siteId = 'a', amountMinor } of lines) {
    bySite.set(siteId, (bySite.get(siteId) ?? 0) + amountMinor);
  }
  return {
    id: 'i1',
    number: 7,
    series: 1,
    creditOf: null,
    cause: 'c1',
    productId: null,
    paymentType: 'kiosk',
    amountMinor: lines.reduce((sum, line) => sum + line.amountMinor, 0),
    currency: 'ISK',
    tipMinor: 0,
    vat: vatParts(lines),
    incomeParts: [...bySite].map(([siteId, amountMinor], n) => ({
      siteId,
      vehicleCategory: 'light',
      invoices: n === 0 ? 1 : 0,
      amountMinor,
    })),
    paidWith: null,
    paidAt: null,
    paymentId: null,
    issuedAt: '2026-11-20T10:00:00.000Z',
    ...given,
  };
}

const lineOf = (given: Partial<InvoiceLine>): InvoiceLine => ({
  rule: 'visit',
  visitId: 'v1',
  plate: 'ABX12',
  units: 1,
  amountMinor: 1240,
  vatRate: 24,
  ...given,
});

const noteOf = (invoice: BookedInvoice, given: Partial<BookedInvoice> = {}): BookedInvoice => {
  const lines = invoice.lines.map((line) => ({ ...line, amountMinor: 0 - line.amountMinor }));
  return {
    ...invoice,
    id: 'n1',
    cause: 'n1',
    number: 8,
    creditOf: invoice.id,
    amountMinor: 0 - invoice.amountMinor,
    tipMinor: 0 - invoice.tipMinor,
    lines,
    vat: creditVatParts(invoice.vat, lines, invoice.currency),
    incomeParts: invoice.incomeParts.map((part) => ({ ...part, amountMinor: 0 - part.amountMinor })),
    paidWith: null,
    paidAt: null,
    paymentId: null,
    issuedAt: '2026-11-25T10:00:00.000Z',
    ...given,
  };
};

/** Legs as text: what is debited is above zero. */
function shown({ legs }: Entry): string[] {
  return legs.map(({ use, amountMinor }) => `${use.role} ${use.details.at(-1) ?? ''} ${amountMinor}`);
}

const entries = (...chain: Chain) => entriesOfInvoice(chain, gatewayOf, dayOf);

describe('an invoice in the books', () => {
  it.each([
    ['kiosk', 'card-clearing terminals 1240'],
    ['online', 'card-clearing adyen 1240'],
    ['cash', 'received cash 1240'],
    ['company-invoice', 'receivables company-invoice 1240'],
  ] as const)('of %s is income and VAT against %s', (paymentType, against) => {
    const [entry] = entries(invoiceOf({ paymentType, lines: [lineOf({})] }));
    expect(entry && shown(entry)).toEqual([against, 'income S24 -1000', 'vat S24 -240']);
    expect(entry).toMatchObject({ kind: 'invoice', number: 'R1-7', day: '2026-11-20', siteId: 'a' });
  });

  it('has a tip beside its income, and fees and prepaid units in their own', () => {
    const lines = [
      lineOf({ vatRate: 0, vatCategory: 'E', vatReason: 'parking-rental', amountMinor: 500 }),
      lineOf({ rule: 'service-fee', amountMinor: 124 }),
    ];
    const [entry] = entries(invoiceOf({ lines, tipMinor: 50 }));
    expect(entry && shown(entry)).toEqual([
      'card-clearing terminals 674',
      'income E -500',
      'fee-income S24 -100',
      'vat S24 -24',
      'tips  -50',
    ]);
    const quota = lineOf({ rule: 'quota', vatRate: 0, amountMinor: 900 });
    const [bought] = entries(invoiceOf({ lines: [quota], productId: 'p1' }));
    expect(bought?.legs[1]?.use).toEqual({ role: 'prepaid-income', details: ['product:p1', 'none'] });
  });

  it('is an entry of each of its sites', () => {
    const lines = [lineOf({ siteId: 'a' }), lineOf({ siteId: 'b', amountMinor: 620 })];
    const made = entries(invoiceOf({ paymentType: 'company-invoice', lines }));
    expect(made.map(({ siteId, legs }) => [siteId, legs[0]?.amountMinor])).toEqual([
      ['a', 1240],
      ['b', 620],
    ]);
  });
});

describe('a credit note in the books', () => {
  const lines = [lineOf({})];
  it('takes the money back from where it came, or from what is owed', () => {
    const against = (note: BookedInvoice, invoice: BookedInvoice) =>
      entries(note, invoice).map(shown)[0]?.[0];
    const kiosk = invoiceOf({ lines });
    expect(against(noteOf(kiosk), kiosk)).toBe('card-clearing terminals -1240');
    expect(against(noteOf(kiosk, { cause: 'hand:n1' }), kiosk)).toBe('refunds kiosk -1240');
    const cash = invoiceOf({ lines, paymentType: 'cash' });
    expect(against(noteOf(cash, { cause: 'hand:n1' }), cash)).toBe('received cash -1240');
    const owed = invoiceOf({ lines, paymentType: 'company-invoice' });
    expect(against(noteOf(owed), owed)).toBe('receivables company-invoice -1240');
    const paid = {
      ...owed,
      paidAt: '2026-11-22T10:00:00.000Z',
      paidWith: 'online' as const,
      paymentId: 'p1',
    };
    expect(against(noteOf(paid), paid)).toBe('card-clearing adyen -1240');
    expect(against(noteOf(paid, { issuedAt: '2026-11-21T10:00:00.000Z' }), paid)).toBe(
      'receivables company-invoice -1240',
    );
  });

  it('is undone where its money is here again', () => {
    const invoice = invoiceOf({ lines, paymentType: 'online' });
    const note = noteOf(invoice);
    const back = noteOf(note, { id: 'b1', cause: 'credit:n1', number: 9, creditOf: 'n1' });
    expect(entries(back, note, invoice).map(shown)[0]).toEqual([
      'card-clearing adyen 1240',
      'income S24 -1000',
      'vat S24 -240',
    ]);
    expect(entries(back, note, invoice)[0]).toMatchObject({ kind: 'credit-note', creditOf: 'R1-8' });
  });
});

describe('the payment of an invoice in the books', () => {
  it('is what was left of it, and nothing where the invoice was made by its payment', () => {
    const lines = [lineOf({}), lineOf({ amountMinor: 620 })];
    const paid = { paidAt: '2026-11-22T10:00:00.000Z', paidWith: 'transfer' as const };
    const invoice = invoiceOf({ lines, paymentType: 'owner-invoice', ...paid });
    const note = noteOf(invoiceOf({ lines: [lineOf({ amountMinor: 620 })] }), {
      issuedAt: '2026-11-21T10:00:00.000Z',
    });
    expect(
      entriesOfPayment(invoice, { notes: [note], claimedMinor: 0 }, gatewayOf, dayOf).map(shown),
    ).toEqual([['received transfer 1240', 'receivables owner-invoice -1240']]);
    const kiosk = invoiceOf({ lines, ...paid });
    expect(entriesOfPayment(kiosk, { notes: [], claimedMinor: 0 }, gatewayOf, dayOf)).toEqual([]);
  });
});

const randomLine = fc.record({
  rule: fc.constantFrom('visit', 'late-fee', 'service-fee', 'quota', 'discount'),
  siteId: fc.constantFrom(...SITES),
  amountMinor: fc.integer({ min: -2000, max: 20_000 }),
  vat: fc.constantFrom(
    { vatRate: 24 },
    { vatRate: 11 },
    { vatRate: 0 },
    { vatRate: 0, vatCategory: 'Z' as const },
  ),
});
const randomInvoice = fc
  .record({
    lines: fc.array(randomLine, { minLength: 1, maxLength: 12 }),
    paymentType: fc.constantFrom(...INCOME_TYPES),
    tipMinor: fc.nat(500),
    isShared: fc.boolean(),
  })
  .map(({ lines, isShared, ...rest }) => {
    const drawn = lines.map(({ vat, siteId, ...line }) => lineOf({ ...line, siteId, ...vat }));
    const whole = invoiceOf({ ...rest, lines: drawn });
    // Parts of refunds name no site, and are shared.
    return isShared ? { ...whole, lines: drawn.map(({ siteId: _, ...line }) => line) } : whole;
  });

describe('whatever was sold', () => {
  it('debit is credit in each entry, and nothing of a document is lost or added', () => {
    fc.assert(
      fc.property(randomInvoice, fc.boolean(), (invoice, isNote) => {
        const document = isNote ? noteOf(invoice) : invoice;
        const made = isNote ? entries(document, invoice) : entries(document);
        for (const { legs } of made) {
          expect(sumOfLegs(legs)).toBe(0);
          expect(new Set(legs.map(({ use, vat }) => `${useKey(use)}${JSON.stringify(vat)}`)).size).toBe(
            legs.length,
          );
        }
        const sum = (role: string) =>
          made
            .flatMap(({ legs }) => legs)
            .reduce((all, leg) => all + (leg.use.role === role ? leg.amountMinor : 0), 0);
        const taxMinor = document.vat.reduce((all, part) => all + part.vatMinor, 0);
        const netMinor = document.vat.reduce((all, part) => all + part.netMinor, 0);
        expect(0 - sum('vat')).toBe(taxMinor);
        expect(0 - sum('income') - sum('fee-income') - sum('prepaid-income')).toBe(netMinor);
        expect(0 - sum('tips')).toBe(document.tipMinor);
        const parts = new Map(document.incomeParts.map(({ siteId, amountMinor }) => [siteId, amountMinor]));
        for (const { siteId, legs } of made) {
          const income = legs.filter(({ vat }) => vat !== null);
          expect(0 - sumOfLegs(income)).toBe(parts.get(siteId) ?? 0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('an entry and what takes it back add up to nothing in every account', () => {
    fc.assert(
      fc.property(randomInvoice, (invoice) => {
        const sums = new Map<string, number>();
        for (const { siteId, legs } of [...entries(invoice), ...entries(noteOf(invoice), invoice)]) {
          for (const { use, amountMinor } of legs) {
            const key = `${siteId} ${useKey(use)}`;
            sums.set(key, (sums.get(key) ?? 0) + amountMinor);
          }
        }
        const rest = [...sums.values()].filter((amount) => amount !== 0);
        expect(rest).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('the legs two by two move the same amounts', () => {
    fc.assert(
      fc.property(randomInvoice, (invoice) => {
        for (const { legs } of entries(invoice)) {
          const sums = new Map(legs.map((leg) => [leg, leg.amountMinor]));
          for (const { debit, credit, amountMinor } of pairsOf(legs)) {
            expect(amountMinor).toBeGreaterThan(0);
            sums.set(debit, (sums.get(debit) ?? 0) - amountMinor);
            sums.set(credit, (sums.get(credit) ?? 0) + amountMinor);
          }
          expect([...sums.values()].every((rest) => rest === 0)).toBe(true);
        }
      }),
    );
  });
});
