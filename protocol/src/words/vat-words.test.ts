import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../base/language.ts';
import { VAT_REASONS } from '../base/vat.ts';
import { priceTexts } from './price/price-texts.ts';
import { noVatText, vatTextsOfDue } from './vat-words.ts';

const EXEMPT = { category: 'E' as const, rate: 0, reasons: ['parking-rental'], netMinor: 400, vatMinor: 0 };

describe('the words of VAT', () => {
  it('say why there is none, in the language of the reader', () => {
    expect(noVatText(EXEMPT, priceTexts('en'))).toBe('Exempt from VAT: letting of parking spaces');
    expect(noVatText(EXEMPT, priceTexts('is'))).toBe('Undanþegið VSK: útleiga bifreiðastæða');
  });

  it('show a reason of the operator’s own as it was written', () => {
    const reasons = ['Lög nr. 50/1988', 'parking-rental'];
    expect(noVatText({ category: 'E', reasons }, priceTexts('en'))).toBe(
      'Exempt from VAT: Lög nr. 50/1988, letting of parking spaces',
    );
  });

  it('say nothing where there is VAT, or nobody has decided', () => {
    expect(noVatText({ category: 'S', reasons: [] }, priceTexts('en'))).toBeNull();
    expect(noVatText({ category: null, reasons: [] }, priceTexts('en'))).toBeNull();
  });

  it.each(LANGUAGES)('have a text for each reason and category: %s', (language) => {
    const texts = VAT_REASONS.flatMap((reason) =>
      (['E', 'O', 'Z'] as const).map((category) =>
        noVatText({ category, reasons: [reason] }, priceTexts(language)),
      ),
    );
    for (const text of texts) expect(text).toMatch(/\w/);
    expect(texts.join()).not.toContain('parking-rental');
  });

  it('take one rate for the whole amount from a program that sends no more', () => {
    const words = {
      language: 'en' as const,
      price: priceTexts('en'),
      taxed: ({ rate, amount }: { rate: string; amount: string }) => `${rate}: ${amount}`,
    };
    const due = { amountMinor: 1240, currency: 'ISK', vatRate: 24 };
    expect(vatTextsOfDue(due, words)).toEqual([expect.stringMatching(/^24%: ISK\s240$/)]);
    expect(vatTextsOfDue({ ...due, vatRate: 0 }, words)).toEqual([]);
    expect(vatTextsOfDue({ ...due, vatRate: 0, vat: [EXEMPT] }, words)).toEqual([
      'Exempt from VAT: letting of parking spaces',
    ]);
  });
});
