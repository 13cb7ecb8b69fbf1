import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type VatPart, vatParts } from '@hlid/protocol/base/vat';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { taxedAmounts } from '@hlid/protocol/records/payment';
import { invoiceById, invoiceOfCause } from '../../money/invoices/find-invoice.ts';
import { vatOfRest } from '../../money/invoices/vat-of-rest.ts';
import { paymentOfReceipt } from '../../money/payments/find-payment.ts';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import { tariffMark } from '../../money/products/tariff-hash.ts';
import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { paidByCard } from './paid-by-card.ts';
import { paidUntilOf } from './paid-until.ts';

/** The content of a receipt's page. */
export interface Receipt {
  /** The car park is simulated, and so is the receipt. */
  isTraining: boolean;
  payment: PaymentRow;
  /** Null: nothing was booked. */
  number: number | null;
  refundedAt: UtcTime | null;
  /** The amount that may have gone back, while that is uncertain. */
  openRefundMinor: number;
  vat: VatPart[];
  site: { name: string; timeZone: string; seller: SiteSettings['seller'] };
  /** Null: erased, or never read. */
  plate: string | null;
  startedAt: UtcTime | null;
  endedAt: UtcTime | null;
  /**
   * The time until which a car inside may leave without another payment; null: more is due, or it has left.
   */
  paidUntil: UtcTime | null;
  /** The result of `tariffMark`. */
  tariff: string | null;
  /** The driver may send it to the own company. */
  isForCompanies: boolean;
}

/** The receipt to which a key leads; null where there is none (yet). */
export async function findReceipt(q: Queries, key: string, now: UtcTime): Promise<Receipt | null> {
  const payment = await paymentOfReceipt(q, key);
  if (payment === null) return null;
  const { name, timeZone, settings } = siteTable;
  const [site] = await q
    .select({ name, timeZone, settings })
    .from(siteTable)
    .where(eq(siteTable.id, payment.siteId));
  const { visitId, invoiceId } = payment;
  const visit = visitId === null ? null : await findVisitRow(q, visitId, ALL_ROWS);
  const invoice = invoiceId === null ? await invoiceOfCause(q, payment.id) : await invoiceById(q, invoiceId);
  return {
    isTraining: await isTrainingDatabase(q),
    payment,
    number: invoice?.number ?? null,
    refundedAt: invoice?.refundedAt ?? null,
    openRefundMinor: invoice?.openRefundMinor ?? 0,
    vat:
      invoice === null
        ? vatParts(taxedAmounts({ ...payment, feesVat: payment.feesVat ?? undefined }))
        : vatOfRest(invoice, payment.amountMinor),
    site: {
      name: site?.name ?? '',
      timeZone: site?.timeZone ?? 'UTC',
      seller: site?.settings.seller,
    },
    plate: visit?.plate ?? null,
    startedAt: visit?.startedAt ?? null,
    endedAt: visit?.endedAt ?? null,
    paidUntil: visit === null ? null : await paidUntilOf(q, visit, now),
    tariff: await tariffMark(q, payment.product ?? visit?.price?.product),
    isForCompanies: paidByCard(payment, site?.settings, invoice).ok,
  };
}
