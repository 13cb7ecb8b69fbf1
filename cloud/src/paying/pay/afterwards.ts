import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { byLanguage } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PayDue } from '@hlid/protocol/pages/pay-api';
import { priceTexts } from '@hlid/protocol/words/price/price-texts';
import { durationText } from '@hlid/protocol/words/price-words';
import { productVersion } from '../../money/products/find-products.ts';
import type { Queries } from '../../platform/db/db.ts';
import { hasOpenDispute, resumedAfterDispute } from '../../records/disputes/find-disputes.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { noticeOf } from '../../stays/visits/price/late-fee.ts';
import { payAfterDays } from '../online-payments/order-payment.ts';
import { localTime } from '../receipts/local-words.ts';
import { PAY_WORDS } from './pay-words.ts';

/**
 * How long a visit that left unpaid can be paid here, and what follows; null: it has not left, or is
 * contested.
 */
export async function afterwardsOf(
  q: Queries,
  visit: VisitRow,
  { settings, timeZone, currency }: Pick<ChosenSite, 'settings' | 'timeZone' | 'currency'>,
  now: UtcTime,
): Promise<NonNullable<PayDue['afterwards']> | null> {
  const { endedAt, price } = visit;
  if (endedAt === null || (await hasOpenDispute(q, { visitId: visit.id }))) return null;
  const payUntil = utcTime(millis(endedAt) + payAfterDays({ settings }) * DAY_MS);
  const product = price && settings.chargesLateFees === true ? await productVersion(q, price.product) : null;
  const lateFee = product?.config.tariff?.lateFee;
  const deliveredAt = lateFee && (await noticeOf(q, visit.id));
  const noticeAt = deliveredAt && (await resumedAfterDispute(q, visit.id, deliveredAt));
  const feeAt = lateFee && noticeAt ? utcTime(millis(noticeAt) + lateFee.afterMinutes * MINUTE_MS) : null;
  return byLanguage((language) => {
    const words = PAY_WORDS[language].afterwards;
    const by = localTime(payUntil, timeZone, language);
    if (lateFee === undefined || (feeAt !== null && feeAt <= now)) return words.free({ by });
    const fee = formatMoney({ amountMinor: lateFee.amountMinor, currency }, language);
    if (feeAt !== null) return words.beforeFee({ by: localTime(feeAt, timeZone, language), fee });
    const length = durationText(lateFee.afterMinutes, priceTexts(language));
    return words.beforeNotice({ by, fee, length });
  });
}
