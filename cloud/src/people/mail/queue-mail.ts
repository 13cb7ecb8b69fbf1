import { newId } from '@hlid/node/new-id';
import type { Language } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import type { EInvoiceBuyer } from '../../records/invoices/e-invoice-table.ts';
import { type MailKind, mailTable } from '../../records/mail/mail-table.ts';
import { documentMark } from '../../records/training/training-store.ts';

export interface Mail {
  to: string;
  /** The language of its text. */
  language: Language;
  subject: string;
  text: string;
  html?: string;
  kind: MailKind;
  visitId?: string;
  /** An invoice: its files go with the mail. */
  invoiceId?: string;
  /** A company: those files are the receipt of a card payment for its books. */
  company?: EInvoiceBuyer;
  /** A login: `LINK_SECRET` in the text stands for the secret of its recovery link. */
  recoversLoginId?: string;
  /** The recipient is a driver, and `LINK_SECRET` in the text stands for the secret of a link in this language. */
  driverLink?: Language;
}

/** Announced when there is mail to send. */
export const MAIL_WAITING = 'mail-waiting';

/** Puts mail into the queue, in the transaction that causes it: it is sent once that is durable. */
export async function queueMail(tx: Tx, mail: Mail, at: UtcTime): Promise<string> {
  const id = newId();
  const { language, ...fields } = marked(mail, await documentMark(tx.q, mail.language));
  await tx.q.insert(mailTable).values({ id, ...fields, status: 'waiting', dueAt: at, createdAt: at });
  tx.announce(MAIL_WAITING);
  return id;
}

/** A mail of training says so in its subject, and before everything else in its text. */
function marked(mail: Mail, mark: string | null): Mail {
  if (mark === null) return mail;
  const { subject, text, html } = mail;
  const inHtml = html?.replace(/^(.*<body[^>]*>)?/s, (body) => `${body}<p><strong>${mark}</strong></p>`);
  return {
    ...mail,
    subject: `[${mark}] ${subject}`,
    text: `${mark}\n\n${text}`,
    ...(inHtml !== undefined && { html: inHtml }),
  };
}

/** Puts mail about an alarm into the queue, for each of its recipients. */
export async function queueAlarmMail(
  tx: Tx,
  to: readonly string[],
  { subject, text, language }: Pick<Mail, 'subject' | 'text' | 'language'>,
  at: UtcTime,
): Promise<void> {
  for (const address of to) await queueMail(tx, { to: address, language, subject, text, kind: 'alarm' }, at);
}
