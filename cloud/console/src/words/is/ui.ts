import { translate } from '@hlid/protocol/base/texts';
import { LANE_IS } from '@hlid/protocol/words/lanes/is';
import type * as en from '../en/ui.ts';

export const periodField = translate<typeof en.periodField>()({
  from: 'Frá',
  to: 'Til',
  choose: 'Tímabil',
  own: 'Eigin dagar',
  names: {
    today: 'Í dag',
    yesterday: 'Í gær',
    week: 'Síðustu 7 dagar',
    days30: 'Síðustu 30 dagar',
    month: 'Þessi mánuður',
    lastMonth: 'Síðasti mánuður',
  },
});

export const wallWords = translate<typeof en.wallWords>()({
  day: 'dd.mm.áááá',
  moment: 'dd.mm.áááá kk:mm',
  time: 'kk:mm',
  noDay: 'Skrifaðu daginn eins og 28.11.2026.',
  noMoment: 'Skrifaðu dag og tíma eins og 28.11.2026 08:00.',
  noTime: 'Skrifaðu tímann eins og 08:00.',
  choose: 'Velja dag',
  before: 'Fyrri mánuður',
  after: 'Næsti mánuður',
  months: 'janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember',
});

export const time = translate<typeof en.time>()({
  now: 'rétt í þessu',
  ago: 'fyrir {text}',
  ahead: 'eftir {text}',
  length: LANE_IS.length,
});

export const settleFields = translate<typeof en.settleFields>()({
  how: 'Hvernig',
  choose: 'Veldu …',
  paidWith: 'Móttekið sem',
  ways: {
    kiosk: 'Greitt: féð er komið',
    'owner-invoice': 'Reikningur á eiganda ökutækis',
    'company-invoice': 'Reikningur á viðskiptavin dvalar',
    whitelisted: 'Frítt: heimild átti að gilda',
    void: 'Fellt niður: enginn þarf að greiða',
  },
  effects: {
    kiosk:
      'Dvölin er gerð upp að fullu og fær greiddan reikning sem segir hvernig greitt var. Upphæðin telst til tekna.',
    'owner-invoice':
      'Dvölin fær reikning á skráðan eiganda. Hann bíður greiðanda ef enginn finnst í skránni.',
    'company-invoice':
      'Upphæðin fer á næsta safnreikning viðskiptavinarins. Án viðskiptavinar bíður reikningurinn greiðanda.',
    whitelisted: 'Upphæðin er gefin eftir, eins og með heimild.',
    void: 'Upphæðin er gefin eftir og dvöl bíls sem er inni lýkur. Ástæðan geymist.',
  },
});

export const dialog = translate<typeof en.dialog>()({
  discard: 'Ýttu aftur á Escape til að henda því sem þú slóst inn.',
});

export const conflict = translate<typeof en.conflict>()({
  before: 'Áður',
  theirs: 'Vistað á meðan',
  yours: 'Þitt',
});

export const unsaved = translate<typeof en.unsaved>()({
  title: 'Fara án þess að vista?',
  text: 'Það sem þú slóst inn er óvistað. Ef þú ferð héðan tapast það.',
  stay: 'Vera áfram hér',
  leave: 'Fara án þess að vista',
});

export const downloadButton = translate<typeof en.downloadButton>()({
  stop: 'Hætta ({amount})',
  brokenOff: 'Skráin slitnaði. Reyndu aftur.',
});

export const picture = translate<typeof en.picture>()({
  missing: 'Engin mynd',
  enlarge: 'Stækka: {name}',
});

export const countField = translate<typeof en.countField>()({
  label: 'Sláðu inn fjölda dvala: {count}',
  hint: 'Svo enginn gefi eftir fé fyrir mistök.',
  other: 'Fjöldinn er {count}.',
});

export const numberField = translate<typeof en.numberField>()({
  noNumber: 'Þetta er ekki tala. Skrifaðu hana eins og 1.234,5.',
  noWholeNumber: 'Þetta er ekki tala. Skrifaðu 1234 eða 1.234.',
  notWhole: 'Skrifaðu heila tölu.',
  tooManyDecimals: 'Mest {digits: one # aukastafur | other # aukastafir}.',
  tooSmall: 'Minnst {min}.',
  tooLarge: 'Mest {max}.',
});

export const bulkDialog = translate<typeof en.bulkDialog>()({
  stop: 'Stöðva',
  progress: '{done} {total: none lokið | other af # lokið}',
  stopped: 'Stöðvað. Það sem var búið stendur.',
  finished: 'Lokið',
  failures: '{count} {count: one mistókst | other mistókust}',
});

export const vatFields = {
  choose: 'Veldu …',
  open: 'Óákveðinn',
  categories: {
    S: 'VSK er í verðinu',
    E: 'Undanþegið VSK',
    O: 'Utan gildissviðs VSK',
    Z: 'Núll prósent',
  },
  ofSite: 'Eins og staðurinn segir',
  rate: 'VSK í prósentum',
  reason: 'Hvers vegna enginn VSK er',
  otherReason: 'Önnur ástæða',
  reasonText: 'Ástæðan eins og hún stendur á skjölum',
  from: 'Frá',
  prices: 'VSK af verðum',
  fees: 'VSK af þjónustugjöldum og vanskilagjöldum',
  remove: 'Fjarlægja',
  add: 'Bæta við VSK frá degi',
  reasonHint: 'Með tilvísun í lög, á tungumáli skjalanna.',
  hint: 'Bókari ákveður þetta. Útleiga bifreiðastæða getur verið undanþegin þótt þjónustugjald sé það ekki.',
};
