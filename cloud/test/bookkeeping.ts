import { BOOK_ROLES } from '@hlid/protocol/base/book-roles';
import { parse } from 'csv-parse/sync';
import type { TestApi } from './api.ts';

/** An account for each role: `1000` and up, in their order. */
export const ACCOUNTS = Object.fromEntries(
  BOOK_ROLES.map((role, n) => [role, String(1000 + 10 * n)] as const),
);

/** Sets an account for each role, and what DATEV needs. */
export async function setAccounts(api: TestApi, given: { vatCode?: string } = {}): Promise<void> {
  const lines = BOOK_ROLES.map((role) => ({
    role,
    detail: null,
    account: ACCOUNTS[role] ?? '',
    vatCode: role === 'income' ? (given.vatCode ?? null) : null,
  }));
  const datev = { consultant: 29_098, client: 55_003, accountDigits: 4, fiscalYearMonth: 1 };
  const { status } = await api.call('PUT', '/bookkeeping-accounts', { body: { lines, datev } });
  if (status !== 303) throw new Error(`accounts were not set: ${status}`);
}

/** A file of the books, as its bytes. */
export async function booksFile(api: TestApi, path: string, token = api.operator) {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/csv' };
  const response = await api.app.request(path, { headers });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** The rows of the CSV. */
export function booksRows(bytes: Buffer): Record<string, string>[] {
  return parse(bytes, { columns: true, bom: true, delimiter: ',' });
}
