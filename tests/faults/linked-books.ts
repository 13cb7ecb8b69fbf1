import { CLOUD_FLAGS } from '@hlid/cloud/stays/visits/intake/ingest-visit';
import { DAY_MS } from '@hlid/protocol/base/durations';
import type { ReviewFlag, Visit } from '@hlid/protocol/records/visit';
import { expect } from 'vitest';
import type { LinkedSite } from '../harness/linked-site.ts';
import type { TestSite } from '../harness/paired-site.ts';
import { idText, momentText } from '../harness/stored-columns.ts';

/** A visit, as both sides have it. */
export interface SharedVisit {
  id: string;
  plate: string | null;
  status: string;
  paymentStatus: string | null;
  startedAt: string;
  endedAt: string | null;
  unitsMet: number;
  paidUntil: string | null;
  due: number | null;
  quota: unknown;
  flags: string[];
}

export function siteVisits({ db }: TestSite): SharedVisit[] {
  const bodies = db
    .prepare("SELECT body FROM visit ORDER BY body ->> 'startedAt', id")
    .pluck()
    .all()
    .map(String);
  return bodies.map((body) => {
    const visit: Visit = JSON.parse(body);
    const { id, plate, status, paymentStatus, startedAt, endedAt, unitsMet, paidUntil, quota, flags } = visit;
    const due = visit.price?.amountMinor ?? null;
    return {
      id,
      plate,
      status,
      paymentStatus,
      startedAt,
      endedAt,
      unitsMet,
      paidUntil,
      due,
      quota,
      flags: flags.toSorted(),
    };
  });
}

export function cloudVisits({ cloudDb }: LinkedSite): SharedVisit[] {
  const rows = cloudDb((db) =>
    db
      .prepare(
        `SELECT ${idText('id')} AS id, plate, status, payment_status AS paymentStatus, ${momentText('started_at')} AS startedAt, ${momentText('ended_at')} AS endedAt,
           units_met AS unitsMet, ${momentText('paid_until')} AS paidUntil, amount_minor AS due, quota, flags FROM visit ORDER BY started_at, id`,
      )
      .all(),
  ) as (Omit<SharedVisit, 'quota' | 'flags'> & { quota: string | null; flags: string })[];
  return rows.map((row) => ({
    ...row,
    // The cloud alone records that an attempt to pay has failed.
    paymentStatus: row.paymentStatus === 'failed' ? null : row.paymentStatus,
    quota: row.quota === null ? null : JSON.parse(row.quota),
    flags: siteFlags(JSON.parse(row.flags)),
  }));
}

/**
 * Checks that every visit in both databases is the same, that the same are open, and that money is in the
 * books once.
 */
export function checkVisits(linked: LinkedSite): void {
  const here = new Map(siteVisits(linked.site()).map((visit) => [visit.id, visit]));
  const there = cloudVisits(linked);
  expect(there.filter(({ id }) => here.has(id))).toEqual(there.flatMap(({ id }) => here.get(id) ?? []));
  const open = (visits: Iterable<SharedVisit>) =>
    [...visits].filter(({ endedAt }) => endedAt === null).map(({ id, plate }) => `${plate} ${id}`);
  expect(open(here.values()).toSorted()).toEqual(open(there).toSorted());
  const plates = there.flatMap(({ plate, endedAt }) => (endedAt === null && plate !== null ? [plate] : []));
  expect(new Set(plates).size).toBe(plates.length);
  checkMoney(linked);
}

/** Each cause has one invoice, no visit is charged more than it has cost, and quotas have given what visits took. */
function checkMoney({ cloudDb, now }: LinkedSite): void {
  cloudDb((db) => {
    const twice = db
      .prepare('SELECT cause FROM invoice WHERE cause IS NOT NULL GROUP BY cause HAVING count(*) > 1')
      .all();
    expect(twice).toEqual([]);
    const charged = db
      .prepare(
        `SELECT ${idText('visit.id')} AS id, ${momentText('started_at')} AS startedAt, coalesce(${momentText('ended_at')}, ?) AS until, sum(invoice.amount_minor) AS amount
         FROM invoice JOIN visit ON visit.id = invoice.visit_id WHERE invoice.status <> 'refunded' GROUP BY visit.id`,
      )
      .all(now()) as { id: string; startedAt: string; until: string; amount: number }[];
    for (const { id, startedAt, until, amount } of charged) {
      const days = Math.ceil((Date.parse(until) - Date.parse(startedAt)) / DAY_MS);
      expect(amount, id).toBeLessThanOrEqual(500 * Math.max(1, days));
    }
    const quotas = db
      .prepare(
        `SELECT used, (SELECT coalesce(sum(units), 0) FROM quota_visit WHERE quota_id = customer_quota.id) AS taken FROM customer_quota`,
      )
      .all() as { used: number; taken: number }[];
    for (const { used, taken } of quotas) expect(used).toBe(taken);
    expect(db.prepare('SELECT event, error FROM rejected_event').all()).toEqual([]);
  });
}

/** The flags without those that only the cloud raises. */
function siteFlags(flags: ReviewFlag[]): ReviewFlag[] {
  return flags.filter((flag) => !CLOUD_FLAGS.includes(flag)).toSorted();
}
