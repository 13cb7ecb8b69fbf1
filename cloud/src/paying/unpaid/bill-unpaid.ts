import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { unfinishedPayment } from '../../money/payments/record-payment.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, gt, isNotNull, isNull, lt, sql } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { resumedAfterDispute } from '../../records/disputes/find-disputes.ts';
import { hasOpenCharge } from '../../records/drivers/driver-store.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { visitTable as t, type VisitRow } from '../../records/visits/visit-table.ts';
import { editVisitWithin } from '../../stays/visits/edit/edit-visit.ts';
import { decideNow } from '../../stays/visits/price/decide-now.ts';
import { payAfterDays } from '../online-payments/order-payment.ts';
import { type AfterWindow, afterWindow } from './after-window.ts';

/** Stays that were not billed within this time of their days to pay are left to a person. */
const TRIED_MS = 60 * DAY_MS;
const REASON = 'not paid in its days';

/**
 * Bills stays that were not paid in their time, where their site says so (`invoicesUnpaid`): to the company that has the
 * car, else to its operator or owner. Each has a transaction of its own, which reads again all that decides: it can
 * stop anywhere, run twice, and run in two clouds.
 */
export function billUnpaidRun({ db }: { db: Db }): ScheduledRun {
  return {
    name: 'bill-unpaid',
    everyMs: HOUR_MS,
    isDue: async () => (await db.read(billingSites)).length > 0,
    async work({ now, signal }) {
      // What is not real is billed to no one.
      if (await db.read(isTrainingDatabase)) return;
      const actor = cloudActor('unpaid', now);
      for (const id of await db.read((q) => unpaidStays(q, now))) {
        if (signal.aborted) return;
        if ((await db.read((q) => whatFollows(q, id, now)))?.kind !== 'settle') continue;
        await db.write((tx) => bill(tx, actor, id));
      }
    },
  };
}

type BillingSite = Pick<ChosenSite, 'id' | 'settings'>;

async function billingSites(q: Queries): Promise<BillingSite[]> {
  return await q
    .select({ id: siteTable.id, settings: siteTable.settings })
    .from(siteTable)
    .where(and(isNull(siteTable.archivedAt), sql`${siteTable.settings} ->> 'invoicesUnpaid' = 1`))
    .orderBy(asc(siteTable.id));
}

/** The stays whose days to pay may be over, the oldest first. */
async function unpaidStays(q: Queries, now: UtcTime): Promise<string[]> {
  const sites = new Map((await billingSites(q)).map((site) => [site.id, site]));
  const days = [...sites.values()].map(payAfterDays);
  if (days.length === 0) return [];
  const ago = (ms: number) => utcTime(millis(now) - ms);
  const rows = await q
    .select({ id: t.id, siteId: t.siteId, endedAt: t.endedAt })
    .from(t)
    .where(
      and(
        sql`${t.status} = 'need-payment'`,
        isNotNull(t.endedAt),
        lt(t.endedAt, ago(Math.min(...days) * DAY_MS)),
        gt(t.endedAt, ago(Math.max(...days) * DAY_MS + TRIED_MS)),
      ),
    )
    .orderBy(asc(t.endedAt));
  return rows.flatMap(({ id, siteId, endedAt }) => {
    const site = sites.get(siteId);
    if (site === undefined || endedAt === null) return [];
    const overMs = millis(now) - millis(endedAt) - payAfterDays(site) * DAY_MS;
    return overMs > 0 && overMs < TRIED_MS ? [id] : [];
  });
}

/** Null: it is not an unpaid stay of a site that bills such ones any more. */
async function whatFollows(q: Queries, id: string, now: UtcTime): Promise<AfterWindow | null> {
  const visit = await findVisitRow(q, id, ALL_ROWS);
  if (visit === null || visit.status !== 'need-payment' || visit.endedAt === null) return null;
  const site = await siteOfVisit(q, visit);
  if (site.settings.invoicesUnpaid !== true) return null;
  const { decision } = await decideNow(q, { ...visit, endedAt: null }, site, visit.endedAt);
  const { plate, flags, exitFoundBy } = visit;
  return afterWindow(
    {
      plate,
      flags,
      exitFoundBy,
      payFrom: await resumedAfterDispute(q, id, knownSince(visit, visit.endedAt)),
      payAfterDays: payAfterDays(site),
      isPaying: await isPaying(q, visit),
      decision,
    },
    now,
  );
}

/** Since when its driver can have paid: its end may have come late, or a person has changed it since. */
function knownSince({ modifiedAt }: VisitRow, endedAt: UtcTime): UtcTime {
  return modifiedAt > endedAt ? modifiedAt : endedAt;
}

/** However long ago it was begun: money that may be booked is not asked for once more. */
async function isPaying(q: Queries, { id, startedAt }: VisitRow): Promise<boolean> {
  const payment = await unfinishedPayment(q, { visitId: id, invoiceId: null }, startedAt);
  return payment !== null || (await hasOpenCharge(q, id));
}

async function bill(tx: Tx, actor: Actor, id: string): Promise<void> {
  const next = await whatFollows(tx.q, id, actor.at);
  if (next?.kind !== 'settle') return;
  await editVisitWithin(tx, actor, id, { paymentStatus: next.as, reason: REASON });
}
