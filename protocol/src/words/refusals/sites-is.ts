import type { RefusalWords } from '../say-refusal.ts';
import type { SITES_EN } from './sites-en.ts';

export const SITES_IS: Pick<RefusalWords, keyof typeof SITES_EN> = {
  'site-away': 'Ekki næst samband við staðinn.',
  'command-not-connected': 'Ekki gert: staðurinn er ekki tengdur.',
  'command-unknown':
    'Óvíst hvort þetta var gert: staðurinn svaraði ekki innan sekúndu. Sjá atburði staðarins.',
  'gate-refused': 'Hliðið hafnaði þessu, eða getur það ekki.',
  'gate-away': 'Ekki næst samband við hliðið. Ekkert var gert.',
  'gate-silent': 'Hliðið svaraði ekki. Það gæti hafa hreyfst.',
  'code-used':
    'Kóðinn hefur þegar verið notaður. Ef það varst ekki þú skaltu búa strax til nýjan: þá missir sá aðganginn sem notaði þennan.',
  'code-expired': 'Kóðinn er útrunninn. Búðu til nýjan.',
  'camera-taken': ({ remoteId }) => `Staðurinn er þegar með myndavélina ${remoteId}.`,
  'zone-taken': ({ name }) => `Staðurinn er þegar með svæðið „${name}“.`,
  'webhook-taken': ({ name }) => `Vefkrókurinn „${name}“ á þessa slóð er þegar til.`,
  'feed-range-gone': 'Þessi hluti straumsins er ekki lengur til. Sæktu stöðuna í heild.',
  'too-many-streams': 'Of margar beinar tengingar eru opnar. Reyndu aftur síðar.',
};
