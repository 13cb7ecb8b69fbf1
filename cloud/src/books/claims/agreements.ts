import type { Queries } from '../../platform/db/db.ts';
import { asc, eq } from '../../platform/db/sql.ts';
import { type BankAgreementRow, bankAgreementTable as t } from '../../records/books/claim-table.ts';

/** There are few. */
export async function listAgreements(q: Queries): Promise<BankAgreementRow[]> {
  return await q.select().from(t).orderBy(asc(t.bankId));
}

export async function findAgreement(q: Queries, bankId: string): Promise<BankAgreementRow | null> {
  return (await q.select().from(t).where(eq(t.bankId, bankId)).get()) ?? null;
}

/** The agreement by which claims of a company are collected; why there is none. */
export type ChosenAgreement =
  | { ok: true; agreement: BankAgreementRow }
  | { ok: false; why: 'no-banks' | 'claim-for-another' };

/**
 * Chooses the company's own agreement, or else one with the licence to collect for others: collecting for another legal
 * entity, even of one group, needs one (act 95/2008).
 */
export function chooseAgreement(
  agreements: readonly BankAgreementRow[],
  claimantId: string,
): ChosenAgreement {
  const own = agreements.find(({ ownerId }) => ownerId === claimantId);
  const agreement = own ?? agreements.find(({ licence }) => licence !== null);
  if (agreement !== undefined) return { ok: true, agreement };
  return { ok: false, why: agreements.length === 0 ? 'no-banks' : 'claim-for-another' };
}
