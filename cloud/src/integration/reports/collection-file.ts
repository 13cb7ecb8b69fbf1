import { REMINDER_STEPS } from '@hlid/protocol/records/collection-law';
import type { CollectedInvoice } from '../../books/reminders/make-collection-file.ts';
import type { SheetCell } from '../../platform/http/sheet-cell.ts';
import type { DeliveredNotice } from '../../records/books/collection-table.ts';
import { type FileFormat, tableFile } from './report-files.ts';

/** The columns of both files, which programs read: their names and order do not change. */
const WHO = ['creditor', 'creditor_id', 'debtor', 'debtor_id', 'invoice'] as const;
const INVOICES = [
  ...WHO,
  'issued_on',
  'due_on',
  'principal',
  'charges',
  'charge_invoices',
  'total',
  'currency',
  'interest_base',
  'interest_from',
  ...REMINDER_STEPS.flatMap((step) => {
    const name = step.replace('-', '_');
    return [`${name}_on`, `${name}_proof`];
  }),
  'link',
] as const;
const CHANGES = [
  ...WHO,
  'handed_over',
  'paid',
  'credited',
  'open',
  'currency',
  'contested_on',
  'answered_on',
  'link',
] as const;

/** The invoices of a file for a collector, one in each row, as they were handed over: the same bytes at any time. */
export function collectionFile(items: readonly CollectedInvoice[], format: FileFormat) {
  const rows = items.map(({ item }): SheetCell[] => {
    const money = moneyIn(item.currency);
    return [
      ...who(item),
      code(item.issuedOn),
      code(item.dueOn),
      money(item.openMinor),
      money(item.chargesMinor),
      code(item.charges.map(({ number }) => number ?? '–').join(' ')),
      money(item.openMinor + item.chargesMinor),
      code(item.currency),
      money(item.openMinor),
      code(item.interestFrom),
      ...REMINDER_STEPS.flatMap((step) => {
        const notice = item.notices.find((one) => one.step === step);
        return notice === undefined ? [null, null] : [code(notice.deliveredOn), proofOf(notice)];
      }),
      item.link,
    ];
  });
  return tableFile({ name: 'collection', headers: INVOICES }, rows, format);
}

/** What a collector needs to know now: the invoices that have changed since, one in each row. */
export function collectionChangesFile(items: readonly CollectedInvoice[], format: FileFormat) {
  const rows = items.flatMap(({ item, change }): SheetCell[][] => {
    if (change === null) return [];
    const money = moneyIn(item.currency);
    return [
      [
        ...who(item),
        money(item.openMinor + item.chargesMinor),
        money(change.paidMinor),
        money(change.creditedMinor),
        money(change.openMinor),
        code(item.currency),
        code(change.contestedOn),
        code(change.answeredOn),
        item.link,
      ],
    ];
  });
  return tableFile({ name: 'changes', headers: CHANGES }, rows, format);
}

function who({
  creditorName,
  creditorId,
  debtorName,
  debtorId,
  number,
}: CollectedInvoice['item']): SheetCell[] {
  return [creditorName, code(creditorId), debtorName, code(debtorId), { kind: 'count', count: number }];
}

function proofOf({ proof, reference, at }: DeliveredNotice): SheetCell {
  return code(proof === 'mail' ? `mail ${reference} accepted ${at}` : `noted by ${reference}, ${at}`);
}

function moneyIn(currency: string) {
  return (amountMinor: number): SheetCell => ({ kind: 'money', amountMinor, currency });
}

function code(text: string | null): SheetCell {
  return text === null ? null : { kind: 'code', code: text };
}
