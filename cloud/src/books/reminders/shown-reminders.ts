import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import type { Cursor } from '../../platform/http/list-envelope.ts';
import { readCollectable } from './collection-facts.ts';
import { nextReminder } from './next-reminder.ts';
import type { ListedReminder } from './reminder.ts';
import { readReminded } from './reminder-facts.ts';
import {
  type FoundReminder,
  type ListedReminderRow,
  listReminders,
  placeByCreation,
  type ReminderFilters,
} from './reminder-store.ts';

type NextStep = Pick<ListedReminder, 'next' | 'stopped' | 'collectableOn'>;

/** Reminders with the next step of their invoices; an invoice is read once. */
export async function withNextSteps(
  q: Queries,
  rows: readonly ListedReminderRow[],
  at: UtcTime,
): Promise<ListedReminder[]> {
  const steps = new Map<string, NextStep>();
  const shown: ListedReminder[] = [];
  for (const row of rows) {
    const { invoiceId, customerId } = row;
    const step = steps.get(invoiceId) ?? (await nextStepOf(q, invoiceId, at));
    steps.set(invoiceId, step);
    shown.push({
      ...reminderFrom(row),
      siteId: row.siteId,
      invoiceNumber: row.invoiceNumber,
      customer: customerId === null ? null : { id: customerId, name: row.customerName },
      payerName: row.payerName,
      ...step,
    });
  }
  return shown;
}

const ROWS_READ_AT_ONCE = 200;

/** All reminders that the caller may see, page by page, newest first. */
export async function* reminderPages(
  db: Db,
  filters: ReminderFilters,
  own: OwnRows,
  at: UtcTime,
): AsyncGenerator<ListedReminder[]> {
  let cursor: Cursor | undefined;
  for (;;) {
    const from = cursor;
    const { rows, shown } = await db.read(async (q) => {
      const found = await listReminders(q, filters, own, { cursor: from, limit: ROWS_READ_AT_ONCE });
      return { rows: found, shown: await withNextSteps(q, found, at) };
    });
    yield shown;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_READ_AT_ONCE) return;
    cursor = { go: 'older', ...placeByCreation(last) };
  }
}

async function nextStepOf(q: Queries, invoiceId: string, at: UtcTime): Promise<NextStep> {
  const reminded = await readReminded(q, invoiceId, at);
  if (reminded === null) return { next: null, stopped: null, collectableOn: null };
  const found = nextReminder(reminded.terms, reminded.facts);
  if (found.kind === 'step') {
    const { step, on, charge } = found;
    return { next: { step, on, charge }, stopped: null, collectableOn: null };
  }
  const decision =
    found.why === 'last-step' || found.why === 'off'
      ? (await readCollectable(q, invoiceId, at))?.decision
      : undefined;
  return { next: null, stopped: found.why, collectableOn: decision?.kind === 'from' ? decision.on : null };
}

export function reminderFrom(found: FoundReminder) {
  const { id, invoiceId, step, currency, createdAt, deliveredAt, chargeInvoiceId } = found;
  return {
    id,
    invoiceId,
    step,
    open: found.openMinor,
    charge: found.chargeMinor,
    currency,
    writtenOn: createdAt,
    state: stateOf(found),
    deliveredOn: deliveredAt,
    chargeInvoice: chargeInvoiceId === null ? null : { id: chargeInvoiceId, number: found.chargeNumber },
  };
}

/** What became of a reminder. */
function stateOf({ deliveredAt, mailId, mailStatus }: FoundReminder) {
  if (deliveredAt !== null) return 'delivered' as const;
  if (mailId === null) return 'paper' as const;
  return mailStatus === 'failed' ? ('failed' as const) : ('waiting' as const);
}
