import { newId } from '@hlid/node/new-id';
import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, count, eq, ne, sql } from '../../platform/db/sql.ts';
import type { RequestCaller } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { viewTable as t } from '../../records/views/view-table.ts';
import { callerNames } from '../auth/caller-names.ts';

const NameSchema = TypedTextSchema.trim().min(1).max(100);
const UrlSchema = z
  .string()
  .max(2000)
  .regex(/^\/console\/[\x21-\x7e]*$/, wrong('console-address'))
  .refine((url) => !url.includes('\\') && !url.includes('//'), wrong('console-address'));

export const NewViewSchema = z
  .strictObject({
    name: NameSchema,
    url: UrlSchema.describe('The path in the console, with its filters.'),
    shared: z.boolean().optional().describe('All operators see it. Operators only; default: false.'),
  })
  .meta({ id: 'NewView', example: { name: 'Unpaid', url: '/console/all/visits?collection=unpaid' } });
export type NewView = z.infer<typeof NewViewSchema>;

export const ViewEditSchema = NewViewSchema.partial().meta({
  id: 'ViewEdit',
  example: { name: 'Unpaid cars' },
});
export type ViewEdit = z.infer<typeof ViewEditSchema>;

/** A saved view as the API shows it. */
export const ViewSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    shared: z.boolean(),
    own: z.boolean().describe('Whether it is the caller’s, who may change it.'),
    by: z.string().nullable().describe('What its account is called.'),
  })
  .meta({ id: 'View' });
export type View = z.infer<typeof ViewSchema>;

type Account = Extract<RequestCaller, { kind: 'account' }>;
type Row = typeof t.$inferSelect;

/** More than these of one account, or shared, are neither stored nor shown. */
const MAX_VIEWS = 200;

/** The views of an account, oldest first, and to operators those that others share. */
export async function listViews(q: Queries, { accountId, role }: Account): Promise<View[]> {
  const inOrder = [asc(t.createdAt), asc(t.id)] as const;
  const own = await q
    .select()
    .from(t)
    .where(eq(t.accountId, accountId))
    .orderBy(...inOrder)
    .limit(MAX_VIEWS);
  // The condition matches the index's own word for word, so that SQLite uses it.
  const isOthers = and(sql`${t.shared} = 1`, ne(t.accountId, accountId));
  const shared =
    role === 'operator'
      ? await q
          .select()
          .from(t)
          .where(isOthers)
          .orderBy(...inOrder)
          .limit(MAX_VIEWS)
      : [];
  return await shown(q, [...own, ...shared], accountId);
}

async function shown(q: Queries, rows: readonly Row[], accountId: string): Promise<View[]> {
  const names = await callerNames(
    q,
    rows.map((row) => `account:${row.accountId}`),
  );
  return rows.map(({ id, name, url, shared, ...row }) => ({
    id,
    name,
    url,
    shared,
    own: row.accountId === accountId,
    by: names.get(`account:${row.accountId}`) ?? null,
  }));
}

/** The same as one of them; null where the account has no such view. */
export async function findView(q: Queries, id: string, { accountId }: Account): Promise<View | null> {
  const row = await ownView(q, id, accountId);
  return row === undefined ? null : ((await shown(q, [row], accountId))[0] ?? null);
}

async function ownView(q: Queries, id: string, accountId: string): Promise<Row | undefined> {
  return await q
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.accountId, accountId)))
    .get();
}

export async function createView(
  db: Db,
  account: Account,
  { name, url, shared = false }: NewView,
  at: string,
): Promise<{ ok: true; id: string } | Refused> {
  const { accountId } = account;
  return await db.write(async (tx) => {
    const [known] = await tx.q.select({ n: count() }).from(t).where(eq(t.accountId, accountId));
    if ((known?.n ?? 0) >= MAX_VIEWS) return refusedInput(mistake('too-many-views', [], { max: MAX_VIEWS }));
    if (shared && account.role !== 'operator') return refusedInput(OPERATORS_ONLY);
    const id = newId();
    await tx.q.insert(t).values({ id, accountId, name, url, shared, createdAt: at, modifiedAt: at });
    return { ok: true, id };
  });
}

const OPERATORS_ONLY = mistake('operators-share', 'shared');

/** Views are private to their account: the audit log does not have them. */
export async function updateView(
  db: Db,
  account: Account,
  id: string,
  edit: ViewEdit,
  at: string,
): Promise<{ ok: true } | Refused> {
  return await ofOwn(db, account, id, async ({ q }) => {
    if (edit.shared === true && account.role !== 'operator') return refusedInput(OPERATORS_ONLY);
    const { name, url, shared } = edit;
    const fields = {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(shared !== undefined && { shared }),
    };
    await q
      .update(t)
      .set({ ...fields, modifiedAt: at })
      .where(eq(t.id, id));
    return { ok: true };
  });
}

export async function deleteView(db: Db, account: Account, id: string): Promise<{ ok: true } | Refused> {
  return await ofOwn(db, account, id, async ({ q }) => {
    await q.delete(t).where(eq(t.id, id));
    return { ok: true };
  });
}

async function ofOwn(
  db: Db,
  { accountId }: Account,
  id: string,
  work: (tx: Tx) => Promise<{ ok: true } | Refused>,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) =>
    (await ownView(tx.q, id, accountId)) === undefined ? NOT_FOUND : await work(tx),
  );
}
