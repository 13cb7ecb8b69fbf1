import { newId } from '@hlid/node/new-id';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { audit, cloudActor } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type Account, listWaiting } from '../../records/billing/charge-store.ts';
import { InvoiceLinks } from '../pay/link/invoice-links.ts';
import { BilledSites } from './billed-sites.ts';
import { periodOf } from './billing-period.ts';
import { type BillingRunRow, findRun, insertRun, updateRun } from './billing-run-store.ts';
import { collectCharges } from './collect-charges.ts';

/** The accounts with charges that may be billed, and the sites where they were made. */
interface DueAccounts {
  sites: BilledSites;
  accounts: Account[];
}

type BillingContext = ConstructorParameters<typeof InvoiceLinks>[0];

/** Bills every hour what is over since. */
export function billingRun(context: BillingContext): ScheduledRun {
  const { db } = context;
  return {
    name: 'billing',
    everyMs: HOUR_MS,
    async work({ now, signal }) {
      const due = await db.read((q) => dueBy(q, now));
      if (due.accounts.length === 0) return;
      const run = await billCustomers(context, cloudActor('billing', now), { until: now, due, signal });
      if (run.error !== null) throw new Error(run.error);
    },
  };
}

/** Bills now, as a person asks for. */
export async function billNow(context: BillingContext, actor: Actor, until: UtcTime): Promise<BillingRunRow> {
  const due = await context.db.read((q) => dueBy(q, until));
  return await billCustomers(context, actor, { until, due });
}

/** The accounts with charges of a period that has ended by then. */
export async function dueBy(q: Queries, until: UtcTime): Promise<DueAccounts> {
  const sites = await BilledSites.read(q);
  const accounts = new Map<string, Account>();
  for (const { customerId, currency, siteId, since, interval } of await listWaiting(q)) {
    const { seller, timeZone } = sites.of(siteId);
    const { key } = periodOf(since, interval, timeZone);
    if (sites.periodOf(seller, key).before > until) continue;
    accounts.set(`${customerId} ${currency}`, { customerId, currency });
  }
  return { sites, accounts: [...accounts.values()] };
}

/**
 * Makes one invoice after the other, each in a separate transaction with its charges. So a charge is in one
 * invoice, however often this runs, wherever it stops and whatever runs beside it.
 */
async function billCustomers(
  context: BillingContext,
  actor: Actor,
  { until, due, signal }: { until: UtcTime; due: DueAccounts; signal?: AbortSignal },
): Promise<BillingRunRow> {
  const { db } = context;
  const links = new InvoiceLinks(context);
  await links.prepare();
  const begun: BillingRunRow = {
    id: newId(),
    until,
    invoices: 0,
    amounts: [],
    by: callerName(actor.caller),
    startedAt: actor.at,
    doneAt: null,
    error: null,
  };
  await db.write(async (tx) => {
    await insertRun(tx.q, begun);
    await auditRun(tx, actor, begun);
  });
  const errors: string[] = [];
  for (const account of due.accounts) {
    try {
      while (
        !signal?.aborted &&
        (await billOne({ db, links }, begun.id, due.sites, account, { until, at: actor.at }))
      );
    } catch (error) {
      // The other customers are billed all the same.
      errors.push(`Customer ${account.customerId}: ${messageOf(error)}`);
    }
  }
  const done = {
    doneAt: signal?.aborted ? null : actor.at,
    error: errors.length === 0 ? null : errors.join('\n'),
  };
  return await db.write(async ({ q }) => {
    await updateRun(q, begun.id, done);
    return (await findRun(q, begun.id)) ?? { ...begun, ...done };
  });
}

/** @returns whether there was something to bill */
async function billOne(
  { db, links }: { db: Db; links: InvoiceLinks },
  runId: string,
  sites: BilledSites,
  account: Account,
  times: { until: UtcTime; at: UtcTime },
): Promise<boolean> {
  return await db.write(async (tx) => {
    const invoice = await collectCharges(tx, sites, account, times, links);
    if (invoice === null) return false;
    await countInRun(tx, runId, invoice);
    return true;
  });
}

async function countInRun(tx: Tx, runId: string, { amountMinor, currency }: InvoiceRow): Promise<void> {
  const run = await findRun(tx.q, runId);
  if (run === null) return;
  const others = run.amounts.filter((amount) => amount.currency !== currency);
  const before = run.amounts.find((amount) => amount.currency === currency)?.amountMinor ?? 0;
  await updateRun(tx.q, runId, {
    invoices: run.invoices + 1,
    amounts: [...others, { currency, amountMinor: before + amountMinor }],
  });
}

async function auditRun(tx: Tx, actor: Actor, { id, until }: BillingRunRow): Promise<void> {
  if (actor.caller.kind === 'cloud') return;
  await audit(tx, actor, {
    action: 'billing.run',
    subject: 'billing-run',
    subjectId: id,
    before: null,
    after: { until },
  });
}
