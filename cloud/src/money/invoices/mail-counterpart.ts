import { formatMoney } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type Mail, queueMail } from '../../people/mail/queue-mail.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { and, eq, isNotNull, ne } from '../../platform/db/sql.ts';
import { mailTable as t } from '../../records/mail/mail-table.ts';
import { documentKind } from './document-kind.ts';
import { invoiceById } from './find-invoice.ts';
import { greeted, sellerLines } from './invoice-mail.ts';
import { type Seller, snapshotsOf } from './invoice-snapshot.ts';
import { INVOICE_WORDS } from './invoice-words.ts';
import type { IssuedInvoice } from './issue-invoice.ts';

type Recipient = Pick<Mail, 'to' | 'company'>;

/**
 * Sends what takes a document back to whom that was mailed: a customer who gets invoices by mail, and companies with the
 * receipt of a card payment for their books.
 */
export async function mailCounterpart(tx: Tx, issued: IssuedInvoice, at: UtcTime): Promise<void> {
  const recipients = await recipientsOf(tx.q, issued);
  if (recipients.length === 0 || issued.creditOf === null) return;
  const { sellers } = await snapshotsOf(tx.q, [{ sellerId: issued.sellerId }]);
  const before = await invoiceById(tx.q, issued.creditOf);
  const mail = counterpartMail(issued, before?.number ?? null, [...sellers.values()]);
  for (const recipient of recipients) await queueMail(tx, { ...mail, ...recipient }, at);
}

async function recipientsOf(q: Queries, issued: IssuedInvoice): Promise<Recipient[]> {
  const { paymentType, email, creditOf, visitId } = issued;
  if (creditOf === null) return [];
  if (paymentType.endsWith('-invoice')) return email === null ? [] : [{ to: email }];
  if (visitId === null) return [];
  const mailed = await q
    .select({ to: t.to, company: t.company })
    .from(t)
    .where(
      and(eq(t.visitId, visitId), eq(t.invoiceId, creditOf), isNotNull(t.company), ne(t.status, 'failed')),
    );
  const once = new Map(mailed.map((one) => [`${one.to} ${one.company?.ssn}`, one]));
  return [...once.values()].flatMap(({ to, company }) => (company === null ? [] : [{ to, company }]));
}

function counterpartMail(
  issued: IssuedInvoice,
  takenBack: number | null,
  sellers: readonly Seller[],
): Omit<Mail, 'to'> {
  const { id, number, language, currency, amountMinor, payerName, visitId, paymentType } = issued;
  const words = INVOICE_WORDS[language];
  const isNote = documentKind(issued) === 'credit-note';
  const name = isNote ? words.creditNote({ number }) : words.subject({ number });
  const amount = formatMoney({ amountMinor, currency }, language);
  const text = [
    words.greeting({ name: greeted(payerName, language) }),
    '',
    `${name}: ${amount}`,
    ...(takenBack === null ? [] : [`${words.takesBack}: ${words.documentNumber({ number: takenBack })}`]),
    ...sellerLines(sellers, language),
    '',
  ].join('\n');
  return {
    language,
    subject: `${name} – ${amount}`,
    text,
    kind: paymentType.endsWith('-invoice') ? 'invoice' : 'receipt',
    invoiceId: id,
    ...(visitId !== null && { visitId }),
  };
}
