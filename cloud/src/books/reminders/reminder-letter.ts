import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import type { ReminderStep } from '@hlid/protocol/records/collection-law';
import { dayText, greeted, howToPay, sellerLines } from '../../money/invoices/invoice-mail.ts';
import type { Seller } from '../../money/invoices/invoice-snapshot.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { INVOICE_WORDS } from '../../money/invoices/invoice-words.ts';
import type { ReminderRow } from '../../records/books/reminder-table.ts';
import { REMINDER_EN } from './words/en.ts';
import { REMINDER_IS } from './words/is.ts';

const WORDS = textsByLanguage<OfficeLanguage, typeof REMINDER_EN>({ is: REMINDER_IS, en: REMINDER_EN });

/** What a letter is written from. */
export interface LetterParts {
  invoice: InvoiceRow;
  reminder: Pick<ReminderRow, 'step' | 'openMinor' | 'chargeMinor'>;
  /** The day on which the warning was delivered; null: this is the warning. */
  warnedOn: string | null;
  /** Whole days until the next step. */
  days: number;
  /** Whether no other letter follows. */
  isLast: boolean;
  sellers: readonly Seller[];
  /** The address at which the invoice is paid by card; null: none. */
  payAt: string | null;
}

/** A reminder for its reader, the same by mail and on paper. */
export function reminderLetter(parts: LetterParts): { subject: string; text: string } {
  const { invoice, reminder, sellers, payAt } = parts;
  const { language, currency, number, dueOn } = invoice;
  const words = WORDS[language];
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const amount = money(reminder.openMinor);
  const known = { number: number ?? '–' };
  const text = [
    INVOICE_WORDS[language].greeting({ name: greeted(invoice.payerName, language) }),
    '',
    words.overdue({ ...known, day: dueOn === null ? '–' : dayText(dueOn, language), amount }),
    stepText(parts),
    '',
    reminder.chargeMinor === 0 ? words.noCharge : words.charge({ amount: money(reminder.chargeMinor) }),
    words.contest,
    words.paid,
    '',
    ...howToPay({ number: number ?? 0, language, dueOn: null }, sellers, payAt),
    ...sellerLines(sellers, language),
    '',
  ].join('\n');
  const subject = subjectOf(reminder.step, words);
  return { subject: subject({ ...known, amount }), text };
}

function subjectOf(step: ReminderStep, words: (typeof WORDS)['en']) {
  return step === 'warning' ? words.warningSubject : words.letterSubject;
}

function stepText({ invoice: { language }, warnedOn, days, isLast }: LetterParts): string {
  const words = WORDS[language];
  if (warnedOn === null) return words.warning({ days });
  const day = dayText(warnedOn, language);
  return isLast ? words.lastLetter({ day }) : words.letter({ day, days });
}
