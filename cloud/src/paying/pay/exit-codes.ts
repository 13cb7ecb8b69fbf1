import { codeSigner } from '@hlid/node/exit-code-key';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { exitCode } from '@hlid/protocol/records/exit-code';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, gt, or } from '../../platform/db/sql.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { settlementTable as t, type VisitRow } from '../../records/visits/visit-table.ts';

/** A connected site is informed of a payment within this time. */
const SITE_LEARNS_WITHIN_MS = 4000;

/** The site's knowledge of the payments for a car that is inside. */
export interface SiteKnowledge {
  /** It has all of them. */
  siteKnows: boolean;
  /** The codes of those that the site cannot be informed of now: each is typed at the kiosk. */
  codes: string[];
}

/** The payments of a visit that its site knows of. @param isAway it cannot be informed of anything now */
export async function siteKnowledge(
  q: Queries,
  { id: visitId, siteId, endedAt }: VisitRow,
  { isAway, at }: { isAway: boolean; at: UtcTime },
): Promise<SiteKnowledge> {
  const presence = endedAt === null ? await readPresence(q, siteId) : null;
  if (presence === null) return { siteKnows: true, codes: [] };
  const unconfirmed = await q
    .select()
    .from(t)
    .where(
      and(
        eq(t.visitId, visitId),
        eq(t.paymentStatus, 'kiosk'),
        gt(t.feedN, presence.feedAt),
        or(gt(t.amountMinor, 0), gt(t.units, 0)),
      ),
    )
    .orderBy(asc(t.feedN));
  if (unconfirmed.length === 0) return { siteKnows: true, codes: [] };
  const site = await q
    .select({ hash: siteTable.secretHash })
    .from(siteTable)
    .where(eq(siteTable.id, siteId))
    .get();
  const secretHash = site?.hash ?? null;
  if (secretHash === null) return { siteKnows: true, codes: [] };
  const sign = codeSigner(secretHash);
  const isLate = ({ settledAt }: { settledAt: string }) =>
    millis(at) - millis(settledAt) >= SITE_LEARNS_WITHIN_MS;
  const codes = unconfirmed
    .filter((settlement) => isAway || isLate(settlement))
    .flatMap(({ currency, settledAt: paidAt, units, amountMinor }) => {
      const paid = { paidAt, units, amountMinor };
      return exitCode({ siteId, visitId, currency }, paid, sign) ?? [];
    });
  return { siteKnows: false, codes };
}
