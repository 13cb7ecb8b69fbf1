import type { SiteVat } from '@hlid/protocol/base/vat-schema';
import type { TypedVat } from './vat-fields.tsx';

/** The VAT of a site from a day on, as it stands in a form. */
export interface TypedSiteVat {
  from: string;
  prices: TypedVat;
  fees: TypedVat;
}

/** A form holds it as a text; empty: none. */
export function writeSiteVat(periods: readonly TypedSiteVat[]): string {
  return periods.length === 0 ? '' : JSON.stringify(periods);
}

export function readSiteVat(text: string): TypedSiteVat[] {
  return text === '' ? [] : JSON.parse(text);
}

/** The text of what the settings of a site have. */
export function siteVatText(periods: readonly SiteVat[] | undefined): string {
  return writeSiteVat(
    (periods ?? []).map(({ from, prices, fees }) => ({ from, prices: typedOf(prices), fees: typedOf(fees) })),
  );
}

/** The settings of such a text: what is not chosen stays open, what is not complete is refused by the cloud. */
export function siteVatFrom(text: string) {
  const periods = readSiteVat(text).map(({ from, prices, fees }) => ({
    from,
    ...(prices.category !== '' && { prices: settingOf(prices) }),
    ...(fees.category !== '' && { fees: settingOf(fees) }),
  }));
  return periods.length === 0 ? null : periods;
}

function typedOf(vat: SiteVat['prices']): TypedVat {
  if (vat === undefined) return { category: '', rate: 0, reason: '' };
  return { category: vat.category, rate: vat.rate, reason: vat.reason ?? '' };
}

function settingOf({ category, rate, reason }: TypedVat) {
  const needsReason = category === 'E' || category === 'O';
  return {
    category,
    rate: category === 'S' ? rate : 0,
    ...(needsReason && reason.trim() !== '' && { reason: reason.trim() }),
  };
}
