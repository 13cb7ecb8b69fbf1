import type { OfficeLanguage } from '@hlid/protocol/language';
import type { Mail } from '../mail/queue-mail.ts';

type Words = { subject: string; text: (name: string, link: string) => string };

const WORDS: Record<OfficeLanguage, Words> = {
  is: {
    subject: 'Nýtt lykilorð',
    text: (name, link) => `Góðan dag, ${name}.

Beðið var um nýtt lykilorð fyrir þetta netfang. Það er sett hér:

${link}

Hlekkurinn gildir einu sinni og í 15 mínútur. Hafir þú ekki beðið um nýtt lykilorð þarf ekkert að gera; það gamla gildir áfram.
`,
  },
  en: {
    subject: 'New password',
    text: (name, link) => `Hello ${name},

A new password was asked for this address. It is set here:

${link}

The link is good once, and for 15 minutes. If you did not ask for a new password there is nothing to do: the old one stays.
`,
  },
};

/** The mail with the link by which a forgotten password is set anew. */
export function recoveryMail(about: {
  to: string;
  name: string;
  language: OfficeLanguage;
  link: string;
}): Mail {
  const { subject, text } = WORDS[about.language];
  return { to: about.to, subject, text: text(about.name, about.link), kind: 'recover-password' };
}
