import type { Language } from '@hlid/protocol/language';
import { LINK_SECRET } from '../../auth/recovery-links.ts';
import type { Mail } from '../../mail/queue-mail.ts';
import { DRIVER_MAIL_WORDS } from './driver-mail-words.ts';

interface Recipient {
  email: string;
  language: Language;
}

/** The link by which a driver logs in. @param page its address, without what is behind `#` */
export function linkMail({ email, language }: Recipient, page: string): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].link;
  const link = `${page}#${LINK_SECRET}`;
  return { to: email, subject, text: text(link), kind: 'driver-link', driverLink: language };
}

export function declinedMail(
  { email, language }: Recipient,
  { plate, payAt }: { plate: string; payAt: string },
): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].declined;
  return { to: email, subject, text: text(plate, payAt), kind: 'driver' };
}

/** Nothing was charged automatically, though nobody declined the card. @param about.page the driver's, with the limits */
export function refusedMail(
  { email, language }: Recipient,
  kind: 'limit' | 'doubt' | 'card',
  { plate, payAt, page }: { plate: string; payAt: string; page: string },
): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language][kind];
  return { to: email, subject, text: text(plate, payAt, page), kind: 'driver' };
}

/** Another driver claims a vehicle, and does not get it. @param page the driver's, where the vehicle can be removed */
export function claimedMail({ email, language }: Recipient, plate: string, page: string): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].claimed;
  return { to: email, subject, text: text(plate, page), kind: 'driver' };
}

/** Another driver has proved that a vehicle is theirs. */
export function movedMail({ email, language }: Recipient, plate: string): Mail {
  const { subject, text } = DRIVER_MAIL_WORDS[language].moved;
  return { to: email, subject, text: text(plate), kind: 'driver' };
}

/** The register of vehicles names somebody else now. */
export function notRegisteredMail({ email, language }: Recipient, plate: string): Mail {
  const { moved, notRegistered } = DRIVER_MAIL_WORDS[language];
  return { to: email, subject: moved.subject, text: notRegistered.text(plate), kind: 'driver' };
}

/** The electronic identity of a driver was connected with another account. */
export function identityMovedMail({ email, language }: Recipient): Mail {
  return { to: email, ...DRIVER_MAIL_WORDS[language].identityMoved, kind: 'driver' };
}
