/** What a file of the books is of: a provider of cards, or a bank. */
export const FILE_KINDS = ['settlement', 'bank'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What a column of a settlement file may be, in the order in which a person chooses them. */
export const SETTLEMENT_FIELDS = [
  'date',
  'paidOn',
  'batch',
  'kind',
  'gross',
  'fee',
  'net',
  'currency',
  'reference',
  'ownReference',
  'merchantReference',
  'authorisation',
  'terminal',
  'lastFour',
  'method',
] as const;
export type SettlementField = (typeof SETTLEMENT_FIELDS)[number];

/** What a column of a bank's file may be, in the order in which a person chooses them. */
export const BANK_FIELDS = [
  'date',
  'valueDate',
  'amount',
  'debit',
  'credit',
  'balance',
  'currency',
  'reference',
  'endToEndId',
  'counterpart',
  'text',
] as const;
export type BankField = (typeof BANK_FIELDS)[number];

/** What separates the cells of a CSV. */
export const DELIMITERS = [';', ',', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export const FILE_ENCODINGS = ['utf-8', 'windows-1252', 'iso-8859-1'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'YYYYMMDD',
] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];
