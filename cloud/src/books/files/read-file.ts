import type { FileKind } from '@hlid/protocol/base/books-files';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { refusedInput } from '../../platform/refused.ts';
import type { ColumnMapping } from './column-mapping.ts';
import { headerOf, keyOf } from './csv-rows.ts';
import type { ReadFile } from './file-content.ts';
import { textOfFile } from './file-text.ts';
import { ADYEN_COLUMNS, readAdyen } from './settlement/read-adyen.ts';
import { readMappedSettlement } from './settlement/read-mapped-settlement.ts';
import { readStripe, STRIPE_COLUMNS } from './settlement/read-stripe.ts';
import { looksLikeCamt, readCamt } from './statement/read-camt.ts';
import { readIobws } from './statement/read-iobws.ts';
import { readMappedStatement } from './statement/read-mapped-statement.ts';

/** Which page of the console and which route takes the other kind. */
const OTHER_PLACE: Readonly<Record<FileKind, string>> = {
  settlement: 'POST /bank-statements',
  bank: 'POST /settlement-files',
};

/**
 * Reads a file of a provider or a bank. Its format shows in the file; without one, it is read by the mapping.
 *
 * @param mapping of the account that the file is of; null: there is none
 * @param timeZone of times that name none
 */
export function readBooksFile(
  bytes: Uint8Array,
  kind: FileKind,
  { mapping, timeZone }: { mapping: ColumnMapping | null; timeZone: string },
): ReadFile {
  const decoded = textOfFile(bytes, mapping?.encoding);
  if (!decoded.ok) return decoded;
  const { text } = decoded;
  if (looksLikeCamt(text)) return ifOf(kind, 'bank', 'camt.053', () => readCamt(text));
  if (/^\ufeff?\s*</.test(text)) return refusedInput(otherFormat(kind));
  if (/^\ufeff?\s*\{/.test(text)) return ifOf(kind, 'bank', 'IOBWS', () => readIobws(text));
  const header = headerOf(text, ',');
  const has = (columns: readonly string[]) => columns.every((column) => header.has(keyOf(column)));
  if (has([ADYEN_COLUMNS.reference, ADYEN_COLUMNS.netDebit, ADYEN_COLUMNS.batch])) {
    return ifOf(kind, 'settlement', 'Adyen', () => readAdyen(text));
  }
  if (has(STRIPE_COLUMNS.slice(0, 2)))
    return ifOf(kind, 'settlement', 'Stripe', () => readStripe(text, timeZone));
  if (mapping === null) return refusedInput(otherFormat(kind));
  if (mapping.kind !== kind) {
    return refusedInput(mistake('file-other-kind', [], { format: 'CSV', place: OTHER_PLACE[kind] }));
  }
  return mapping.kind === 'settlement'
    ? readMappedSettlement(text, mapping)
    : readMappedStatement(text, mapping);
}

function ifOf(kind: FileKind, own: FileKind, format: string, read: () => ReadFile): ReadFile {
  return kind === own
    ? read()
    : refusedInput(mistake('file-other-kind', [], { format, place: OTHER_PLACE[kind] }));
}

function otherFormat(kind: FileKind): Mistake {
  const formats =
    kind === 'bank'
      ? 'camt.053, IOBWS, CSV (account with a mapping)'
      : 'Adyen settlement detail, Stripe payout reconciliation, CSV (account with a mapping)';
  return mistake('file-format', [], { formats });
}
