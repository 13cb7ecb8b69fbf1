import { netOfLines, type VatPart, vatOf } from '@hlid/protocol/base/vat';
import { spreadAmount } from '@hlid/protocol/records/invoice';
import type { InvoiceRow } from './invoice-store.ts';

/** The addition of a document to the VAT of a site. */
interface VatOfSite extends Pick<VatPart, 'category' | 'rate' | 'netMinor' | 'vatMinor'> {
  /** Null: of no site. */
  siteId: string | null;
}

/**
 * The VAT of an invoice or credit note by site: to each site that of its own lines. What names no site, such as a part
 * of a refund, is shared by what each has of the whole.
 */
export function vatOfSites({
  lines,
  vat,
  incomeParts,
}: Pick<InvoiceRow, 'lines' | 'vat' | 'incomeParts'>): VatOfSite[] {
  const shares = new Map<string | null, number>();
  for (const { siteId, amountMinor } of incomeParts) {
    shares.set(siteId, (shares.get(siteId) ?? 0) + amountMinor);
  }
  const sites = [...shares.keys()];
  const weights = [...shares.values()].map(Math.abs);
  const nets = netOfLines(lines, vat);
  const sums = new Map<string, VatOfSite>();
  for (const [n, line] of lines.entries()) {
    const { category, rate } = vatOf(line);
    const netMinor = nets[n] ?? 0;
    const add = (siteId: string | null, net: number, tax: number) => {
      const key = `${siteId} ${category} ${rate}`;
      const sum = sums.get(key) ?? { siteId, category, rate, netMinor: 0, vatMinor: 0 };
      sums.set(key, { ...sum, netMinor: sum.netMinor + net, vatMinor: sum.vatMinor + tax });
    };
    const vatMinor = line.amountMinor - netMinor;
    if (line.siteId !== undefined) add(line.siteId, netMinor, vatMinor);
    else {
      const netShares = spreadAmount(netMinor, weights);
      const vatShares = spreadAmount(vatMinor, weights);
      for (const [place, siteId] of sites.entries())
        add(siteId, netShares[place] ?? 0, vatShares[place] ?? 0);
    }
  }
  return [...sums.values()];
}
