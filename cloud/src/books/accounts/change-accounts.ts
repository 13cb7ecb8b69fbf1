import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, desc, eq } from '../../platform/db/sql.ts';
import { type Actor, type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { ofSites } from '../../platform/http/list-rows.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../platform/refused.ts';
import { type MoneyAccountRow, moneyAccountTable as t } from '../../records/books/money-account-table.ts';
import { chooseSite } from '../../records/sites/choose-site.ts';
import { type MoneyAccountEdit, mappingOf, type NewMoneyAccount, referenceKey } from './money-account.ts';

const auditAccount = auditOf<MoneyAccountRow>('money-account', ({ id: _id, ...row }) => row);

export async function createAccount(
  db: Db,
  actor: Actor,
  { siteId, ...body }: NewMoneyAccount,
): Promise<{ ok: true; account: MoneyAccountRow } | Refused> {
  return await db.write(async (tx) => {
    const chosen = siteId == null ? null : await chooseSite(tx.q, siteId);
    if (chosen !== null && !chosen.ok) return chosen;
    const account: MoneyAccountRow = {
      ...body,
      id: newId(),
      reference: referenceKey(body.reference),
      siteId: chosen?.site.id ?? null,
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    const refused = await refuseAccount(tx.q, account);
    if (refused !== null) return refused;
    await tx.q.insert(t).values(account);
    await auditAccount(tx, actor, 'money-account.create', null, account);
    return { ok: true, account };
  });
}

/** Changes what is given. Files that are stored stay as they were read. */
export async function updateAccount(
  db: Db,
  actor: Actor,
  id: string,
  edit: MoneyAccountEdit,
): Promise<{ ok: true; account: MoneyAccountRow } | RefusedEdit> {
  return await db.write(async (tx) => {
    const before = await findAccount(tx.q, id);
    if (before === null) return NOT_FOUND;
    if (isStale(actor, before)) return STALE;
    const { reference, ...rest } = edit;
    const account: MoneyAccountRow = {
      ...before,
      ...omitUndefined(rest),
      reference: reference === undefined ? before.reference : referenceKey(reference),
      modifiedAt: actor.at,
    };
    const refused = await refuseAccount(tx.q, account);
    if (refused !== null) return refused;
    const { id: _id, ...fields } = account;
    await tx.q.update(t).set(fields).where(eq(t.id, id));
    await auditAccount(tx, actor, 'money-account.update', before, account);
    return { ok: true, account };
  });
}

async function refuseAccount(q: Queries, account: MoneyAccountRow): Promise<Refused | null> {
  const same = await accountByReference(q, account.kind, account.reference);
  if (same !== null && same.id !== account.id) {
    return refusedInput(mistake('money-account-there', 'reference'));
  }
  const mapping = mappingOf(account);
  if (mapping !== null && mapping.kind !== account.kind) {
    return refusedInput(mistake('mapping-not-taken', 'mapping'));
  }
  if (account.paysIntoId === null) return null;
  const bank = await findAccount(q, account.paysIntoId);
  const isBank = bank?.kind === 'bank' && account.kind === 'settlement';
  return isBank ? null : refusedInput(mistake('pays-into-bank', 'paysIntoId'));
}

export async function findAccount(q: Queries, id: string): Promise<MoneyAccountRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

export async function accountByReference(
  q: Queries,
  kind: MoneyAccountRow['kind'],
  reference: string,
): Promise<MoneyAccountRow | null> {
  const where = and(eq(t.kind, kind), eq(t.reference, referenceKey(reference)));
  return (await q.select().from(t).where(where).get()) ?? null;
}

/** There are few: a list is always whole. */
const MAX_ACCOUNTS = 500;

export async function listAccounts(q: Queries, own: OwnRows): Promise<MoneyAccountRow[]> {
  return await q
    .select()
    .from(t)
    .where(ofSites(t.siteId, sitesOf(own)))
    .orderBy(desc(t.createdAt), desc(t.id))
    .limit(MAX_ACCOUNTS);
}
