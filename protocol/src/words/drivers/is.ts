import { translate } from '../../base/texts.ts';
import type { DRIVER_EN } from './en.ts';

export const DRIVER_IS = translate<typeof DRIVER_EN>()({
  languages: 'Tungumál',
  title: 'Greiða fyrir stæði',
  back: 'Til baka',
  again: 'Reyna aftur',
  duration: {
    days: '{n} {n: one dagur | other dagar}',
    hours: '{n} klst.',
    minutes: '{n} mín.',
  },
  plate: {
    title: 'Hvert er bílnúmerið?',
    field: 'Bílnúmer',
    find: 'Finna bílinn',
    clear: 'Hreinsa',
  },
  choose: {
    yes: 'Já, þetta er bíllinn minn',
  },
  question: {
    title: 'Er þetta bíllinn þinn?',
    no: 'Nei, ekki minn bíll',
    sending: 'Hliðið opnast …',
  },
  notFound: {
    title: 'Við finnum ekki {plate}',
    change: 'Breyta númerinu',
  },
  browse: {
    day: 'Dagur',
  },
  due: {
    title: 'Til greiðslu',
    total: 'Samtals',
    what: 'Sundurliðun',
    vat: 'þar af VSK {rate}: {amount}',
    pay: 'Greiða {amount}',
    days: 'Vera lengur: kaupa daga',
    changed: 'Verðið breyttist á meðan. Skoðaðu það aftur.',
    noCards: 'Ekki er hægt að greiða með korti hér sem stendur.',
  },
  days: {
    title: 'Hversu marga daga?',
    lead: 'Hver dagur er 24 klukkustundir, talið frá því að þú komst inn.',
    count: '{n: one dagur | other dagar}',
    perDay: '{amount} á dag',
    fewer: 'Fækka um einn dag',
    more: 'Bæta við einum degi',
  },
  standing: {
    'nothing-due': {
      title: 'Ekkert að greiða',
      lead: 'Þú getur ekið út. Góða ferð!',
    },
    paid: {
      title: 'Dvölin er þegar greidd',
      lead: 'Þú getur ekið út. Góða ferð!',
    },
    whitelisted: {
      title: 'Bíllinn er með leyfi hér',
      lead: 'Ekkert að greiða. Góða ferð!',
    },
    invoiced: {
      title: 'Dvölin fer á reikning',
      lead: 'Ekkert að greiða hér. Góða ferð!',
    },
    checking: {
      title: 'Við erum að athuga greiðsluna',
      lead: 'Ekki greiða aftur. Þetta getur tekið nokkrar mínútur.',
    },
    ended: {
      title: 'Bíllinn er farinn',
      lead: 'Ekkert er eftir að greiða hér.',
    },
    'no-price': {
      title: 'Verð vantar fyrir þessa dvöl',
      lead: 'Hringdu og við aðstoðum þig.',
    },
    other: {
      title: 'Ekki er hægt að sýna þessa dvöl hér',
      lead: 'Hringdu og við aðstoðum þig.',
    },
  },
  pay: {
    cancel: 'Hætta við',
    cancelling: 'Hætti við …',
    reversed: 'Greiðslan var bakfærð',
    reversedMore: 'Upphæðin verður endurgreidd inn á kortið.',
    unknown: 'Við erum að athuga greiðsluna',
    notAgain: 'Ekki greiða aftur.',
  },
  receipt: {
    title: 'Greitt. Takk fyrir!',
    card: 'Kort',
  },
  mail: {
    field: 'Netfang',
    send: 'Senda',
    wrong: 'Netfangið er ekki gilt.',
    privacy: 'Netfangið er aðeins notað til að senda þessa kvittun.',
  },
  leave: {
    until: 'til kl.\u00a0{time}',
    mailed: 'Kvittunin er á leiðinni.',
  },
});
