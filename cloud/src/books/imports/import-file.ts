import { createHash } from 'node:crypto';
import { newId } from '@hlid/node/new-id';
import type { FileKind } from '@hlid/protocol/base/books-files';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName, ownRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, type RefusedInput, refusedInput } from '../../platform/refused.ts';
import {
  bankEntryTable,
  bankStatementTable,
  type MoneyFileRow,
  moneyFileTable,
  settlementBatchTable,
  settlementRowTable,
} from '../../records/books/money-file-table.ts';
import { findAccount } from '../accounts/change-accounts.ts';
import { mappingOf } from '../accounts/money-account.ts';
import type { FileContent, FileFormat } from '../files/file-content.ts';
import { readBooksFile } from '../files/read-file.ts';
import { deleteFileRows, fileByHash, findFile, insertRows } from './file-store.ts';
import { matchOpenEntries, storeMatches } from './match-stored.ts';
import { type ImportPlan, planImport } from './plan-import.ts';

/** A file as it came in. */
export interface SentFile {
  kind: FileKind;
  bytes: Uint8Array;
  name: string;
  /** The account that was chosen; null: the file names it. */
  accountId: string | null;
  dryRun: boolean;
}

/** `repeated`: the same bytes were imported before, as that file. */
export type Imported =
  | { ok: true; is: 'repeated'; file: MoneyFileRow }
  | { ok: true; is: 'planned' | 'stored'; id: string | null; format: FileFormat; plan: ImportPlan };

const auditFile = auditOf<MoneyFileRow>('money-file', ({ id: _id, warnings: _warnings, ...row }) => row);

/** Two files may come at once, and the second is compared with what the first has stored. */
export async function importFile(db: Db, actor: Actor, sent: SentFile): Promise<Imported | RefusedInput> {
  const own = ownRows(actor.caller);
  const { kind, bytes, accountId, dryRun } = sent;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const start = await db.read(async (q) => ({
    repeated: await fileByHash(q, hash),
    chosen: accountId === null ? null : await findAccount(q, accountId),
  }));
  const { chosen } = start;
  if (start.repeated !== null) return repetition(start.repeated, actor, kind);
  const isOwn =
    chosen === null || (chosen.siteId === null ? sitesOf(own) === null : seesSite(own, chosen.siteId));
  if (accountId !== null && (chosen === null || !isOwn || chosen.kind !== kind)) {
    return refusedInput(mistake('not-found', 'account', { what: 'money-account' }));
  }
  const timeZone = chosen?.timeZone ?? 'UTC';
  const read = readBooksFile(bytes, kind, { mapping: chosen === null ? null : mappingOf(chosen), timeZone });
  if (!read.ok) return read;
  const { content } = read;
  const id = newId();
  const importer = { own, chosen };
  if (dryRun) {
    const plan = await db.read((q) => planImport(q, content, id, importer));
    return { ok: true, is: 'planned', id: null, format: content.format, plan };
  }
  return await db.write(async (tx) => {
    const repeated = await fileByHash(tx.q, hash);
    if (repeated !== null) return repetition(repeated, actor, kind);
    const plan = await planImport(tx.q, content, id, importer);
    if (plan.mistakes.length > 0) return refusedInput(...plan.mistakes);
    await store(tx, actor, { id, hash, sent, content, plan });
    return { ok: true, is: 'stored', id, format: content.format, plan };
  });
}

/** Those who may not see the earlier file learn only that there is one. */
function repetition(file: MoneyFileRow, { caller }: Actor, kind: FileKind): Imported | RefusedInput {
  const own = ownRows(caller);
  const isOwn = file.siteId === null ? sitesOf(own) === null : seesSite(own, file.siteId);
  if (isOwn && file.kind === kind) return { ok: true, is: 'repeated', file };
  return refusedInput(mistake('file-account-sites', [], { reference: '-' }));
}

async function store(
  tx: Tx,
  actor: Actor,
  {
    id,
    hash,
    sent,
    content,
    plan,
  }: {
    id: string;
    hash: string;
    sent: SentFile;
    content: FileContent;
    plan: ImportPlan;
  },
): Promise<void> {
  const file: MoneyFileRow = {
    id,
    kind: sent.kind,
    hash,
    name: sent.name,
    format: content.format,
    bytes: sent.bytes.length,
    rows: plan.rows.length + plan.entries.length,
    siteId: plan.siteId,
    warnings: plan.warnings,
    importedBy: callerName(actor.caller),
    importedAt: actor.at,
    usedBy: null,
  };
  await tx.q.insert(moneyFileTable).values(file);
  await insertRows(tx.q, settlementBatchTable, plan.batches);
  await insertRows(tx.q, settlementRowTable, plan.rows);
  await insertRows(tx.q, bankStatementTable, plan.statements);
  await insertRows(tx.q, bankEntryTable, plan.entries);
  await matchStored(tx.q, plan);
  await auditFile(tx, actor, 'money-file.import', null, file);
}

/** What came in may be what earlier files waited for. */
async function matchStored(q: Queries, { batches, entries }: ImportPlan): Promise<void> {
  const days = [...entries.map(({ bookedOn }) => bookedOn), ...batches.flatMap(({ paidOn }) => paidOn ?? [])];
  await storeMatches(q, await matchOpenEntries(q, [], days));
}

/** Deletes a file with all its rows, unless a closed day counts with it. */
export async function deleteFile(
  db: Db,
  actor: Actor,
  kind: MoneyFileRow['kind'],
  id: string,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await findFile(tx.q, kind, id);
    if (before === null) return NOT_FOUND;
    if (before.usedBy !== null) return refusedInput(mistake('file-in-use'));
    await deleteFileRows(tx.q, id);
    await auditFile(tx, actor, 'money-file.delete', before, null);
    return { ok: true };
  });
}
