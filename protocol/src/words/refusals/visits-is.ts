import type { PaymentStatus, VisitStatus } from '../../visit.ts';
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
  'plate-of-visit': 'Þetta er bílnúmer heimsóknarinnar.',
  'inside-twice': 'Þetta númer er inni oftar en einu sinni.',
  'photo-deleted': 'Mynd sem hefur verið eytt er ekki hægt að endurheimta.',
  'which-camera': 'Veldu myndavél.',
  'token-of-another-camera': 'Lykillinn tilheyrir annarri myndavél.',
  'registry-silent': 'Ökutækjaskrá svarar ekki núna. Reyndu aftur síðar.',
  'no-registry': 'Engin ökutækjaskrá er tengd.',
  'not-in-registry': 'Ekkert ökutæki er með þetta númer í ökutækjaskrá.',
  'settled-for-good': 'Uppgjöri er ekki hægt að taka til baka.',
  'only-payments-fail': 'Aðeins greiðslur geta mistekist. Veldu aðra stöðu.',
  'visit-completed': 'Heimsókninni er lokið og hún uppgerð. Opnaðu hana fyrst aftur.',
  'plate-with-it': 'Sláðu inn bílnúmerið um leið.',
  'start-before-end': 'Upphafið þarf að vera á undan lokunum og liðið.',
  'a-year-ago': 'Meira en ár er liðið síðan.',
  'end-with-status': 'Lokin breytast aðeins þegar heimsókn er lokað eða hún opnuð aftur.',
  'end-out-of-range': 'Lokin þurfa að vera á milli upphafsins og þessarar stundar.',
  'in-the-future': 'Tíminn er ekki kominn.',
  'plate-unless-needed': 'Sláðu inn bílnúmer, eða veldu stöðuna „vantar númer“.',
  'has-plate': 'Staðan „vantar númer“ er aðeins fyrir heimsókn án bílnúmers.',
  'owner-needs-plate': 'Bílnúmer þarf til að senda eiganda reikning.',
  'no-customer-to-bill': 'Heimsóknin tilheyrir engum viðskiptavini í reikningsviðskiptum.',
  'customer-without-billing': 'Viðskiptavinur heimsóknarinnar er ekki í reikningsviðskiptum.',
  'same-visit': 'Þetta er sama heimsóknin.',
  'visit-of-another-site': 'Heimsóknin er á öðrum stað.',
  'neither-has-plate': 'Hvorug heimsóknin er með bílnúmer.',
  'later-is-paid':
    'Það sem var greitt eða reikningsfært fyrir seinni heimsóknina er ekki hægt að færa á þá fyrri.',
  'plate-first': 'Bílnúmer vantar á heimsóknina. Sláðu það fyrst inn.',
  'no-plate-yet': 'Bílnúmer vantar á heimsóknina.',
  'paid-not-divisible': 'Því sem var greitt, reikningsfært eða tekið af kvóta er ekki hægt að skipta.',
  'notice-for-debts': 'Tilkynning á aðeins við um heimsókn sem er lokið og er ógreidd.',
  'operators-cover-visits': 'Aðeins rekstraraðilar geta veitt leyfi fyrir heilli heimsókn.',
  'operators-block': 'Aðeins rekstraraðilar geta sett númer á bannlista.',
  'end-needed': 'Tímabundið leyfi þarf lokatíma.',
  'visit-for-type-visit': 'Aðeins leyfi fyrir heimsókn vísar á heimsókn.',
  'type-visit-allows': 'Leyfi fyrir heimsókn getur ekki verið bann.',
  'visit-needed': 'Veldu heimsóknina sem leyfið er fyrir.',
  'plate-of-another-visit': 'Heimsóknin er með annað bílnúmer.',
  'site-of-another-visit': 'Heimsóknin er á öðrum stað.',
  'no-header': 'Hauslínu vantar í skrána.',
  'csv-broken': 'Línan er ekki gilt CSV: gæsalappir eða skiltákn eru röng.',
  'csv-quote-open': 'Línan er ekki gilt CSV: gæsalöpp er ekki lokað.',
  'csv-quote-within': 'Línan er ekki gilt CSV: gæsalöpp byrjar í miðjum reit.',
  'csv-after-quote': 'Línan er ekki gilt CSV: texti er á eftir gæsalöpp í reit.',
  'not-utf8': 'Stafirnir eru ekki á UTF-8. Vistaðu skrána sem UTF-8.',
  'column-twice': 'Dálkurinn kemur fyrir tvisvar.',
  'column-missing': 'Dálkinn vantar.',
  'weekdays-form': 'Vikudagar eru tölur frá 1 (mánudagur) til 7, til dæmis 1 2 3 eða 1-5.',
  'hours-form': 'Tímar eru skrifaðir svona: 08:00-18:00.',
  'visit-is-over': 'Heimsókninni er lokið.',
  'no-end-of-visit': 'Leyfi fyrir heimsókn hefur engan lokatíma.',
  'end-before-visit': 'Lokin þurfa að vera á eftir upphafi heimsóknarinnar.',
  'not-after-arrival': 'Aðgangurinn þinn veitir ekki leyfi fyrir heimsókn sem er hafin.',
  'no-past-time': 'Aðgangurinn þinn veitir ekki leyfi fyrir liðinn tíma.',
  'visit-of-photo-settled': ({ id }) =>
    `Heimsókn myndarinnar (${id}) er lokið og uppgerð. Opnaðu hana fyrst aftur.`,
  'other-visit-open': ({ id }) => `Heimsókn með þessu númeri er opin (${id}). Lokaðu henni fyrst.`,
  'unreadable-document': ({ detail }) => `Skeyti myndavélarinnar er ekki læsilegt: ${detail}`,
  'unreadable-picture': 'Myndin er skemmd eða of stór til að búa til smámynd af henni.',
  'visit-not-over': ({ id }) => `Heimsókn ${id} er ekki lokið.`,
  'visit-not-settled': ({ id }) => `Heimsókn ${id} er óuppgerð.`,
  'custody-not-released': ({ id }) => `Ökutækið er í umráðum (${id}). Losaðu það fyrst.`,
  'plate-blocked': ({ id }) => `Bílnúmerið er á bannlista (${id}). Eyddu þeirri skráningu fyrst.`,
  'reason-needed': ({ action }) => `Skrifaðu ástæðu: ${REASONED[action]}.`,
  'settled-cannot-become': ({ to }) => `Uppgerð heimsókn getur ekki fengið stöðuna „${VISIT_STATES[to]}“.`,
  'due-at-closing': ({ amount }) =>
    `${amount} er ógreitt. Veldu hvernig það er gert upp, eða felldu það niður.`,
  'visit-cannot-become': ({ from, to }) =>
    `Staða heimsóknar getur ekki breyst úr „${VISIT_STATES[from]}“ í „${VISIT_STATES[to]}“.`,
  'plate-in-visit-then': ({ id }) => `Bílnúmerið var þá í heimsókn ${id}.`,
  'which-plate': ({ one, other }) => `Veldu rétt bílnúmer: ${one} eða ${other}.`,
  'visit-voided': ({ id }) => `Heimsókn ${id} er ógilt. Opnaðu hana fyrst aftur.`,
  'visit-between': ({ id }) => `Heimsókn ${id} er á milli þeirra.`,
  'not-within-visit': ({ until }) =>
    `Tíminn þarf að vera á milli upphafs heimsóknarinnar og ${moment(until)}.`,
  'visit-settled': ({ paymentStatus }) =>
    `Heimsóknin er uppgerð (${SETTLEMENTS[paymentStatus]}). Opnaðu hana fyrst aftur.`,
  'inside-in-visit': ({ plate, id }) => `${plate} er þegar inni, í heimsókn ${id}.`,
  'delivered-out-of-range': ({ endedAt }) =>
    `Tíminn þarf að vera á milli loka heimsóknarinnar (${moment(endedAt)}) og þessarar stundar.`,
  'permits-elsewhere': ({ sites }) =>
    `Aðgangurinn þinn veitir leyfi á þessum stöðum: ${sites.join(', ') || 'engum'}.`,
  'permits-used-up': ({ max }) => `Aðgangurinn þinn má hafa ${max} leyfi í einu og þau eru öll í notkun.`,
  'permit-too-long': ({ minutes, latest }) =>
    `Aðgangurinn þinn veitir ${minutes} mínútur, til ${moment(latest)}.`,
  'csv-line-too-long': ({ max }) =>
    `Ekki gilt CSV: lína er lengri en ${max} stafir, eða gæsalöpp er ekki lokað.`,
  'line-too-long': ({ bytes }) => `Línan er stærri en ${bytes} bæti. Ekkert var lesið eftir þetta.`,
  'too-many-cells': ({ cells, columns }) => `Reitir eru ${cells} en dálkar ${columns}.`,
  'unknown-column': ({ title, columns }) => `„${title}“ er ekki dálkur. Dálkar eru ${columns.join(', ')}.`,
  'hours-for-weekdays': ({ hours, weekdays }) => `Tímar eru ${hours} en vikudagar ${weekdays}.`,
  'file-too-long': ({ lines }) => `Skrá má mest vera ${lines} línur. Ekkert var lesið eftir þetta.`,
  'part-of-visit': ({ minutes }) => `Aðgangurinn þinn veitir ${minutes} mínútur af heimsókn, ekki alla.`,
  'visit-time-used-up': ({ minutes, latest }) =>
    `Aðgangurinn þinn veitir ${minutes} mínútur af heimsókn, til ${moment(latest)}.`,
  'needed-with-settlement': 'Veldu heimsóknina sem á að gera upp.',
  'picture-deleted': 'Myndinni hefur verið eytt.',
  'changed-since': 'Þessu hefur verið breytt síðan. Leiðréttu heimsóknina sjálfa.',
  'settled-all-the-same': ({ settled }) => `Heimsóknin er samt uppgerð: ${SETTLEMENTS[settled]}.`,
  'picture-decided':
    'Þegar hefur verið skorið úr um þessa mynd. Afturkallaðu það fyrst, eða breyttu myndinni sjálfri.',
  'picture-claimed': 'Annar er að skoða þessa mynd núna.',
};

/** A moment, in UTC as the API has it, to be read by a person. */
function moment(utc: string): string {
  return `${utc.slice(0, 16).replace('T', ' ')} UTC`;
}

const REASONED = {
  voiding: 'verið er að ógilda heimsóknina',
  reopening: 'verið er að opna heimsóknina aftur',
  'correcting-start': 'verið er að leiðrétta upphaf heimsóknarinnar',
  closing: 'verið er að loka heimsókninni',
};

const VISIT_STATES: Record<VisitStatus, string> = {
  new: 'ný',
  'need-payment': 'ógreidd',
  'need-plate': 'vantar númer',
  completed: 'lokið',
};

const SETTLEMENTS: Record<PaymentStatus, string> = {
  whitelisted: 'með leyfi',
  kiosk: 'greidd í kassa',
  'company-invoice': 'á reikning fyrirtækis',
  'owner-invoice': 'á reikning eiganda',
  failed: 'greiðsla mistókst',
  void: 'felld niður',
};
