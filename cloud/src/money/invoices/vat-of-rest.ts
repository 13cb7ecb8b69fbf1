import { sumsByVat, type VatPart, vatParts } from '@hlid/protocol/base/vat';
import { spreadAmount } from '@hlid/protocol/records/invoice';
import type { InvoiceRow } from './invoice-store.ts';

/**
 * The VAT of a payment of an invoice: that of the invoice, or of the rest if a part of it was taken back before it was
 * paid.
 */
export function vatOfRest(
  { amountMinor, lines, vat }: Pick<InvoiceRow, 'amountMinor' | 'lines' | 'vat'>,
  paidMinor: number,
): VatPart[] {
  if (amountMinor === paidMinor) return vat;
  const sums = sumsByVat(lines);
  const shares = spreadAmount(
    paidMinor,
    sums.map((sum) => Math.max(0, sum.amountMinor)),
  );
  return vatParts(sums.map((sum, n) => ({ ...sum, amountMinor: shares[n] ?? 0 })));
}
