import type { Language } from '@hlid/protocol/base/language';
import type { Mail } from '../../people/mail/queue-mail.ts';
import { type StayFacts, stayFactsText, subjectOf } from '../stay-facts-text.ts';
import type { DisputeAnswer } from './dispute-view.ts';
import { DISPUTE_MAIL_WORDS } from './dispute-words.ts';

/** What a dispute was about, as its mail names it. */
export type DisputedThing = { stay: StayFacts } | { invoiceNumber: number | null };

/** The answer to a dispute, for the person who contests. */
export function answerMail(
  { email, language }: { email: string; language: Language },
  about: DisputedThing,
  { outcome, answer, void: voided }: DisputeAnswer,
): Mail {
  const words = DISPUTE_MAIL_WORDS[language];
  const lines = [words.greeting, '', words[outcome], ...(voided ? [words.voided] : []), '', answer, ''];
  const subject = words.subject[outcome];
  if ('stay' in about) {
    return {
      to: email,
      language,
      subject: subjectOf(subject, { ...about.stay, amountMinor: null }, language),
      text: [...lines, stayFactsText(about.stay, language)].join('\n'),
      kind: 'dispute',
    };
  }
  const invoice = about.invoiceNumber === null ? [] : [words.invoice({ number: about.invoiceNumber })];
  return {
    to: email,
    language,
    subject: [subject, ...invoice].join(' – '),
    text: [...lines, ...invoice, ''].join('\n'),
    kind: 'dispute',
  };
}
