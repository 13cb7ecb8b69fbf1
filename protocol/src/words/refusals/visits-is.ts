import type { RefusalWords } from '../say-refusal.ts';
import type { VISITS_EN } from './visits-en.ts';

export const VISITS_IS: Pick<RefusalWords, keyof typeof VISITS_EN> = {
  'visit-id-taken': 'Heimsókn með þetta auðkenni er þegar til.',
  'inside-already': ({ plate }) => `${plate} er þegar inni.`,
  'notice-delivered': ({ on }) => `Tilkynning var afhent ${on}.`,
  'not-in-doubt': 'Enginn bíll bíður við útkeyrslu í óvissu um þessa heimsókn.',
  'event-posted-before': 'Sami atburður þessarar myndavélar hefur borist áður.',
  'range-beyond': 'Myndin endar fyrr.',
  'not-a-picture': 'Skráin er hvorki JPEG né PNG.',
  'read-erased': 'Lestrinum var eytt, eða hann er eldri en myndir eru geymdar.',
  'picture-being-stored': 'Verið er að vista myndina, eða það mistókst. Reyndu aftur eftir mínútu.',
  'entry-taken': ({ plate }) => `${plate} er þegar með leyfi á þessum tíma.`,
  'end-before-start': 'Lokin þurfa að vera á eftir upphafinu.',
  'vehicle-of-another': 'Ökutækið er skráð á annan. Rekstraraðili getur fært það á þig.',
  'custody-of-nobody': 'Veldu hver hefur umráðin.',
  'account-of-another': 'Aðgangurinn tilheyrir öðrum viðskiptavini, eða engum.',
  'operators-backdate': 'Aðeins rekstraraðilar geta valið liðinn tíma.',
  'plate-or-vehicle': 'Sláðu inn bílnúmer eða veldu ökutæki.',
  'in-custody-of-another': 'Ökutækið er í umráðum annars á þessum tíma.',
  'in-custody-already': 'Ökutækið er þegar í umráðum einhvers á þessum tíma.',
};
