import { BANK_FIELDS, type FileKind, SETTLEMENT_FIELDS } from '@hlid/protocol/base/books-files';
import { read, readTagged } from '../../../calls/api.ts';
import { accountApi, sampleApi } from './file-calls.ts';

export async function readAccount(id: string) {
  return await readTagged(accountApi['money-accounts'][':id'].$get({ param: { id } }));
}
export type Account = Awaited<ReturnType<typeof readAccount>>['body'];
export type Mapping = NonNullable<Account['mapping']>;
type Put = Parameters<(typeof accountApi)['money-accounts'][':id']['$put']>[0];
export type SentMapping = NonNullable<Put['json']['mapping']>;

/** Sends the file unchanged: the cloud proposes how it is read. */
export async function sendSample(
  { kind, file }: { kind: FileKind; file: File },
  headers: Record<string, string>,
) {
  const init = { body: file, headers: { ...headers, 'Content-Type': 'application/octet-stream' } };
  return await read(sampleApi['csv-samples'].$post({ query: { kind } }, { init }));
}
export type Sample = Awaited<ReturnType<typeof sendSample>>;

/** The fields that a column of a file may be. */
export const MAPPING_FIELDS = { settlement: SETTLEMENT_FIELDS, bank: BANK_FIELDS } as const;
type MappingField = (typeof MAPPING_FIELDS)[FileKind][number];

type Format = Pick<Sample, 'delimiter' | 'encoding' | 'decimal' | 'thousands' | 'dateFormat' | 'skipLines'>;

/** The mapping as its form has it. */
export interface MappingDraft extends Format {
  currency: string;
  columns: { [Field in MappingField]?: string | undefined };
  kinds: Sample['kinds'];
  signs: Sample['signs'];
  fees: Sample['fees'];
}

/** Starts from what is stored, as far as the file has its columns, or from what is proposed. */
export function draftOfMapping(sample: Sample, stored: Mapping | null): MappingDraft {
  const { found: _found, columns, ...proposed } = sample;
  const start: MappingDraft = { ...proposed, columns, currency: stored?.currency ?? 'ISK' };
  if (stored === null) return start;
  const names = new Set(sample.found.map(({ name }) => name.toLowerCase()));
  const fits = Object.values(stored.columns).every((name) => names.has(name?.toLowerCase() ?? ''));
  return fits ? { ...start, ...stored, currency: stored.currency ?? '' } : start;
}

/** The mapping as the cloud stores it. */
export function mappingOfDraft(kind: FileKind, draft: MappingDraft, timeZone: string): SentMapping {
  const { columns, kinds, signs, fees, delimiter, encoding, decimal, thousands, dateFormat, skipLines } =
    draft;
  const currency = draft.currency.trim() === '' ? null : draft.currency.trim().toUpperCase();
  const format = { delimiter, encoding, decimal, thousands, dateFormat, skipLines, currency, timeZone };
  return kind === 'bank'
    ? { kind, ...format, columns: chosen(columns, MAPPING_FIELDS.bank) }
    : { kind, ...format, columns: chosen(columns, MAPPING_FIELDS.settlement), kinds, signs, fees };
}

function chosen<Field extends MappingField>(
  columns: MappingDraft['columns'],
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const own: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const column = columns[field];
    if (column !== undefined && column !== '') own[field] = column;
  }
  return own;
}
