import { addedVat, creditVatParts } from '@hlid/protocol/base/vat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenArithmetic } from '../../../../test/en16931-rules.ts';
import { invoiceOf, item, randomInvoices } from '../../../../test/random-invoices.ts';
import { negatedParts } from './e-amounts.ts';
import type { EInvoice } from './e-invoice.ts';
import { ublDocument } from './ubl.ts';

const EXEMPT = { vatRate: 0, vatCategory: 'E' as const, vatReason: 'Letting of a parking space' };

describe('the arithmetic of EN 16931', () => {
  it('holds in every invoice and credit note, to the unit', () => {
    fc.assert(
      fc.property(randomInvoices, (invoice) => {
        expect(brokenArithmetic(ublDocument(invoice))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('holds in hundreds of equal lines, where rounding line by line breaks it', () => {
    for (const currency of ['ISK', 'EUR']) {
      const lines = Array.from({ length: 300 }, () => item(350, { vatRate: 24 }));
      expect(brokenArithmetic(ublDocument(invoiceOf({ lines, currency })))).toEqual([]);
    }
  });

  it('holds in each of the credit notes that take an invoice back in parts, which come to its amounts', () => {
    const invoices = randomInvoices.map((invoice) =>
      invoiceOf({ ...invoice, kind: 'invoice', credits: null, paidMinor: 0, discounts: [] }),
    );
    fc.assert(
      fc.property(invoices, fc.integer({ min: 1, max: 7 }), (invoice, size) => {
        let standing = invoice.vat;
        for (let from = 0; from < invoice.lines.length; from += size) {
          const lines = invoice.lines.slice(from, from + size);
          const amounts = lines.map((line) => ({ ...line, amountMinor: 0 - line.amountMinor }));
          const vat = creditVatParts(standing, amounts, invoice.currency);
          const note: EInvoice = {
            ...invoice,
            kind: 'credit-note',
            credits: { number: invoice.number, issuedOn: invoice.issuedOn },
            paidMinor: 0,
            lines,
            vat: negatedParts(vat),
          };
          expect(brokenArithmetic(ublDocument(note))).toEqual([]);
          standing = addedVat([standing, vat]);
        }
        for (const { netMinor, vatMinor } of standing) expect(netMinor + vatMinor).toBe(0);
      }),
    );
  });

  it('is broken by each fault that it is about', () => {
    const right = ublDocument(
      invoiceOf({
        lines: [item(1240, { vatRate: 24 }), item(500, EXEMPT)],
        discounts: [item(-124, { vatRate: 24 })],
      }),
    );
    expect(brokenArithmetic(right)).toEqual([]);
    const plusOne = (name: string) =>
      right.replace(
        new RegExp(`(<cbc:${name} [^>]*>)(\\d+)`),
        (_, tag: string, amount: string) => `${tag}${Number(amount) + 1}`,
      );
    const faults: Readonly<Record<string, string>> = {
      'BR-CO-10': plusOne('LineExtensionAmount'),
      'BR-CO-11': plusOne('AllowanceTotalAmount'),
      'BR-CO-13': plusOne('TaxExclusiveAmount'),
      'BR-CO-14': plusOne('TaxAmount'),
      'BR-CO-15': plusOne('TaxInclusiveAmount'),
      'BR-CO-16': plusOne('PayableAmount'),
      'BR-CO-17': right.replaceAll('<cbc:Percent>24<', '<cbc:Percent>25.5<'),
      'BR-S-08': plusOne('TaxableAmount'),
      'BR-S-09': right.replaceAll('<cbc:Percent>24<', '<cbc:Percent>25.5<'),
      'BR-E-08': right.replace(/(<cbc:TaxableAmount [^>]*>)500</, '$1501<'),
      'BR-E-09': right.replace(/(500<\/cbc:TaxableAmount>\s*<cbc:TaxAmount [^>]*>)0</, '$11<'),
      'BR-E-10': right.replace(/<cbc:TaxExemptionReason>.*?<\/cbc:TaxExemptionReason>/, ''),
      'BR-DEC': right.replace(/(<cbc:PayableAmount [^>]*>\d+)/, '$1.001'),
      'PEPPOL-EN16931-R120': plusOne('PriceAmount'),
      'BR-O-11': right.replaceAll('<cbc:ID>E<', '<cbc:ID>O<'),
    };
    for (const [rule, wrong] of Object.entries(faults)) {
      expect(wrong, rule).not.toBe(right);
      expect(brokenArithmetic(wrong)).toContain(rule);
    }
  });
});
