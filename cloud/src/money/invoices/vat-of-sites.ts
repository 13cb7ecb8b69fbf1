import { netOfLines, type VatPart, vatOf } from '@hlid/protocol/base/vat';
import { spreadAmount } from '@hlid/protocol/records/invoice';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import type { InvoiceRow } from './invoice-store.ts';

/** The addition of a document to the VAT of a site. */
interface VatOfSite extends Pick<VatPart, 'category' | 'rate' | 'netMinor' | 'vatMinor'> {
  /** Null: of no site. */
  siteId: string | null;
}

/** What a line of a document adds to a site. */
export interface LineOfSite extends Pick<VatPart, 'category' | 'rate' | 'netMinor' | 'vatMinor'> {
  /** Null: of no site. */
  siteId: string | null;
  rule: InvoiceLine['rule'];
}

type Taxed = Pick<InvoiceRow, 'lines' | 'vat' | 'incomeParts'>;

/**
 * The lines of an invoice or credit note by site: to each site its own lines. What names no site, such as a part of a
 * refund, is shared by what each has of the whole, so that each site has what it adds to the income.
 */
export function linesOfSites({ lines, vat, incomeParts }: Taxed): LineOfSite[] {
  const shares = new Map<string | null, number>();
  for (const { siteId, amountMinor } of incomeParts) {
    shares.set(siteId, (shares.get(siteId) ?? 0) + amountMinor);
  }
  const weights = [...shares.values()].map(Math.abs);
  const rest = new Map(shares);
  for (const { siteId, amountMinor } of lines) {
    if (siteId !== undefined) rest.set(siteId, (rest.get(siteId) ?? 0) - amountMinor);
  }
  const lastShared = lines.findLastIndex(({ siteId }) => siteId === undefined);
  const nets = netOfLines(lines, vat);
  return lines.flatMap((line, n): LineOfSite[] => {
    const { category, rate } = vatOf(line);
    const { rule, siteId, amountMinor } = line;
    const netMinor = nets[n] ?? 0;
    if (siteId !== undefined) {
      return [{ siteId, rule, category, rate, netMinor, vatMinor: amountMinor - netMinor }];
    }
    // The last one takes what the rounding of the others has left to each site.
    const gross = n === lastShared ? [...rest.values()] : spreadAmount(amountMinor, weights);
    const net = spreadAmount(netMinor, weights);
    return [...rest.keys()].map((site, place) => {
      const [grossShare = 0, netShare = 0] = [gross[place], net[place]];
      rest.set(site, (rest.get(site) ?? 0) - grossShare);
      const netOfSite = rate === 0 ? grossShare : netShare;
      return { siteId: site, rule, category, rate, netMinor: netOfSite, vatMinor: grossShare - netOfSite };
    });
  });
}

/** The VAT of an invoice or credit note by site. */
export function vatOfSites(document: Taxed): VatOfSite[] {
  const sums = new Map<string, VatOfSite>();
  for (const { siteId, category, rate, netMinor, vatMinor } of linesOfSites(document)) {
    const key = `${siteId} ${category} ${rate}`;
    const sum = sums.get(key) ?? { siteId, category, rate, netMinor: 0, vatMinor: 0 };
    sums.set(key, { ...sum, netMinor: sum.netMinor + netMinor, vatMinor: sum.vatMinor + vatMinor });
  }
  return [...sums.values()];
}
