import { formatMoney } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { type Mail, queueMail } from '../../people/mail/queue-mail.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { DisputeRow } from '../../records/disputes/dispute-table.ts';
import { siteName } from '../../records/sites/find-sites.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { localTime } from '../receipts/local-words.ts';
import { type StayFacts, stayFactsText, subjectOf } from '../stay-facts-text.ts';
import type { DisputeLink } from './dispute-links.ts';
import { DISPUTE_MAIL_WORDS } from './dispute-words.ts';

type Words = (typeof DISPUTE_MAIL_WORDS)['en'];

/** What a dispute was about, as its mail names it. */
type DisputedThing = { stay: StayFacts } | { invoiceNumber: number | null };

interface Letter {
  subject: string;
  lines: readonly string[];
}

/** The answer to a dispute, for the person who contests; null: it is not mailed. */
export async function answerMail(
  q: Queries,
  dispute: DisputeRow,
  visit: VisitRow | null,
  link: DisputeLink | null,
): Promise<Mail | null> {
  const words = DISPUTE_MAIL_WORDS[dispute.language];
  const outcome = dispute.state === 'upheld' ? 'upheld' : 'rejected';
  const given = givenText(dispute, words);
  const lines = [words[outcome], ...(given === null ? [] : [given]), '', dispute.answer ?? ''];
  return await letter(q, dispute, visit, link, { subject: words.subject[outcome], lines });
}

/** The dispute has arrived: it is answered by its deadline, and nothing is added until then. */
export async function receivedMail(
  q: Queries,
  dispute: DisputeRow,
  visit: VisitRow | null,
  link: DisputeLink,
  timeZone: string,
): Promise<Mail | null> {
  const words = DISPUTE_MAIL_WORDS[dispute.language];
  const by = localTime(dispute.answerBy as UtcTime, timeZone, dispute.language);
  const lines = [words.received({ by }), '', dispute.text];
  return await letter(q, dispute, visit, link, { subject: words.subject.received, lines });
}

/** A message of the office, before the answer. */
export async function messageMail(
  q: Queries,
  dispute: DisputeRow,
  visit: VisitRow | null,
  link: DisputeLink | null,
  text: string,
): Promise<Mail | null> {
  const words = DISPUTE_MAIL_WORDS[dispute.language];
  return await letter(q, dispute, visit, link, { subject: words.subject.message, lines: [text] });
}

export async function queueDisputeMail(
  tx: Tx,
  mail: Mail,
  visit: Pick<VisitRow, 'id'> | null,
  at: UtcTime,
): Promise<void> {
  await queueMail(tx, visit === null ? mail : { ...mail, visitId: visit.id }, at);
}

/** How the money follows the answer, in words. */
function givenText({ given, language }: DisputeRow, words: Words): string | null {
  if (given === null) return null;
  const amount = formatMoney(given, language);
  switch (given.way) {
    case 'void':
      return words.voided;
    case 'waive':
      return words.waived({ amount });
    case 'refund':
      return words.refunded({ amount });
    case 'credit':
      return words.credited({ amount });
    default:
      return given.way satisfies never;
  }
}

async function letter(
  q: Queries,
  dispute: DisputeRow,
  visit: VisitRow | null,
  link: DisputeLink | null,
  { subject, lines }: Letter,
): Promise<Mail | null> {
  const { email: to, language } = dispute;
  if (to === null) return null;
  const words = DISPUTE_MAIL_WORDS[language];
  const see = link === null ? [] : [words.see, link.url, ''];
  const body = [words.greeting, '', ...lines, '', ...see];
  const about = await thingOf(q, dispute, visit);
  if ('stay' in about) {
    return {
      to,
      language,
      subject: subjectOf(subject, { ...about.stay, amountMinor: null }, language),
      text: [...body, stayFactsText(about.stay, language)].join('\n'),
      kind: 'dispute',
    };
  }
  const invoice = about.invoiceNumber === null ? [] : [words.invoice({ number: about.invoiceNumber })];
  return {
    to,
    language,
    subject: [subject, ...invoice].join(' – '),
    text: [...body, ...invoice, ''].join('\n'),
    kind: 'dispute',
  };
}

async function thingOf(
  q: Queries,
  { invoiceId }: DisputeRow,
  visit: VisitRow | null,
): Promise<DisputedThing> {
  if (visit !== null) return { stay: await stayFacts(q, visit) };
  const invoice = invoiceId === null ? null : await findInvoice(q, invoiceId, ALL_ROWS);
  return { invoiceNumber: invoice?.number ?? null };
}

async function stayFacts(q: Queries, visit: VisitRow): Promise<StayFacts> {
  const { timeZone, currency } = await siteOfVisit(q, visit);
  const { plate, startedAt, endedAt, status, amountMinor } = visit;
  return {
    plate,
    siteName: await siteName(q, visit.siteId),
    timeZone,
    startedAt,
    endedAt,
    // Nothing is due of what is settled.
    amountMinor: status === 'completed' ? null : amountMinor,
    currency: visit.currency ?? currency,
  };
}
