import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { callerNames } from '../../people/auth/caller-names.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { priceTrace } from '../visits/list/price-trace.ts';
import { historyFrom } from '../visits/list/visit-view.ts';
import { TIMELINE_KINDS, type Timeline, type TimelineEntry } from './timeline.ts';
import { type TimelineRows, timelineRows } from './timeline-store.ts';

const MAX_ENTRIES = 1000;

/** An entry, with the id of whom it is by in place of the name. */
type Entry = Omit<TimelineEntry, 'who' | 'changes' | 'photoId'> &
  Partial<Pick<TimelineEntry, 'changes' | 'photoId'>> & { by: string | null };

/** The reads of a visit: those of its entrance and exit, and of its passages. */
export async function readsOfVisit(q: Queries, visit: VisitRow): Promise<TimelineRows['reads']> {
  return (await timelineRows(q, visit)).reads;
}

/** Everything that happened in a visit, oldest first; null where the caller has no such visit. */
export async function visitTimeline(
  q: Queries,
  visitId: string,
  own: OwnRows,
  now: UtcTime,
): Promise<Timeline | null> {
  const visit = await findVisitRow(q, visitId, own);
  if (visit === null) return null;
  const rows = await timelineRows(q, visit);
  const entries = entriesFrom(rows).sort(inOrder).slice(-MAX_ENTRIES);
  const names = await callerNames(
    q,
    entries.flatMap(({ by }) => (by === null ? [] : [by])),
  );
  const trace = visit.endedAt === null ? await priceTrace(q, visitId, own, now) : null;
  const pictured = (readId: string | null) =>
    rows.reads.find(({ id, url }) => id === readId && url !== null)?.id ?? null;
  return {
    visitId,
    entryPhotoId: pictured(visit.entryReadId),
    exitPhotoId: pictured(visit.exitReadId),
    ifLeftNow: trace?.decision ? { decision: trace.decision, due: trace.due } : null,
    entries: entries.map(({ by, ...entry }) => ({
      changes: [],
      photoId: null,
      ...entry,
      who: by === null ? null : { by, name: names.get(by) ?? null },
    })),
  };
}

function inOrder(a: Entry, b: Entry): number {
  if (a.on !== b.on) return a.on < b.on ? -1 : 1;
  return TIMELINE_KINDS.indexOf(a.kind) - TIMELINE_KINDS.indexOf(b.kind);
}

function entriesFrom(rows: TimelineRows): Entry[] {
  return [...laneEntries(rows), ...moneyEntries(rows), ...officeEntries(rows)];
}

/** The entries of cameras, rules and gates. */
function laneEntries({ reads, decisions, movements, alerts }: TimelineRows): Entry[] {
  return [
    ...reads.map(({ id, receivedAt: on, standing: code, laneId, plate, score, status, url }) => ({
      id,
      on,
      kind: 'read' as const,
      code,
      by: `lane:${laneId}`,
      params: { laneId, plate, score, status },
      photoId: url === null ? null : id,
    })),
    ...decisions.map(({ id, at: on, reason: code, laneId, direction, plate, open, passageId }) => ({
      id,
      on,
      kind: 'decision' as const,
      code,
      by: `lane:${laneId}`,
      params: { laneId, direction, plate, open, passageId },
    })),
    ...movements.map(({ id, at: on, action: code, laneId, outcome, reason, by, tookMs }) => ({
      id,
      on,
      kind: 'gate' as const,
      code,
      by,
      params: { laneId, outcome, reason, tookMs },
    })),
    ...alerts.map(({ id, at: on, alert: code, laneId, plate }) => ({
      id,
      on,
      kind: 'alert' as const,
      code,
      by: `lane:${laneId}`,
      params: { laneId, plate },
    })),
  ];
}

function moneyEntries({ payments, settlements, invoices, notices }: TimelineRows): Entry[] {
  return [
    ...payments.map(({ id, createdAt: on, state: code, terminalId, transaction, ...payment }) => ({
      id,
      on,
      kind: 'payment' as const,
      code,
      by: terminalId === null ? null : `terminal:${terminalId}`,
      params: {
        amount: payment.amountMinor,
        tip: transaction?.tipMinor ?? 0,
        currency: payment.currency,
        changedOn: payment.changedAt,
        needsPerson: payment.needsPerson,
        settledTwice: payment.settledTwice,
        reason: payment.reason,
        cardType: transaction?.card?.type ?? null,
        cardLastFour: transaction?.card?.lastFour ?? null,
      },
    })),
    ...settlements.map(({ id, settledAt: on, paymentStatus: code, by, ...settlement }) => ({
      id,
      on,
      kind: 'settlement' as const,
      code,
      by,
      params: {
        amount: settlement.amountMinor,
        currency: settlement.currency,
        units: settlement.units,
        paidWith: settlement.paidWith,
      },
    })),
    ...invoices.flatMap((invoice): Entry[] => {
      const { id, number, currency, amountMinor: amount, paymentType } = invoice;
      const params = { invoiceId: id, number, amount, currency, paymentType };
      const on = invoice.issuedAt ?? invoice.createdAt;
      const { status: code, creditOf } = invoice;
      if (creditOf === null || amount > 0)
        return [{ id, on, kind: 'invoice' as const, code, by: null, params }];
      const given = { ...params, amount: 0 - amount };
      return [{ id, on, kind: 'refund' as const, code: 'refunded', by: null, params: given }];
    }),
    ...notices.map(({ visitId, deliveredAt: on }) => ({
      id: `${visitId}-notice`,
      on,
      kind: 'notice' as const,
      code: 'delivered',
      by: null,
      params: {},
    })),
  ];
}

/** Mail, the visit's states, and what people changed: a state that came of an edit stands in the edit. */
function officeEntries({ mails, steps, edits }: TimelineRows): Entry[] {
  const edited = new Set(edits.map(({ at, by }) => `${at} ${by}`));
  return [
    ...mails.map(({ id, createdAt: on, kind: code, status, to, sentAt: sentOn }) => ({
      id,
      on,
      kind: 'mail' as const,
      code,
      by: null,
      params: { mailId: id, status, to, sentOn },
    })),
    ...historyFrom(steps)
      .filter(({ at, by }) => !edited.has(`${at} ${by}`))
      .map(({ at: on, to: code, from, by, reason }, n) => ({
        id: `status-${n}`,
        on,
        kind: 'status' as const,
        code,
        by,
        params: { from, reason },
      })),
    ...edits.map(({ id, at: on, action: code, by, reason, subject, before, after }) => ({
      id,
      on,
      kind: 'edit' as const,
      code,
      by,
      params: { subject, reason },
      changes: changesBetween(before, after),
    })),
  ];
}

function changesBetween(before: unknown, after: unknown): TimelineEntry['changes'] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((field) => {
    const [was, is] = [old[field] ?? null, now[field] ?? null];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ field, before: was, after: is }];
  });
}

function fieldsOf(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}
