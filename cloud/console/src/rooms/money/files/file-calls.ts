import type { moneyAccountRoutes } from '@hlid/cloud/books/accounts/account-routes';
import type { bankStatementRoutes, settlementFileRoutes } from '@hlid/cloud/books/imports/file-routes';
import type { csvSampleRoutes } from '@hlid/cloud/books/imports/sample-routes';
import type { FileKind } from '@hlid/protocol/base/books-files';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../../calls/api.ts';
import { roomWords } from '../../../words/words.ts';

export const FILE = roomWords('money').moneyFiles;

export const accountApi = apiOf<typeof moneyAccountRoutes>();
export const sampleApi = apiOf<typeof csvSampleRoutes>(LONG_TIMEOUT_MS);
export const settlementApi = apiOf<typeof settlementFileRoutes>(LONG_TIMEOUT_MS);
export const bankApi = apiOf<typeof bankStatementRoutes>(LONG_TIMEOUT_MS);

/** A file to be read, or to be stored. `n` tells it from others of the same name. */
export interface SentFile {
  kind: FileKind;
  file: File;
  account: string | null;
  isDry: boolean;
  n: number;
}

/** Sends the file unchanged: the cloud reads it, and reports what it holds. */
export async function sendFile({ kind, file, account, isDry }: SentFile, headers: Record<string, string>) {
  const query = {
    name: file.name,
    ...(account !== null && { account }),
    ...(isDry && { dryRun: 'true' as const }),
  };
  const init = { body: file, headers: { ...headers, 'Content-Type': 'application/octet-stream' } };
  return kind === 'settlement'
    ? { kind, report: await read(settlementApi['settlement-files'].$post({ query }, { init })) }
    : { kind, report: await read(bankApi['bank-statements'].$post({ query }, { init })) };
}
export type FileReport = Awaited<ReturnType<typeof sendFile>>;
export type Batch = Extract<FileReport, { kind: 'settlement' }>['report']['batches'][number];
export type SettlementRow = Extract<FileReport, { kind: 'settlement' }>['report']['firstRows'][number];
export type Statement = Extract<FileReport, { kind: 'bank' }>['report']['statements'][number];
export type BankEntry = Extract<FileReport, { kind: 'bank' }>['report']['firstRows'][number];

export async function readFiles(kind: FileKind, query: { siteId?: string; next?: string }) {
  return kind === 'settlement'
    ? await read(settlementApi['settlement-files'].$get({ query }))
    : await read(bankApi['bank-statements'].$get({ query }));
}

export async function readAccounts() {
  return await read(accountApi['money-accounts'].$get({ query: {} }));
}

/** The queries that an import makes stale. */
export const FILE_QUERIES = [['money-files'], ['money-accounts']] as const;
