import { newId } from '@hlid/node/new-id';
import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { startOfLocalDay, wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { editedProduct } from '../../money/products/change/edited-product.ts';
import { findProduct } from '../../money/products/find-products.ts';
import { siteProduct } from '../../money/products/product.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedConflict,
  refusedConflict,
  refusedInput,
} from '../../platform/refused.ts';
import type { RunRow } from '../../records/dry-runs/run-table.ts';
import { commonTimeZone, NO_SUCH_SITE, siteById } from '../../records/sites/choose-site.ts';
import type { NewDryRun } from './dry-run.ts';
import { findRun, insertRun, runsOfAccount, updateRun } from './run-store.ts';
import { NO_SUMS } from './scan-dry-run.ts';

/** A dry run waits, or is cancelled. */
export const DRY_RUNS = 'dry-runs';

const MAX_DAYS = 366;

/** The owner of dry runs, and the sites that the owner sees. */
export interface RunOwner {
  accountId: string;
  own: OwnRows;
}

/** Begins a dry run of a draft. Each account has one at a time. */
export async function beginDryRun(
  db: Db,
  { accountId, own }: RunOwner,
  wanted: NewDryRun,
  now: UtcTime,
): Promise<{ ok: true; run: RunRow } | Refused | RefusedConflict> {
  return await db.write(async (tx) => {
    const { q } = tx;
    const siteId = wanted.siteId ?? null;
    const product = await findProduct(q, wanted.productId);
    const seen = sitesOf(own);
    if (product === null || (product.siteId !== null && seen?.includes(product.siteId) === false)) {
      return refusedInput(mistake('not-found', 'productId', { what: 'product' }));
    }
    if (product.type === 'quota') return refusedInput(mistake('quota-product', 'productId'));
    if (seen !== null && siteId === null && product.siteId === null) {
      return refusedInput(mistake('site-needed', 'siteId'));
    }
    if (siteId !== null && (await siteById(q, siteId)) === null) return refusedInput(NO_SUCH_SITE);
    if (siteId !== null && product.siteId !== null && product.siteId !== siteId) {
      return refusedInput(mistake('product-elsewhere', 'siteId'));
    }
    const period = await periodOf(q, siteId ?? product.siteId, wanted, now);
    if ('ok' in period) return period;
    const draft = editedProduct(product, wanted.draft);
    if (!draft.ok)
      return { ...draft, mistakes: draft.mistakes.map((one) => ({ ...one, path: ['draft', ...one.path] })) };
    const runs = await runsOfAccount(q, accountId);
    if (runs.some(isUnderWay)) return refusedConflict(mistake('run-under-way'));
    const { planned: _, ...drafted } = siteProduct(draft.product);
    const run: RunRow = {
      id: newId(),
      accountId,
      productId: product.id,
      siteId: siteId ?? product.siteId,
      draft: drafted,
      ...period,
      state: 'waiting',
      doneUntil: period.from,
      done: 0,
      total: null,
      sums: NO_SUMS,
      createdAt: now,
      endedAt: null,
      error: null,
      dueAt: now,
      attempts: 0,
      heldBy: null,
    };
    await insertRun(q, run);
    tx.announce(DRY_RUNS);
    return { ok: true, run };
  });
}

/** Cancels a run that has not ended; what it has found so far stays. */
export async function cancelRun(
  db: Db,
  owner: RunOwner,
  id: string,
  now: UtcTime,
): Promise<{ ok: true; run: RunRow } | Refused | RefusedConflict> {
  return await db.write(async (tx) => {
    const run = await ownRun(tx.q, owner, id);
    if (run === null) return NOT_FOUND;
    if (!isUnderWay(run)) return refusedConflict(mistake('run-ended'));
    const ended = { state: 'cancelled', endedAt: now, dueAt: null, heldBy: null } as const;
    await updateRun(tx.q, id, ended);
    return { ok: true, run: { ...run, ...ended } };
  });
}

/** A run of the account itself, of sites that it sees. */
export async function ownRun(q: Queries, { accountId, own }: RunOwner, id: string): Promise<RunRow | null> {
  const run = await findRun(q, id);
  return run?.accountId === accountId && seesRun(own, run) ? run : null;
}

/** Whether the rights of an account, which may have become less, cover a run. */
export function seesRun(own: OwnRows, { siteId }: Pick<RunRow, 'siteId'>): boolean {
  const seen = sitesOf(own);
  return seen === null || (siteId !== null && seen.includes(siteId));
}

export function isUnderWay({ state }: Pick<RunRow, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

/** The days of a run by the calendar of its site, and the moments at which they begin and are over. */
async function periodOf(
  q: Queries,
  siteId: string | null,
  { from, to }: Pick<NewDryRun, 'from' | 'to'>,
  now: UtcTime,
): Promise<Pick<RunRow, 'firstDay' | 'lastDay' | 'from' | 'before'> | Refused> {
  const site = siteId === null ? null : await siteById(q, siteId);
  const timeZone = site?.timeZone ?? (await commonTimeZone(q));
  const [firstDay, lastDay] =
    from === undefined || to === undefined ? lastMonth(wallClock(now, timeZone).date) : [from, to];
  if (lastDay < firstDay) return refusedInput(mistake('period-reversed', 'to'));
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  if (days > MAX_DAYS) return refusedInput(mistake('period-too-long', 'to', { days: MAX_DAYS }));
  return {
    firstDay,
    lastDay,
    from: startOfLocalDay(firstDay, timeZone),
    before: startOfLocalDay(dayAfter(lastDay, 1), timeZone),
  };
}

/** The first and the last day of the month before a day. */
function lastMonth(day: string): [first: string, last: string] {
  const last = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  last.setUTCDate(0);
  const lastDay = last.toISOString().slice(0, 10);
  return [`${lastDay.slice(0, 7)}-01`, lastDay];
}
