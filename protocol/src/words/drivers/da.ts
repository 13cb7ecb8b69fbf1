import { translate } from '../../base/texts.ts';
import type { DRIVER_EN } from './en.ts';

export const DRIVER_DA = translate<typeof DRIVER_EN>()({
  languages: 'Sprog',
  title: 'Betal for parkering',
  back: 'Tilbage',
  again: 'Prøv igen',
  duration: {
    days: '{n} {n: one dag | other dage}',
    hours: '{n} {n: one time | other timer}',
    minutes: '{n} min.',
  },
  plate: {
    title: 'Hvad er din nummerplade?',
    field: 'Nummerplade',
    find: 'Find min bil',
    clear: 'Ryd',
  },
  choose: {
    yes: 'Ja, det er min bil',
  },
  question: {
    title: 'Er det din bil?',
    no: 'Nej, det er ikke min',
    sending: 'Udkørslen åbner …',
  },
  notFound: {
    title: 'Vi kan ikke finde {plate}',
    change: 'Ret nummerpladen',
  },
  browse: {
    day: 'Dag',
  },
  due: {
    title: 'Til betaling',
    total: 'I alt',
    what: 'Det betaler du for',
    vat: 'heraf moms {rate}: {amount}',
    pay: 'Betal {amount}',
    days: 'Bliv længere: køb dage',
    changed: 'Prisen har ændret sig. Se på den igen.',
    noCards: 'Der kan ikke betales med kort her lige nu.',
  },
  days: {
    title: 'Hvor mange dage?',
    lead: 'Hver dag er 24 timer, fra du kørte ind.',
    count: '{n: one dag | other dage}',
    perDay: '{amount} pr. dag',
    fewer: 'En dag færre',
    more: 'En dag mere',
  },
  standing: {
    'nothing-due': {
      title: 'Intet at betale',
      lead: 'Du kan køre ud. God tur!',
    },
    paid: {
      title: 'Allerede betalt',
      lead: 'Du kan køre ud. God tur!',
    },
    whitelisted: {
      title: 'Bilen har tilladelse her',
      lead: 'Intet at betale. God tur!',
    },
    invoiced: {
      title: 'Du får en faktura',
      lead: 'Intet at betale her. God tur!',
    },
    checking: {
      title: 'Vi undersøger din betaling',
      lead: 'Betal ikke igen. Det kan tage et par minutter.',
    },
    ended: {
      title: 'Bilen er kørt',
      lead: 'Der er ikke mere at betale her.',
    },
    'no-price': {
      title: 'Vi har ingen pris for denne parkering',
      lead: 'Ring til os, så hjælper vi.',
    },
    other: {
      title: 'Parkeringen kan ikke vises her',
      lead: 'Ring til os, så hjælper vi.',
    },
  },
  pay: {
    cancel: 'Annuller',
    cancelling: 'Annullerer …',
    reversed: 'Betalingen blev tilbageført',
    reversedMore: 'Beløbet går tilbage til dit kort.',
    unknown: 'Vi undersøger din betaling',
    notAgain: 'Betal ikke igen.',
  },
  receipt: {
    title: 'Betalt. Tak!',
    card: 'Kort',
  },
  mail: {
    field: 'E-mailadresse',
    send: 'Send',
    wrong: 'E-mailadressen er ikke fuldstændig.',
    privacy: 'Vi bruger kun adressen til at sende kvitteringen.',
  },
  leave: {
    until: 'til kl.\u00a0{time}',
    mailed: 'Kvitteringen er på vej.',
  },
});
