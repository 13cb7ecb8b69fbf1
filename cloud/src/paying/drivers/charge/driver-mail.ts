import type { Language } from '@hlid/protocol/base/language';
import { LINK_SECRET } from '../../../people/auth/recovery-links.ts';
import type { Mail } from '../../../people/mail/queue-mail.ts';
import { type StayFacts, stayFactsText, subjectOf } from '../../stay-facts-text.ts';
import { DRIVER_MAIL_WORDS } from './driver-mail-words.ts';

interface Recipient {
  email: string;
  language: Language;
}

/** The link by which a driver logs in. @param page its address, without what is behind `#` */
export function linkMail({ email, language }: Recipient, page: string): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].link;
  const link = `${page}#${LINK_SECRET}`;
  return { to: email, language, subject, text: text({ link }), kind: 'driver-link', driverLink: language };
}

/** A stay with a payment that failed: the mail explains how to pay by hand. */
export interface UnpaidStay {
  stay: StayFacts;
  /** The address of the page on which it is paid. */
  payAt: string;
}

export function declinedMail({ email, language }: Recipient, { stay, payAt }: UnpaidStay): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].declined;
  return stayMail({ email, language }, stay, { subject, text: text({ plate: stay.plate ?? '', payAt }) });
}

/**
 * A mail about an automatic charge that was not made, though the bank did not decline the card. @param
 * about.page the driver's, with the limits
 */
export function refusedMail(
  { email, language }: Recipient,
  kind: 'limit' | 'doubt' | 'card',
  { stay, payAt, page }: UnpaidStay & { page: string },
): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language][kind];
  return stayMail({ email, language }, stay, {
    subject,
    text: text({ plate: stay.plate ?? '', payAt, page }),
  });
}

function stayMail(
  { email, language }: Recipient,
  stay: StayFacts,
  { subject, text }: { subject: string; text: string },
): Mail {
  return {
    to: email,
    language,
    subject: subjectOf(subject, stay, language),
    text: `${text}\n${stayFactsText(stay, language)}`,
    kind: 'driver',
  };
}

/** Another driver claims a vehicle, and does not get it. @param page the driver's, where the vehicle can be removed */
export function claimedMail({ email, language }: Recipient, plate: string, page: string): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].claimed;
  return {
    to: email,
    language,
    subject: `${subject} – ${plate}`,
    text: text({ plate, page }),
    kind: 'driver',
  };
}

/** Another driver has proved that a vehicle is theirs. */
export function movedMail({ email, language }: Recipient, plate: string): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].moved;
  return { to: email, language, subject: `${subject} – ${plate}`, text: text({ plate }), kind: 'driver' };
}

/** The register of vehicles names another person now. */
export function notRegisteredMail({ email, language }: Recipient, plate: string): Mail {
  const { moved, notRegistered } = DRIVER_MAIL_WORDS[language];
  return {
    to: email,
    language,
    subject: `${moved.subject} – ${plate}`,
    text: notRegistered.text({ plate }),
    kind: 'driver',
  };
}

/** The electronic identity of a driver was connected with another account. @param page where to connect it again */
export function identityMovedMail({ email, language }: Recipient, page: string): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].identityMoved;
  return { to: email, language, subject, text: `${text}\n${page}\n`, kind: 'driver' };
}
