import { MINUTE_MS, millis, type UtcTime } from '@hlid/protocol/utc-time';
import { z } from '@hono/zod-openapi';
import { eq, sql } from 'drizzle-orm';
import type { Actor } from '../../audit/audit.ts';
import type { Db, Queries } from '../../db/db.ts';
import { prepared } from '../../db/prepared.ts';
import { ownRows } from '../../http/caller.ts';
import { MomentSchema } from '../../http/input-fields.ts';
import type { Fee } from '../../invoices/invoice-settlement.ts';
import { productVersion } from '../../products/product-version-store.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../refused.ts';
import type { ChosenSite } from '../../sites/choose-site.ts';
import { recordStep } from '../change/record-deed.ts';
import type { VisitRow } from '../list/visit-view.ts';
import { noticeTable as t } from '../record/notice-table.ts';
import { findVisitRow } from '../record/visit-store.ts';

export const NoticeSchema = z
  .strictObject({
    deliveredOn: MomentSchema.describe(
      'When it was delivered, after the visit had ended; not in the future.',
    ),
  })
  .meta({ id: 'VisitNotice', example: { deliveredOn: '2026-11-21T11:00:00.000Z' } });
export type Notice = z.infer<typeof NoticeSchema>;

const deliveredTo = prepared((q) =>
  q
    .select({ deliveredAt: t.deliveredAt })
    .from(t)
    .where(eq(t.visitId, sql.placeholder('visitId')))
    .prepare(),
);

/** Notes that a notice about what a visit owes was delivered; the first one counts. */
export async function noteNotice(
  db: Db,
  actor: Actor,
  id: string,
  { deliveredOn }: Notice,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const visit = await findVisitRow(tx.q, id, ownRows(actor.caller));
    if (visit === null) return NOT_FOUND;
    const { endedAt, status, amountMinor } = visit;
    if (endedAt === null || status === 'completed' || (amountMinor ?? 0) === 0) {
      return refusedInput('A notice is for a visit that has ended and owes something.');
    }
    if (deliveredOn < endedAt || deliveredOn > actor.at) {
      return refusedInput(`deliveredOn: between the end of the visit (${endedAt}) and now`);
    }
    const known = await deliveredTo(tx.q).get({ visitId: id });
    if (known !== undefined) {
      const message = `A notice was delivered on ${known.deliveredAt}.`;
      return { ok: false, reason: 'already-there', id, message };
    }
    await tx.q.insert(t).values({ visitId: id, deliveredAt: deliveredOn });
    const deed = { action: 'visit.notice', why: `notice delivered: ${deliveredOn}`, reason: undefined };
    await recordStep(tx, actor, { before: visit, after: visit }, deed);
    return { ok: true };
  });
}

/**
 * The late fee of a visit that is paid at that moment, where its site charges one: after the tariff's time from the
 * delivery of a notice, never from the end of the stay.
 */
export async function lateFeeOf(
  q: Queries,
  visit: VisitRow,
  { settings }: Pick<ChosenSite, 'settings'>,
  at: UtcTime,
): Promise<Fee | null> {
  const { price, endedAt, status, amountMinor } = visit;
  if (settings.chargesLateFees !== true || endedAt === null || status === 'completed') return null;
  if (price === null || (amountMinor ?? 0) === 0) return null;
  const noticeAt = (await deliveredTo(q).get({ visitId: visit.id }))?.deliveredAt;
  const lateFee = (await productVersion(q, price.product))?.config.tariff?.lateFee;
  if (noticeAt === undefined || lateFee === undefined) return null;
  const isLate = millis(at) - millis(noticeAt) > lateFee.afterMinutes * MINUTE_MS;
  return isLate ? { rule: 'late-fee', amountMinor: lateFee.amountMinor, noticeAt } : null;
}
