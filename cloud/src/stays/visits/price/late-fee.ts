import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { vatOf, vatTerms } from '@hlid/protocol/base/vat';
import { siteVatAt, vatOfFee } from '@hlid/protocol/base/vat-schema';
import { productVersion } from '../../../money/products/find-products.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../../platform/db/sql.ts';
import { resumedAfterDispute } from '../../../records/disputes/find-disputes.ts';
import type { Fee } from '../../../records/invoices/fee.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { noticeTable as t, type VisitRow } from '../../../records/visits/visit-table.ts';

const deliveredTo = prepared((q) =>
  q.select({ deliveredAt: t.deliveredAt }).from(t).where(eqPlaceholder(t.visitId, 'visitId')).prepare(),
);

/** When a notice about what a visit owes was delivered; null: never. */
export async function noticeOf(q: Queries, visitId: string): Promise<UtcTime | null> {
  return (await deliveredTo(q).get({ visitId }))?.deliveredAt ?? null;
}

/**
 * The late fee of a visit that is paid at that moment, if its site charges one. It is due after the tariff's
 * time from the delivery of a notice, never from the end of the stay. While the visit is contested no fee is
 * due, and its time restarts with the answer.
 */
export async function lateFeeOf(
  q: Queries,
  visit: VisitRow,
  { settings, timeZone }: Pick<ChosenSite, 'settings' | 'timeZone'>,
  at: UtcTime,
): Promise<Fee | null> {
  const { price, endedAt, status, amountMinor } = visit;
  if (settings.chargesLateFees !== true || endedAt === null || status === 'completed') return null;
  if (price === null || (amountMinor ?? 0) === 0) return null;
  const noticeAt = await noticeOf(q, visit.id);
  const lateFee = (await productVersion(q, price.product))?.config.tariff?.lateFee;
  if (noticeAt === null || lateFee === undefined) return null;
  const since = await resumedAfterDispute(q, visit.id, noticeAt);
  const isLate = since !== null && millis(at) - millis(since) > lateFee.afterMinutes * MINUTE_MS;
  if (!isLate) return null;
  const vat = vatOfFee(siteVatAt(settings.vat, at, timeZone).fees, vatOf(price.product));
  return { rule: 'late-fee', amountMinor: lateFee.amountMinor, noticeAt, vat: vatTerms(vat) };
}
