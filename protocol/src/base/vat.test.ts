import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utcTime } from './utc-time.ts';
import {
  addedVat,
  creditVatParts,
  netOfLines,
  type TaxedAmount,
  type VatPart,
  vatOf,
  vatParts,
  vatTerms,
} from './vat.ts';
import { siteVatAt, VatSchema, vatOfFee } from './vat-schema.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);
const grossOf = (parts: readonly VatPart[]) =>
  sum(parts.map(({ netMinor, vatMinor }) => netMinor + vatMinor));
const standard = (rate: number, netMinor: number, vatMinor: number): VatPart => ({
  category: 'S',
  rate,
  reasons: [],
  netMinor,
  vatMinor,
});
const EXEMPT = { vatRate: 0, vatCategory: 'E', vatReason: 'parking-rental' } as const;

describe('VAT in a price', () => {
  it('is 240 of 1240 at 24 %', () => {
    expect(vatParts([{ amountMinor: 1240, vatRate: 24 }])).toEqual([standard(24, 1000, 240)]);
  });

  it('is computed from the sum of a rate, not line by line', () => {
    const line = { amountMinor: 100, vatRate: 24 };
    // 19.35 each: three times 19 would lose one.
    expect(vatParts([line, line, line])).toEqual([standard(24, 242, 58)]);
  });

  it('goes by rate, the highest first; a discount lowers it', () => {
    const lines = [
      { amountMinor: 1110, vatRate: 11 },
      { amountMinor: 2480, vatRate: 24 },
      { amountMinor: -1240, vatRate: 24 },
    ];
    expect(vatParts(lines)).toEqual([standard(24, 1000, 240), standard(11, 1000, 110)]);
  });

  it('takes rates with decimals', () => {
    expect(vatParts([{ amountMinor: 12_550, vatRate: 25.5 }])).toEqual([standard(25.5, 10_000, 2550)]);
  });

  it('goes by category: what is exempt has its reasons, each once', () => {
    const lines = [
      { amountMinor: 300, ...EXEMPT },
      { amountMinor: 200, ...EXEMPT },
      { amountMinor: 100, ...EXEMPT, vatReason: 'A law' },
      { amountMinor: 124, vatRate: 24 },
      { amountMinor: 50, vatRate: 0, vatCategory: 'Z' as const },
      { amountMinor: 10, vatRate: 0 },
    ];
    expect(vatParts(lines)).toEqual([
      standard(24, 100, 24),
      { category: 'Z', rate: 0, reasons: [], netMinor: 50, vatMinor: 0 },
      { category: 'E', rate: 0, reasons: ['A law', 'parking-rental'], netMinor: 600, vatMinor: 0 },
      { category: null, rate: 0, reasons: [], netMinor: 10, vatMinor: 0 },
    ]);
  });
});

describe('the net amounts of lines', () => {
  it('do not fall into the trap of a hundred lines that are rounded one by one', () => {
    const lines = Array.from({ length: 100 }, () => ({ amountMinor: 350, vatRate: 24 }));
    const parts = vatParts(lines);
    expect(parts).toEqual([standard(24, 28_226, 6774)]);
    const nets = netOfLines(lines, parts);
    expect(sum(nets)).toBe(28_226);
    // 282.26 each.
    expect(nets.filter((net) => net === 283)).toHaveLength(26);
    expect(nets.filter((net) => net === 282)).toHaveLength(74);
  });
});

describe('who has decided', () => {
  it('a rate above 0 is the standard rate, as programs sent it before there were categories; 0 decides nothing', () => {
    expect(vatOf({ vatRate: 24 })).toEqual({ category: 'S', rate: 24, reason: null });
    expect(vatOf({ vatRate: 0 })).toEqual({ category: null, rate: 0, reason: null });
    expect(vatOf({})).toEqual({ category: null, rate: 0, reason: null });
  });

  it('what is sent means the same to a reader', () => {
    for (const terms of [
      { vatRate: 24 },
      { vatRate: 0 },
      EXEMPT,
      { vatRate: 0, vatCategory: 'Z' as const },
    ]) {
      expect(vatTerms(vatOf(terms))).toEqual(terms);
    }
  });

  it('a fee has what the site says, else that of its price, unless the price is exempt', () => {
    const exempt = vatOf(EXEMPT);
    expect(vatOfFee({ category: 'S', rate: 24 }, exempt)).toEqual(vatOf({ vatRate: 24 }));
    expect(vatOfFee(undefined, vatOf({ vatRate: 24 }))).toEqual(vatOf({ vatRate: 24 }));
    expect(vatOfFee(undefined, exempt).category).toBeNull();
  });

  it('a site has VAT by day, by its own clock', () => {
    const periods = [
      { from: '2027-01-01', prices: { category: 'S' as const, rate: 25 } },
      { from: '2026-01-01', prices: { category: 'S' as const, rate: 24 } },
    ];
    const rateAt = (at: string) =>
      siteVatAt(periods, utcTime(Date.parse(at)), 'America/New_York').prices?.rate;
    expect(rateAt('2025-12-31T12:00:00Z')).toBeUndefined();
    expect(rateAt('2027-01-01T04:59:59Z')).toBe(24);
    expect(rateAt('2027-01-01T05:00:00Z')).toBe(25);
  });

  it.each([
    [{ category: 'S', rate: 0 }, 'rate'],
    [{ category: 'Z', rate: 24 }, 'rate'],
    [{ category: 'E', rate: 0 }, 'reason'],
    [{ category: 'O', rate: 0 }, 'reason'],
    [{ category: 'S', rate: 24, reason: 'why' }, 'reason'],
  ])('refuses %j', (vat, field) => {
    expect(VatSchema.safeParse(vat).error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  it('accepts what EN 16931 does', () => {
    for (const vat of [
      { category: 'S', rate: 24 },
      { category: 'E', rate: 0, reason: 'parking-rental' },
      { category: 'O', rate: 0, reason: 'not-registered' },
      { category: 'Z', rate: 0 },
    ]) {
      expect(VatSchema.safeParse(vat).success).toBe(true);
    }
  });
});

const terms = fc.oneof(
  fc.constantFrom(24, 11, 25.5, 19, 7, 8.25, 99.99).map((vatRate) => ({ vatRate })),
  fc.constantFrom(
    EXEMPT,
    { ...EXEMPT, vatCategory: 'O' as const },
    { vatRate: 0, vatCategory: 'Z' as const },
  ),
);
const amounts = (maximum: number): fc.Arbitrary<TaxedAmount[]> =>
  fc.array(
    fc
      .record({ terms, amountMinor: fc.integer({ min: 0, max: maximum }) })
      .map(({ terms: vat, amountMinor }) => ({
        ...vat,
        amountMinor,
      })),
    { minLength: 1, maxLength: 60 },
  );
/** Lines with discounts that leave something of each. */
const withDiscounts = amounts(100_000).map((lines) =>
  lines.flatMap((line, n) =>
    n % 3 === 0 ? [line, { ...line, amountMinor: 0 - Math.floor(line.amountMinor / 7) }] : [line],
  ),
);

/** Twice the distance of the VAT from base times rate, times a hundred percent, to stay with integers. */
const off = ({ rate, netMinor, vatMinor }: VatPart) =>
  Math.abs(vatMinor * 10_000 - netMinor * Math.round(rate * 100)) / 10_000;

describe('EN 16931 accepts a document', () => {
  it('whose parts and lines add up exactly, with each VAT within a unit of base times rate', () => {
    fc.assert(
      fc.property(withDiscounts, (lines) => {
        const parts = vatParts(lines);
        expect(grossOf(parts)).toBe(sum(lines.map(({ amountMinor }) => amountMinor)));
        for (const part of parts) expect(off(part)).toBeLessThan(1);
        expect(new Set(parts.map(({ category, rate }) => `${category} ${rate}`)).size).toBe(parts.length);
        const nets = netOfLines(lines, parts);
        expect(sum(nets)).toBe(sum(parts.map(({ netMinor }) => netMinor)));
        lines.forEach(({ amountMinor, vatRate = 0 }, n) => {
          const exact = (amountMinor * 10_000) / (10_000 + Math.round(vatRate * 100));
          expect(Math.abs((nets[n] ?? 0) - exact)).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it('with the same amounts in every order of its lines', () => {
    const both = withDiscounts.chain((lines) =>
      fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
    );
    const shares = (lines: readonly TaxedAmount[]) => {
      const nets = netOfLines(lines, vatParts(lines));
      return lines
        .map(({ amountMinor, vatRate, vatCategory = null }, n) =>
          JSON.stringify([vatRate, vatCategory, amountMinor, nets[n]]),
        )
        .toSorted();
    };
    fc.assert(
      fc.property(both, ([lines, shuffled]) => {
        expect(vatParts(shuffled)).toEqual(vatParts(lines));
        expect(shares(shuffled)).toEqual(shares(lines));
      }),
    );
  });
});

describe('a credit note', () => {
  const negated = (lines: readonly TaxedAmount[]) =>
    lines.map((line) => ({ ...line, amountMinor: 0 - line.amountMinor }));

  it('of the whole is the invoice below zero, to each line', () => {
    fc.assert(
      fc.property(withDiscounts, fc.constantFrom('ISK', 'EUR'), (lines, currency) => {
        const parts = vatParts(lines);
        const credited = creditVatParts(parts, negated(lines), currency);
        expect(credited).toEqual(
          parts.map((part) => ({ ...part, netMinor: 0 - part.netMinor, vatMinor: 0 - part.vatMinor })),
        );
        const nets = netOfLines(lines, parts).map((net) => 0 - net);
        expect(netOfLines(negated(lines), credited)).toEqual(nets);
      }),
    );
  });

  it('of a part passes EN 16931 by itself, and the parts together take back the invoice', () => {
    const rows = fc.constantFrom('ISK', 'EUR');
    fc.assert(
      fc.property(amounts(100_000), rows, fc.integer({ min: 1, max: 7 }), (lines, currency, size) => {
        const invoice = vatParts(lines);
        const notes: VatPart[][] = [];
        for (let first = 0; first < lines.length; first += size) {
          const part = negated(lines.slice(first, first + size));
          const note = creditVatParts(addedVat([invoice, ...notes]), part, currency);
          expect(grossOf(note)).toBe(sum(part.map(({ amountMinor }) => amountMinor)));
          const unitMinor = currency === 'ISK' ? 1 : 100;
          for (const one of note) expect(off(one)).toBeLessThan(unitMinor);
          notes.push(note);
        }
        for (const rest of addedVat([invoice, ...notes])) {
          expect(rest.netMinor + rest.vatMinor).toBe(0);
          // Where the currency has cents, the tolerance of EN 16931 is a hundred of them: no rest remains.
          if (currency === 'EUR') expect(rest.netMinor).toBe(0);
        }
      }),
    );
  });

  it('in whole krónur leaves nothing either, where no note needs a unit more than it may have', () => {
    const lines = Array.from({ length: 100 }, () => ({ amountMinor: 350, vatRate: 24 }));
    const invoice = vatParts(lines);
    const notes: VatPart[][] = [];
    for (const line of negated(lines)) {
      notes.push(creditVatParts(addedVat([invoice, ...notes]), [line], 'ISK'));
    }
    expect(addedVat([invoice, ...notes])).toEqual([standard(24, 0, 0)]);
  });
});
