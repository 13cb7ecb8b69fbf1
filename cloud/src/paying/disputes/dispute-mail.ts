import type { Language } from '@hlid/protocol/base/language';
import type { Mail } from '../../people/mail/queue-mail.ts';
import { type StayFacts, stayFactsText, subjectOf } from '../stay-facts-text.ts';
import type { DisputeAnswer } from './dispute-view.ts';

interface Words {
  greeting: string;
  subject: Record<DisputeAnswer['outcome'], string>;
  upheld: string;
  voided: string;
  rejected: string;
  invoice: (number: number) => string;
}

const WORDS: Record<Language, Words> = {
  is: {
    greeting: 'Góðan dag.',
    subject: { upheld: 'Fallist á andmælin', rejected: 'Svar við andmælum' },
    upheld: 'Við höfum skoðað andmælin og föllumst á þau.',
    voided: 'Ekkert þarf að greiða fyrir dvölina.',
    rejected: 'Við höfum skoðað andmælin og getum ekki fallist á þau. Upphæðin stendur.',
    invoice: (number) => `Reikningur nr. ${number}`,
  },
  en: {
    greeting: 'Hello,',
    subject: { upheld: 'Your objection was upheld', rejected: 'Answer to your objection' },
    upheld: 'We have looked at your objection, and you are right.',
    voided: 'There is nothing to pay for the stay.',
    rejected: 'We have looked at your objection and cannot uphold it. The amount stands.',
    invoice: (number) => `Invoice no. ${number}`,
  },
  pl: {
    greeting: 'Dzień dobry,',
    subject: { upheld: 'Uznaliśmy reklamację', rejected: 'Odpowiedź na reklamację' },
    upheld: 'Sprawdziliśmy reklamację i ją uznajemy.',
    voided: 'Za ten postój nic nie trzeba płacić.',
    rejected: 'Sprawdziliśmy reklamację i nie możemy jej uznać. Kwota pozostaje bez zmian.',
    invoice: (number) => `Faktura nr ${number}`,
  },
  de: {
    greeting: 'Guten Tag,',
    subject: { upheld: 'Ihr Einspruch ist berechtigt', rejected: 'Antwort auf Ihren Einspruch' },
    upheld: 'Wir haben Ihren Einspruch geprüft und geben Ihnen recht.',
    voided: 'Für den Aufenthalt ist nichts zu zahlen.',
    rejected: 'Wir haben Ihren Einspruch geprüft und können ihm nicht folgen. Der Betrag bleibt bestehen.',
    invoice: (number) => `Rechnung Nr. ${number}`,
  },
  fr: {
    greeting: 'Bonjour,',
    subject: { upheld: 'Contestation acceptée', rejected: 'Réponse à votre contestation' },
    upheld: 'Nous avons examiné votre contestation et vous donnons raison.',
    voided: 'Il n’y a rien à payer pour ce stationnement.',
    rejected: 'Nous avons examiné votre contestation et ne pouvons pas l’accepter. Le montant reste dû.',
    invoice: (number) => `Facture n° ${number}`,
  },
  es: {
    greeting: 'Buenos días:',
    subject: { upheld: 'Reclamación aceptada', rejected: 'Respuesta a su reclamación' },
    upheld: 'Hemos revisado su reclamación y tiene razón.',
    voided: 'No hay nada que pagar por la estancia.',
    rejected: 'Hemos revisado su reclamación y no podemos aceptarla. El importe se mantiene.',
    invoice: (number) => `Factura n.º ${number}`,
  },
  da: {
    greeting: 'Goddag,',
    subject: { upheld: 'Du har fået medhold', rejected: 'Svar på din indsigelse' },
    upheld: 'Vi har set på din indsigelse og giver dig medhold.',
    voided: 'Der er ikke noget at betale for parkeringen.',
    rejected: 'Vi har set på din indsigelse og kan ikke give dig medhold. Beløbet står fast.',
    invoice: (number) => `Faktura nr. ${number}`,
  },
};

/** What a dispute was about, as its mail names it. */
export type DisputedThing = { stay: StayFacts } | { invoiceNumber: number | null };

/** The answer to a dispute, for the person who contests. */
export function answerMail(
  { email, language }: { email: string; language: Language },
  about: DisputedThing,
  { outcome, answer, void: voided }: DisputeAnswer,
): Mail {
  const words = WORDS[language];
  const lines = [words.greeting, '', words[outcome], ...(voided ? [words.voided] : []), '', answer, ''];
  const subject = words.subject[outcome];
  if ('stay' in about) {
    return {
      to: email,
      subject: subjectOf(subject, { ...about.stay, amountMinor: null }, language),
      text: [...lines, stayFactsText(about.stay, language)].join('\n'),
      kind: 'dispute',
    };
  }
  const invoice = about.invoiceNumber === null ? [] : [words.invoice(about.invoiceNumber)];
  return {
    to: email,
    subject: [subject, ...invoice].join(' – '),
    text: [...lines, ...invoice, ''].join('\n'),
    kind: 'dispute',
  };
}
