import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { RetentionConfig } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { forgetErasedInFeeds } from '../../sites/feed/forget-erased.ts';
import { eraseApprovals } from './erase-approvals.ts';
import { eraseDisputes } from './erase-disputes.ts';
import { eraseDriverCharges, eraseDrivers } from './erase-drivers.ts';
import { eraseLooseReads } from './erase-loose-reads.ts';
import { eraseLostVisits } from './erase-lost-visits.ts';
import {
  eraseAuditLines,
  eraseBankNames,
  eraseInvoicePayers,
  eraseMail,
  erasePaymentCards,
  erasePayOrders,
  passageEraser,
} from './erase-old-rows.ts';
import { eraseOnlinePayers } from './erase-online-payers.ts';
import { erasePictures } from './erase-pictures.ts';
import { eraseVehicles } from './erase-vehicles.ts';
import { eraseVisitPlates } from './erase-visit-plates.ts';

/** Rows in one transaction: other writes get their turn in between. */
const AT_ONCE = 50;

export interface RetentionParts {
  db: Db;
  pictures: ObjectStorage;
  retention: RetentionConfig;
}

/** Erases what is older than its clock allows. May be broken off anywhere and done again. */
export async function eraseWhatIsDue(
  parts: RetentionParts,
  now: UtcTime,
  signal: AbortSignal,
): Promise<void> {
  const { db, retention } = parts;
  const ago = (days: number) => ({ before: utcTime(millis(now) - days * DAY_MS), now });
  const years = { before: yearsBefore(now, retention.invoiceYears), now };
  const { pictureDays, looseReadDays, visitDays, auditDays, mailDays } = retention;
  for (const erase of [
    () => erasePictures(parts, ago(pictureDays), AT_ONCE),
    () => eraseLooseReads(db, ago(looseReadDays), AT_ONCE),
    () => eraseLostVisits(db, ago(visitDays), AT_ONCE),
    () => eraseVisitPlates(db, ago(visitDays), AT_ONCE),
    passageEraser(db, ago(visitDays), AT_ONCE),
    () => eraseDisputes(db, ago(visitDays), AT_ONCE),
    () => eraseApprovals(db, ago(visitDays), AT_ONCE),
    () => eraseVehicles(db, ago(visitDays), AT_ONCE),
    () => eraseOnlinePayers(db, ago(visitDays), AT_ONCE),
    () => erasePayOrders(db, ago(visitDays), AT_ONCE),
    () => eraseInvoicePayers(db, years, AT_ONCE),
    () => erasePaymentCards(db, years, AT_ONCE),
    () => eraseBankNames(db, years, AT_ONCE),
    () => eraseAuditLines(db, ago(auditDays), AT_ONCE),
    () => eraseMail(db, ago(mailDays), AT_ONCE),
    () => eraseDrivers(db, ago(visitDays), AT_ONCE),
    () => eraseDriverCharges(db, ago(visitDays), AT_ONCE),
  ]) {
    let rows = AT_ONCE;
    while (rows >= AT_ONCE && !signal.aborted) rows = await erase();
  }
  await forgetErasedInFeeds(db, now, signal);
}

/** Every hour. */
export function retentionRun(parts: RetentionParts): ScheduledRun {
  return {
    name: 'retention',
    everyMs: HOUR_MS,
    work: ({ now, signal }) => eraseWhatIsDue(parts, now, signal),
  };
}

/** The end of the bookkeeping year that number of years ago: the law counts from there. */
function yearsBefore(now: UtcTime, years: number): UtcTime {
  return utcTime(Date.UTC(new Date(now).getUTCFullYear() - years, 0, 1));
}
