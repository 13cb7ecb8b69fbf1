import { STATUS_IS } from '@hlid/protocol/base/status-words/is';
import { translate } from '@hlid/protocol/base/texts';
import { CODES_IS } from '@hlid/protocol/words/codes/is';
import { DEVICE_ADVICE_IS } from '@hlid/protocol/words/device-advice/is';
import { LANE_IS } from '@hlid/protocol/words/lanes/is';
import type { EN } from './en.ts';

export const IS = translate<typeof EN>()({
  lanes: LANE_IS,
  codes: CODES_IS,
  status: {
    lane: STATUS_IS.lane,
    gate: STATUS_IS.gate,
    gateMode: STATUS_IS.gateMode,
    passage: STATUS_IS.passage,
  },
  deviceAdvice: DEVICE_ADVICE_IS,
  title: 'Akreinar',
  language: 'Tungumál',
  connecting: 'Tengist …',
  daemonLost: 'Ekkert samband við hliðtölvuna síðan {time}.',
  daemonLostMore: 'Síðan gæti verið úrelt. Reyni að tengjast aftur …',
  driverMessage: 'Skilaboð til ökumanns: „{text}“',
  cancel: 'Hætta við',
  failed: 'Þetta tókst ekki.',
  meaning: {
    open: 'Hliðið opnast einu sinni. Ef bíll bíður þar má hann fara, hvað sem hann skuldar.',
    hold: 'Allir bílar komast í gegn þangað til. Þeir eru lesnir og rukkaðir eins og venjulega.',
    release: 'Akreinin ákveður aftur sjálf fyrir hvern bíl.',
  },
  code: {
    title: 'Ökumaður er með greiðslukóða',
    meaning:
      'Sá sem greiddi með símanum á meðan ekkert samband var við bílastæðið er með kóða í símanum. Hann greiðir fyrir bílinn, einu sinni, og útkeyrslan þar sem bíllinn bíður opnast.',
    plate: 'Bílnúmer',
    code: 'Kóði',
    send: 'Taka kóðann gildan',
    done: '{plate}: greitt.',
  },
  pin: {
    title: 'Sláðu inn PIN-númer til að sjá akreinarnar',
    label: 'PIN-númer',
    enter: 'Áfram',
    lock: 'Læsa',
    wrong: 'Rangt PIN-númer.',
    tooMany: 'Of oft rangt PIN-númer. Reyndu aftur eftir {n} mín.',
    failed: 'Hliðtölvan svarar ekki.',
  },
  ago: {
    now: 'rétt í þessu',
    before: 'fyrir {time}',
  },
  camera: {
    seen: 'Myndavél {id}: síðast í sambandi {ago}',
    notSeen: 'Myndavél {id}: ekkert samband frá ræsingu',
    none: 'Engin myndavél á þessari akrein',
    clockBehind: 'klukkan er {duration} of sein',
    clockAhead: 'klukkan er {duration} of fljót',
  },
  link: {
    alone: 'Keyrir án skýs',
    connected: 'Samband við skýið',
    away: 'Ekkert samband við skýið síðan {time}',
    waiting: '{count} {n: one atburður bíður | other atburðir bíða}',
    upToDate: 'ekkert bíður',
  },
  devices: {
    alarms: '{n: one # atriði þarfnast athugunar | other # atriði þarfnast athugunar}',
    all: 'Öll tæki',
    allWell: 'Öll tæki eru í lagi',
    lastError: 'síðasta villa {time}: {detail}',
  },
  display: {
    noLane: '{site}: þessi akrein er ekki til',
  },
});
