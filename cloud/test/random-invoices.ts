import { type TaxedAmount, vatParts } from '@hlid/protocol/base/vat';
import fc from 'fast-check';
import { eAmounts } from '../src/paying/invoice-document/e-invoice/e-amounts.ts';
import type {
  EInvoice,
  EInvoiceItem,
  InvoiceParty,
} from '../src/paying/invoice-document/e-invoice/e-invoice.ts';

const SELLER: InvoiceParty = {
  name: 'Bílahúsið ehf.',
  registration: '5501012020',
  vatNumber: 'IS12345',
  street: 'Þórsgata 1',
  postcode: '101',
  city: 'Reykjavík',
  country: 'IS',
  address: { scheme: '0196', id: '5501012020' },
};
const BUYER: InvoiceParty = { ...SELLER, name: 'Æðey & <synir> ehf.', vatNumber: null };
const ABROAD: InvoiceParty = {
  ...BUYER,
  registration: 'HRB 12345',
  vatNumber: 'DE123456788',
  postcode: '10115',
  city: 'Berlin',
  country: 'DE',
  address: { scheme: '9930', id: 'DE123456788' },
};

const INVOICE: EInvoice = {
  receiptFrom: null,
  kind: 'invoice',
  note: null,
  number: '17',
  issuedOn: '2026-11-28',
  dueOn: '2026-12-12',
  currency: 'ISK',
  buyerReference: 'HK-1',
  credits: null,
  period: ['2026-11-01', '2026-11-30'],
  seller: SELLER,
  buyer: BUYER,
  means: { kind: 'transfer', account: '010126000001', reference: '17' },
  paidMinor: 0,
  lines: [],
  discounts: [],
  vat: [],
};

/** A line, or a discount where it is below zero. */
export const item = (amountMinor: number, vat: Omit<TaxedAmount, 'amountMinor'>): EInvoiceItem => ({
  what: 'Dvöl ÞÓR12',
  note: null,
  units: { count: 1, code: 'C62' },
  amountMinor,
  ...vat,
});
/** An invoice with the VAT of its lines and discounts. */
export const invoiceOf = (fields: Partial<EInvoice>): EInvoice => {
  const { lines = [], discounts = [] } = fields;
  return { ...INVOICE, ...fields, vat: vatParts([...lines, ...discounts]) };
};

const vats = fc.constantFrom(
  { vatRate: 24 },
  { vatRate: 11 },
  { vatRate: 25.5 },
  { vatRate: 0, vatCategory: 'E' as const, vatReason: 'Letting of a parking space' },
  { vatRate: 0, vatCategory: 'E' as const, vatReason: 'Another law' },
  { vatRate: 0, vatCategory: 'Z' as const },
);
const outside = fc.constant({ vatRate: 0, vatCategory: 'O' as const, vatReason: 'Not registered' });

/** Lines, and discounts of no more than the lines of the same VAT. */
const content = fc.oneof({ weight: 5, arbitrary: vats }, { weight: 1, arbitrary: outside }).chain((first) => {
  const vat = 'vatCategory' in first && first.vatCategory === 'O' ? outside : vats;
  const line = fc.record({
    vat,
    amountMinor: fc.oneof(fc.nat(5000), fc.constant(350), fc.constant(0), fc.nat(100_000_000)),
    count: fc.integer({ min: 1, max: 31 }),
    percent: fc.option(fc.integer({ min: 1, max: 100 })),
    text: fc.string({ unit: 'binary', maxLength: 20 }),
  });
  return fc.array(line, { minLength: 1, maxLength: 60 }).map((all) => ({
    lines: all.map(({ vat, amountMinor, count, text }) => ({
      ...item(amountMinor, vat),
      what: `Dvöl ${text}`,
      note: text,
      units: { count, code: count === 1 ? ('C62' as const) : ('DAY' as const) },
    })),
    discounts: all.flatMap(({ vat, amountMinor, percent }) =>
      percent === null ? [] : [item(0 - Math.floor((amountMinor * percent) / 100), vat)],
    ),
  }));
});

/** Invoices and credit notes of many lines, with mixed VAT and discounts, in ISK and EUR. */
export const randomInvoices = fc
  .record({
    content,
    currency: fc.constantFrom('ISK', 'EUR'),
    kind: fc.constantFrom('invoice' as const, 'credit-note' as const),
    buyer: fc.constantFrom(BUYER, ABROAD),
    isPaid: fc.boolean(),
    means: fc.constantFrom<EInvoice['means']>(
      { kind: 'transfer', account: '010126000001', reference: '17' },
      { kind: 'claim', account: '010166000001', reference: '17' },
      { kind: 'card', lastFour: '1234', brand: 'visa' },
      { kind: 'card', lastFour: '1234', brand: null },
      null,
    ),
    period: fc.constantFrom(null, ['2026-11-01', '2026-11-30'] as const),
  })
  .map(({ content, isPaid, kind, ...fields }) => {
    const credits = kind === 'credit-note' ? { number: '9', issuedOn: '2026-11-01' } : null;
    const invoice = invoiceOf({ ...fields, ...content, kind, credits });
    return isPaid ? { ...invoice, paidMinor: eAmounts(invoice).grossMinor } : invoice;
  });
