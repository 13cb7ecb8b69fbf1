import type { BookRole } from '../../book-roles.ts';

/** What accounts of the bookkeeping are for. */
export const BOOK_ROLES_EN: Record<BookRole, string> = {
  income: 'Income from stays',
  'fee-income': 'Income from fees',
  'prepaid-income': 'Income from prepaid units',
  vat: 'VAT payable',
  tips: 'Tips',
  'card-clearing': 'Clearing of card payments',
  received: 'Received by a person',
  receivables: 'Receivables',
  refunds: 'Refunds by hand',
  'provider-balance': 'Balance with the provider',
  'provider-fees': 'Fees of the provider',
  'provider-adjustments': 'Adjustments of the provider',
  'claim-discount': 'Discounts of claims',
  'claim-extra': 'Interest and costs of claims',
  bank: 'Bank account',
  rounding: 'Rounding',
};

/** Refusals of a file of a provider or a bank. Warnings of a file that is read use the same words. */
export const BOOKS_EN = {
  'file-empty': 'The file is empty.',
  'file-not-text': 'The file is {format} and not text. Export it as CSV or XML.',
  'file-encoding':
    'Line {line} is not {encoding}. Export the file again, or set the encoding of the account.',
  'file-cut': 'The file cannot be read: {detail}',
  'file-format': 'The file is none of the formats that are read: {formats}.',
  'file-other-kind': 'This is {format}, which belongs to {place}.',
  'file-columns': ({ columns }: { columns: readonly string[] }) =>
    `The file lacks the columns: ${columns.join(', ')}.`,
  'file-column-twice': 'The column {column} occurs twice.',
  'file-rows': 'A file has at most {max} rows.',
  'file-no-rows': 'The file has no rows.',
  'file-cells':
    'Line {line} has {cells} cells, and the header {columns}: the file is cut off or has another separator.',
  'file-cell': 'Line {line}, column {column}: "{value}" is no {wanted}.',
  'file-element': 'At {place} the file has: {detail}',
  'file-member': 'The file lacks {place}, or it is of another kind.',
  'file-needs-account': 'The file does not name its account: choose the account.',
  'file-needs-mapping': 'The account {account} has no column mapping.',
  'file-account-unknown':
    'No account is known as {reference}. Add the account with its sites, then import the file again.',
  'file-account-other': 'The file is of account {reference}, and {account} was chosen.',
  'file-account-sites': 'The account {reference} belongs to sites that your account is not for.',
  'file-currency': 'Line {line} is in {currency}, and the account is in {expected}.',
  'batch-stored': 'Batch {batch} of account {account} is stored already, from the file {file}.',
  'batch-twice': 'Line {line}: batch {batch} has two payouts.',
  'batch-sum': 'Line {line}: the rows of batch {batch} add up to {sum}, and its payout is {payout}.',
  'batch-currency': 'Line {line}: batch {batch} has rows in {currency} and in {other}.',
  'batch-without-payout': 'Batch {batch} has no payout: {sum} is outstanding.',
  'batch-negative': 'Batch {batch} is negative by {sum}, which is carried forward.',
  'batch-failed': 'Line {line}: the payout of batch {batch} failed, and {payout} came back.',
  'row-sum': 'Line {line}: {gross} less fees of {fee} is not {net}.',
  'row-kind-unknown': 'Line {line}: "{kind}" is no kind that is known. It counts in the sum only.',
  'row-rounded': 'Batch {batch}: fractions of a {currency} were rounded, {rounding} in all.',
  'statement-stored': 'Statement {statement} of account {account} is stored already, from the file {file}.',
  'statement-sum':
    'Statement {statement}: the opening balance of {opening} and entries of {entries} make {sum}, and the closing balance is {closing}.',
  'statement-balance':
    'Line {line}: the balance before and {amount} make {sum}, and the balance is {balance}.',
  'statement-no-balance': 'Statement {statement} has no {balance} balance: its sum cannot be checked.',
  'statement-count': 'Statement {statement} names {expected} entries, and has {found}.',
  'entry-sum':
    'Statement {statement}, entry {entry}: its transactions add up to {sum}, and the entry is {amount}.',
  'entry-pending': 'Statement {statement}: {entries} entries are not booked yet, and are not stored.',
  'entries-stored': 'Statement {statement}: {entries} entries are stored already, from an earlier file.',
  'statement-overlaps': 'Statement {statement} begins on {from}, and the account is stored until {until}.',
  'statement-gap': 'Statement {statement} opens with {opening}, and the one before closed with {closing}.',
  'file-in-use': 'The file is part of a closed day, and cannot be deleted.',
  'day-not-begun': 'The day has not begun where the site is.',
  'day-close-signed': 'The close is signed, and does not change any more.',
  'day-close-early': 'The day is not over where the site is.',
  'day-close-agrees': 'The close has no differences.',
  'day-close-undecided': '{differences} differences are not decided yet.',
  'day-close-changed': 'The close has changed since you saw it. Check it again.',
  'day-close-difference': 'the close has no difference {difference}',
  'day-close-assignee': 'is no operator who may close days of this site',
  'day-close-own-task': 'Only the person who was asked can answer.',
  'money-account-there': 'an account with this reference is there already',
  'mapping-lacks': ({ fields }: { fields: readonly string[] }) => `the mapping lacks: ${fields.join(', ')}`,
  'mapping-column-twice': 'the column {column} is mapped twice',
  'mapping-not-taken': 'only an account with a mapped CSV has a mapping',
  'pays-into-bank': 'is no bank account that is known',
  'account-missing': ({ role, detail, site, link }: MissingBookAccount) =>
    `No account is set for: ${named(BOOK_ROLES_EN[role], detail, site)}. ${link}`,
  'book-account-form': 'use letters and digits, dots and dashes',
  'book-line-twice': 'this is there already',
  'training-no-file': 'These car parks are simulated: no file is made for real books.',
  'period-open': 'The period has not ended: its postings may still change.',
  'datev-not-set': 'DATEV needs the numbers of consultant and client: set them with the accounts.',
  'datev-account': 'DATEV takes accounts of digits, {digits} of them at most: {account} is none.',
  'datev-currencies': 'A file for DATEV has one currency, and the period has {currencies}: choose a site.',
  'datev-rows': 'A file for DATEV has at most {max} rows: choose a day, or a site.',
} as const;

/** What no account of the bookkeeping is set for. */
export interface MissingBookAccount {
  role: BookRole;
  detail: string | null;
  /** The name of the site; null: it is of no single site. */
  site: string | null;
  /** The page on which accounts are set. */
  link: string;
}

function named(role: string, detail: string | null, site: string | null): string {
  const exact = detail === null ? role : `${role} (${detail})`;
  return site === null ? exact : `${exact}, ${site}`;
}
