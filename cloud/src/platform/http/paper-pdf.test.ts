import { describe, expect, it } from 'vitest';
import { oracleJars } from '../../../test/oracles/oracle-jars.ts';
import { brokenClauses } from '../../../test/oracles/vera-pdf.ts';
import type { Paper } from './paper.ts';
import { paperPdf } from './paper-pdf.ts';

const ONE_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const AT = new Date('2026-11-21T12:00:00Z');

const SHORT: Paper = {
  language: 'is',
  title: 'Reikningur nr. 17',
  mark: null,
  heading: 'Reikningur nr. 17',
  logo: undefined,
  address: null,
  standing: null,
  amount: '1.240 kr.',
  facts: [],
  table: {
    caption: 'Reikningur',
    what: 'Hvað',
    amount: 'Upphæð',
    rows: [{ what: 'Dvöl ÞÓR12', notes: [], amount: '1.240 kr.' }],
    total: { what: 'Samtals', amount: '1.240 kr.' },
    parts: [],
  },
  below: [],
  howToPay: null,
};

const LONG: Paper = {
  ...SHORT,
  language: 'pl',
  mark: 'Szkolenie – to nie jest prawdziwy dokument',
  logo: ONE_PIXEL,
  address: 'https://hlid.example/console/money/invoices/1',
  standing: { text: 'Niezapłacona', mood: 'checking' },
  facts: [
    ['Płatnik', 'Łódź i Æðey ehf.'],
    ['Okres', 'długi opis '.repeat(40)],
  ],
  table: {
    ...SHORT.table,
    rows: Array.from({ length: 200 }, (_, n) => ({
      what: `Postój ŻÓŁ${n}`,
      notes: ['21. 11. 2026, 08:00 – 10:15', 'bardzo długa nazwa parkingu '.repeat(n % 7)],
      amount: '12,40 €',
    })),
    parts: [{ what: 'VAT 24%', amount: '2,40 €' }],
  },
  below: [['Sprzedawca', 'Bílahúsið ehf.']],
  howToPay: {
    heading: 'Jak zapłacić',
    facts: [['Termin', '2026-12-12']],
    page: { text: 'Zapłać kartą', url: 'https://hlid.example/pay/i/abc', note: 'Coś się nie zgadza?' },
  },
};

describe('a paper as a PDF file', () => {
  it('is the same file for the same paper', async () => {
    const [first, second] = await Promise.all([paperPdf(LONG, AT), paperPdf(LONG, AT)]);
    expect(Buffer.compare(first, second) === 0).toBe(true);
  });

  const jars = oracleJars();
  if (!jars.ok) it.skip(`keeps to PDF/UA: ${jars.missing}`);
  else {
    it('keeps to PDF/UA, as veraPDF judges it: short, of many pages, with a picture', async () => {
      const short = await paperPdf(SHORT, AT);
      const files = [short, await paperPdf(LONG, AT), withoutTitle(short)];
      const [ofShort, ofLong, broken] = await brokenClauses(jars.folder, files);
      expect([ofShort, ofLong]).toEqual([[], []]);
      // A broken rule is found, so that silence is a result.
      expect(broken?.join()).toContain('DisplayDocTitle');
    });
  }
});

function withoutTitle(file: Uint8Array): Uint8Array {
  const text = Buffer.from(file).toString('latin1');
  return Buffer.from(text.replace('/DisplayDocTitle true', '/DisplayDocTitle null'), 'latin1');
}
