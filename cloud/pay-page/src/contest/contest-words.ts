import type { Language } from '@hlid/protocol/base/language';

interface Words {
  contest: string;
  lead: string;
  text: string;
  needsText: string;
  noCards: string;
  email: string;
  emailHint: string;
  send: string;
  cancel: string;
  open: string;
  upheld: string;
  rejected: string;
  /** It was contested before, or too often. */
  closed: string;
}

/** The words for contesting a stay. They are separate from the others because few drivers need them. */
export const CONTEST_WORDS: Record<Language, Words> = {
  is: {
    contest: 'Er eitthvað rangt? Andmæla dvölinni',
    lead: 'Skrifaðu hvað er rangt. Við skoðum það og svörum þér. Á meðan bætist ekkert við og ekkert er tekið sjálfkrafa af korti.',
    text: 'Hvað er rangt?',
    needsText: 'Skrifaðu hvað er rangt.',
    noCards: 'Ekki skrifa kortanúmer hér.',
    email: 'Netfang',
    emailHint: 'Við sendum svarið þangað.',
    send: 'Senda andmæli',
    cancel: 'Hætta við',
    open: 'Við höfum fengið andmælin og svörum þér. Á meðan bætist ekkert við.',
    upheld: 'Við höfum fallist á andmælin.',
    rejected: 'Við höfum skoðað andmælin og getum ekki fallist á þau.',
    closed: 'Dvölinni hefur þegar verið andmælt. Hringdu í okkur.',
  },
  en: {
    contest: 'Something wrong? Contest this stay',
    lead: 'Write what is wrong. We look at it and answer you. Until then nothing is added, and no card is charged automatically.',
    text: 'What is wrong?',
    needsText: 'Write what is wrong.',
    noCards: 'Do not write card numbers here.',
    email: 'Email address',
    emailHint: 'We send the answer there.',
    send: 'Send objection',
    cancel: 'Cancel',
    open: 'We have your objection and will answer you. Until then nothing is added.',
    upheld: 'We have upheld your objection.',
    rejected: 'We have looked at your objection and cannot uphold it.',
    closed: 'This stay was contested before. Please call us.',
  },
  pl: {
    contest: 'Coś się nie zgadza? Złóż reklamację',
    lead: 'Napisz, co się nie zgadza. Sprawdzimy to i odpowiemy. Do tego czasu nic nie doliczymy i nie obciążymy karty automatycznie.',
    text: 'Co się nie zgadza?',
    needsText: 'Napisz, co się nie zgadza.',
    noCards: 'Nie podawaj tu numerów kart.',
    email: 'Adres e-mail',
    emailHint: 'Tam wyślemy odpowiedź.',
    send: 'Wyślij reklamację',
    cancel: 'Anuluj',
    open: 'Mamy Twoją reklamację i odpowiemy. Do tego czasu nic nie doliczymy.',
    upheld: 'Uznaliśmy reklamację.',
    rejected: 'Sprawdziliśmy reklamację i nie możemy jej uznać.',
    closed: 'Reklamacja dotycząca tego postoju została już złożona. Zadzwoń do nas.',
  },
  de: {
    contest: 'Stimmt etwas nicht? Einspruch einlegen',
    lead: 'Schreiben Sie, was nicht stimmt. Wir prüfen es und antworten Ihnen. Bis dahin kommt nichts hinzu, und keine Karte wird automatisch belastet.',
    text: 'Was stimmt nicht?',
    needsText: 'Schreiben Sie, was nicht stimmt.',
    noCards: 'Schreiben Sie hier keine Kartennummern.',
    email: 'E-Mail-Adresse',
    emailHint: 'Dorthin senden wir die Antwort.',
    send: 'Einspruch senden',
    cancel: 'Abbrechen',
    open: 'Wir haben Ihren Einspruch und antworten Ihnen. Bis dahin kommt nichts hinzu.',
    upheld: 'Wir geben Ihrem Einspruch recht.',
    rejected: 'Wir haben Ihren Einspruch geprüft und können ihm nicht folgen.',
    closed: 'Gegen diesen Aufenthalt wurde bereits Einspruch eingelegt. Bitte rufen Sie uns an.',
  },
  fr: {
    contest: 'Une erreur ? Contester ce stationnement',
    lead: 'Écrivez ce qui est faux. Nous vérifions et vous répondons. D’ici là, rien ne s’ajoute et aucune carte n’est débitée automatiquement.',
    text: 'Qu’est-ce qui est faux ?',
    needsText: 'Écrivez ce qui est faux.',
    noCards: 'N’écrivez pas de numéro de carte ici.',
    email: 'Adresse e-mail',
    emailHint: 'Nous y envoyons la réponse.',
    send: 'Envoyer la contestation',
    cancel: 'Annuler',
    open: 'Nous avons votre contestation et vous répondrons. D’ici là, rien ne s’ajoute.',
    upheld: 'Nous avons accepté votre contestation.',
    rejected: 'Nous avons examiné votre contestation et ne pouvons pas l’accepter.',
    closed: 'Ce stationnement a déjà été contesté. Appelez-nous.',
  },
  es: {
    contest: '¿Hay un error? Reclamar esta estancia',
    lead: 'Escriba qué está mal. Lo revisamos y le respondemos. Hasta entonces no se añade nada ni se cobra ninguna tarjeta automáticamente.',
    text: '¿Qué está mal?',
    needsText: 'Escriba qué está mal.',
    noCards: 'No escriba números de tarjeta aquí.',
    email: 'Correo electrónico',
    emailHint: 'Enviamos la respuesta allí.',
    send: 'Enviar reclamación',
    cancel: 'Cancelar',
    open: 'Tenemos su reclamación y le responderemos. Hasta entonces no se añade nada.',
    upheld: 'Hemos aceptado su reclamación.',
    rejected: 'Hemos revisado su reclamación y no podemos aceptarla.',
    closed: 'Esta estancia ya fue reclamada. Llámenos.',
  },
  da: {
    contest: 'Er noget forkert? Gør indsigelse',
    lead: 'Skriv, hvad der er forkert. Vi ser på det og svarer dig. Indtil da kommer der intet oveni, og intet kort trækkes automatisk.',
    text: 'Hvad er forkert?',
    needsText: 'Skriv, hvad der er forkert.',
    noCards: 'Skriv ikke kortnumre her.',
    email: 'E-mailadresse',
    emailHint: 'Vi sender svaret dertil.',
    send: 'Send indsigelse',
    cancel: 'Annuller',
    open: 'Vi har din indsigelse og svarer dig. Indtil da kommer der intet oveni.',
    upheld: 'Du har fået medhold i din indsigelse.',
    rejected: 'Vi har set på din indsigelse og kan ikke give dig medhold.',
    closed: 'Der er allerede gjort indsigelse mod denne parkering. Ring til os.',
  },
};
