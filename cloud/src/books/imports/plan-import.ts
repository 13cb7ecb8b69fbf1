import { newId } from '@hlid/node/new-id';
import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gte, lte } from '../../platform/db/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import type { MoneyAccountRow } from '../../records/books/money-account-table.ts';
import {
  type BankEntryRow,
  type BankStatementRow,
  bankEntryTable,
  bankStatementTable,
  moneyFileTable,
  type SettlementBatchRow,
  type SettlementRowRow,
  settlementBatchTable,
} from '../../records/books/money-file-table.ts';
import { accountByReference } from '../accounts/change-accounts.ts';
import { minorText } from '../files/amount-text.ts';
import type { BankStatement, FileContent, SettlementBatch } from '../files/file-content.ts';
import { bookedFor } from '../match/booked-movements.ts';
import { matchSettlement } from '../match/match-settlement.ts';
import { keyOfEntry, matchOpenEntries } from './match-stored.ts';
import { toMatchOf } from './settlement-rows.ts';

/** What an import would store. */
export interface ImportPlan {
  batches: SettlementBatchRow[];
  rows: SettlementRowRow[];
  statements: BankStatementRow[];
  entries: BankEntryRow[];
  /** Null: its accounts are of several sites. */
  siteId: string | null;
  warnings: Mistake[];
  mistakes: Mistake[];
  unknownAccounts: string[];
}

/** Who imports, and the account that was chosen; null: none was, and the file has to name it. */
export interface Importer {
  own: OwnRows;
  chosen: MoneyAccountRow | null;
}

/** What stands in the database decides about the accounts, what is stored already, and the matches. */
export async function planImport(
  q: Queries,
  content: FileContent,
  fileId: string,
  importer: Importer,
): Promise<ImportPlan> {
  const planner = new ImportPlanner(q, fileId, importer);
  if (content.kind === 'settlement') await planner.settlement(content.batches);
  else await planner.bank(content.statements);
  const { plan } = planner;
  plan.warnings.unshift(...content.warnings);
  return plan;
}

class ImportPlanner {
  readonly plan: ImportPlan = {
    batches: [],
    rows: [],
    statements: [],
    entries: [],
    siteId: null,
    warnings: [],
    mistakes: [],
    unknownAccounts: [],
  };
  readonly #q: Queries;
  readonly #fileId: string;
  readonly #importer: Importer;
  readonly #accounts = new Map<string, MoneyAccountRow | null>();

  constructor(q: Queries, fileId: string, importer: Importer) {
    this.#q = q;
    this.#fileId = fileId;
    this.#importer = importer;
  }

  async settlement(batches: readonly SettlementBatch[]): Promise<void> {
    const accounts = new Map<string, MoneyAccountRow>();
    for (const batch of batches) {
      const account = await this.#accountOf('settlement', batch.account);
      const row = batchRow(batch, this.#fileId, account?.id ?? '');
      this.plan.batches.push(row);
      if (account !== null) {
        accounts.set(row.id, account);
        await this.#refuseStoredBatch(row, account);
      }
      for (const one of batch.rows) {
        const n = this.plan.rows.length + 1;
        this.plan.rows.push({
          ...one,
          fileId: this.#fileId,
          n,
          batchId: row.id,
          terminal: withoutCards(one.terminal),
          method: withoutCards(one.method),
          paymentId: null,
          match: 'none',
        });
      }
    }
    this.#setSite();
    await this.#matchRows(accounts);
  }

  async bank(statements: readonly BankStatement[]): Promise<void> {
    for (const statement of statements) {
      const account = await this.#accountOf('bank', statement.account);
      const row: BankStatementRow = {
        id: newId(),
        fileId: this.#fileId,
        accountId: account?.id ?? '',
        reference: statement.reference,
        currency: statement.currency,
        fromDay: statement.from,
        untilDay: statement.until,
        openingMinor: statement.openingMinor,
        closingMinor: statement.closingMinor,
        entries: statement.entries.length,
      };
      this.plan.statements.push(row);
      if (account !== null) await this.#compareStatement(row, account);
      const stored = account === null ? new Set<string>() : await this.#storedEntries(account.id, statement);
      this.#addEntries(row, statement, stored);
    }
    this.#setSite();
    const days = this.plan.entries.map(({ bookedOn }) => bookedOn);
    const matches = await matchOpenEntries(this.#q, this.plan.entries, days);
    this.plan.entries = this.plan.entries.map((entry) => ({ ...entry, ...matches.get(keyOfEntry(entry)) }));
  }

  /** An unknown account, or one that the importer may not use, is a mistake once. */
  async #accountOf(kind: MoneyAccountRow['kind'], named: string | null): Promise<MoneyAccountRow | null> {
    const known = this.#accounts.get(named ?? '');
    if (known !== undefined) return known;
    const account = await this.#findAccount(kind, named);
    this.#accounts.set(named ?? '', account);
    return account;
  }

  async #findAccount(kind: MoneyAccountRow['kind'], named: string | null): Promise<MoneyAccountRow | null> {
    const { chosen, own } = this.#importer;
    const { mistakes } = this.plan;
    if (named === null) {
      if (chosen === null) mistakes.push(mistake('file-needs-account', 'account'));
      return chosen;
    }
    const found = await accountByReference(this.#q, kind, named);
    if (found === null) {
      mistakes.push(mistake('file-account-unknown', [], { reference: named }));
      this.plan.unknownAccounts.push(named);
      return null;
    }
    const isOwn = found.siteId === null ? sitesOf(own) === null : seesSite(own, found.siteId);
    if (!isOwn) {
      mistakes.push(mistake('file-account-sites', [], { reference: named }));
      return null;
    }
    if (chosen !== null && chosen.id !== found.id) {
      mistakes.push(mistake('file-account-other', [], { reference: named, account: chosen.name }));
    }
    return found;
  }

  #setSite(): void {
    const sites = new Set([...this.#accounts.values()].map((account) => account?.siteId ?? null));
    const [only] = sites;
    this.plan.siteId = sites.size === 1 ? (only ?? null) : null;
  }

  async #refuseStoredBatch(row: SettlementBatchRow, account: MoneyAccountRow): Promise<void> {
    const t = settlementBatchTable;
    const stored = await this.#q
      .select({ file: moneyFileTable.name })
      .from(t)
      .innerJoin(moneyFileTable, eq(moneyFileTable.id, t.fileId))
      .where(and(eq(t.accountId, account.id), eq(t.reference, row.reference), eq(t.currency, row.currency)))
      .get();
    if (stored === undefined) return;
    const params = { batch: row.reference, account: account.name, file: stored.file };
    this.plan.mistakes.push(mistake('batch-stored', [], params));
  }

  async #matchRows(accounts: ReadonlyMap<string, MoneyAccountRow>): Promise<void> {
    const byAccount = groupBy(this.plan.rows, ({ batchId }) => accounts.get(batchId) ?? null);
    for (const [account, rows] of byAccount) {
      const toMatch = rows.map((row) => toMatchOf(row, String(row.n).padStart(8, '0')));
      const { booked, taken } = await bookedFor(this.#q, account, toMatch);
      const matches = matchSettlement(toMatch, booked, taken);
      for (const [place, row] of rows.entries()) {
        const match = matches.get(toMatch[place]?.key ?? '');
        if (match !== undefined) Object.assign(row, match);
      }
    }
  }

  async #compareStatement(row: BankStatementRow, account: MoneyAccountRow): Promise<void> {
    const t = bankStatementTable;
    const { reference, fromDay, currency } = row;
    const same = await this.#q
      .select({ file: moneyFileTable.name })
      .from(t)
      .innerJoin(moneyFileTable, eq(moneyFileTable.id, t.fileId))
      .where(and(eq(t.accountId, account.id), eq(t.reference, reference), eq(t.fromDay, fromDay)))
      .get();
    if (same !== undefined) {
      const params = { statement: reference, account: account.name, file: same.file };
      this.plan.mistakes.push(mistake('statement-stored', [], params));
      return;
    }
    const before = await this.#q
      .select()
      .from(t)
      .where(and(eq(t.accountId, account.id), lte(t.fromDay, fromDay)))
      .orderBy(desc(t.untilDay))
      .limit(1)
      .get();
    if (before === undefined) return;
    if (before.untilDay > fromDay) {
      const params = { statement: reference, from: fromDay, until: before.untilDay };
      this.plan.warnings.push(mistake('statement-overlaps', [], params));
      return;
    }
    const { openingMinor } = row;
    if (openingMinor === null || before.closingMinor === null || before.closingMinor === openingMinor) return;
    this.plan.warnings.push(
      mistake('statement-gap', [], {
        statement: reference,
        opening: minorText(openingMinor, currency),
        closing: minorText(before.closingMinor, currency),
      }),
    );
  }

  /** The entries of earlier files with a reference, in the days of a statement. */
  async #storedEntries(accountId: string, { from, until }: BankStatement): Promise<Set<string>> {
    const t = bankEntryTable;
    const found = await this.#q
      .select({ reference: t.reference, bookedOn: t.bookedOn, amountMinor: t.amountMinor })
      .from(t)
      .where(and(eq(t.accountId, accountId), gte(t.bookedOn, from), lte(t.bookedOn, until)));
    return new Set(found.flatMap((entry) => sameEntry(entry) ?? []));
  }

  #addEntries(row: BankStatementRow, { entries }: BankStatement, known: ReadonlySet<string>): void {
    let repeated = 0;
    for (const entry of entries) {
      const same = sameEntry(entry);
      if (same !== null && known.has(same)) {
        repeated++;
        continue;
      }
      this.plan.entries.push({
        ...entry,
        counterpart: withoutCards(entry.counterpart),
        text: withoutCards(entry.text),
        endToEndId: withoutCards(entry.endToEndId),
        fileId: this.#fileId,
        n: this.plan.entries.length + 1,
        statementId: row.id,
        accountId: row.accountId,
        currency: row.currency,
        batchId: null,
        match: 'none',
      });
    }
    if (repeated === 0) return;
    const params = { statement: row.reference, entries: String(repeated) };
    this.plan.warnings.push(mistake('entries-stored', [], params));
  }
}

/** What people and banks write freely may have a card number. */
function withoutCards(text: string | null): string | null {
  return text === null ? null : hideCardNumbers(text);
}

/** What tells entries apart that overlapping files have; null: the bank names none. */
function sameEntry({
  reference,
  bookedOn,
  amountMinor,
}: Pick<BankEntryRow, 'reference' | 'bookedOn' | 'amountMinor'>): string | null {
  return reference === null ? null : JSON.stringify([reference, bookedOn, amountMinor]);
}

function batchRow(batch: SettlementBatch, fileId: string, accountId: string): SettlementBatchRow {
  const { reference, currency, state, paidOn, payoutMinor, carriedInMinor, carriedOutMinor, roundingMinor } =
    batch;
  return {
    id: newId(),
    fileId,
    accountId,
    reference,
    currency,
    state,
    paidOn,
    grossMinor: batch.rows.reduce((sum, row) => sum + row.grossMinor, 0),
    feeMinor: batch.rows.reduce((sum, row) => sum + row.feeMinor, 0),
    payoutMinor,
    carriedInMinor,
    carriedOutMinor,
    roundingMinor,
    rows: batch.rows.length,
  };
}
