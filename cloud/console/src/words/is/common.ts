import { translate } from '@hlid/protocol/base/texts';
import type * as en from '../en/common.ts';

export const common = translate<typeof en.common>()({
  save: 'Vista',
  cancel: 'Hætta við',
  close: 'Loka',
  undo: 'Afturkalla',
  undone: 'Afturkallað',
  retry: 'Reyna aftur',
  loading: 'Sæki …',
  more: 'Sýna meira',
  sortsWhole:
    'Hægt er að raða eftir þessum dálki þegar allar línur eru komnar. Þrengdu listann með síunum eða sýndu fleiri línur.',
  edit: 'Breyta',
  delete: 'Eyða',
  create: 'Stofna',
  open: 'Opna',
  search: 'Leita',
  none: 'Ekkert',
  all: 'Allt',
  yes: 'Já',
  no: 'Nei',
  unknown: 'Óþekkt',
  allSites: 'Öll stæði',
  site: 'Bílastæði',
  actions: 'Aðgerðir',
  columns: 'Dálkar',
  filters: 'Síur',
  clearFilters: 'Hreinsa síur',
  required: 'nauðsynlegt',
  failedTitle: 'Ekki tókst að sækja þetta',
  unanswered: {
    offline:
      'Ekkert netsamband. Ekkert var sent og ekkert verður sent síðar. Reyndu aftur þegar netið er komið.',
    unreachable:
      'Ekki næst samband við skýið. Ekkert verður sent síðar. Athugaðu nettenginguna og reyndu aftur.',
    timeout:
      'Skýið svaraði ekki í tæka tíð. Það sem ekki er þegar gert verður ekki gert síðar. Athugaðu stöðuna og reyndu aftur.',
    cancelled:
      'Hætt var við áður en skýið svaraði. Þetta gæti hafa verið gert: athugaðu það áður en þú reynir aftur.',
  },
  refusedTitle: 'Þessu var hafnað',
  changedMeanwhile: 'Annar notandi breytti þessu á meðan. Berðu saman og vistaðu aftur.',
  notYours: 'Aðgangurinn þinn hefur ekki heimild til þessa.',
  notFound: 'Þetta er ekki lengur til eða tilheyrir öðrum.',
  newRows: '{count} ný',
  rows: '{count} {count: one lína | other línur}',
  atLeast: '{count} eða fleiri',
  selectAll: 'Velja allt',
  selectRow: 'Velja línu {place}',
  saved: 'Vistað',
  changed: 'breytt',
  deleted: 'Eytt',
  copy: 'Afrita',
  copied: 'Afritað',
  reason: 'Ástæða',
});
